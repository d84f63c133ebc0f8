/** Turns callbacks into an async iterable. One reader; what was pushed before `end` is still read. */
export interface ChunkQueue<T> extends AsyncIterable<T> {
  push(item: T): void;
  end(): void;
  fail(error: unknown): void;
}

export function createChunkQueue<T>(): ChunkQueue<T> {
  const items: T[] = [];
  let state: { kind: 'open' } | { kind: 'ended' } | { kind: 'failed'; error: unknown } = {
    kind: 'open',
  };
  let wake = () => {};
  return {
    push(item) {
      items.push(item);
      wake();
    },
    end() {
      if (state.kind === 'open') state = { kind: 'ended' };
      wake();
    },
    fail(error) {
      if (state.kind === 'open') state = { kind: 'failed', error };
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (items.length > 0) {
          const item = items.shift();
          if (item !== undefined) yield item;
        }
        if (state.kind === 'ended') return;
        if (state.kind === 'failed') throw state.error;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
