/**
 * Lets one request through at a time. A reader that left early may come back before the engine has let
 * go of its last request; an interrupt meant for that one must not hit the next.
 */
export interface Turnstile {
  /** Starts the work when it is its turn, and hands on what it yields. */
  through<T>(work: () => AsyncIterable<T>): AsyncGenerator<T>;
}

export function createTurnstile(): Turnstile {
  let last: Promise<void> = Promise.resolve();
  return {
    async *through(work) {
      const before = last;
      let leave = () => {};
      last = new Promise((resolve) => {
        leave = resolve;
      });
      await before;
      try {
        yield* work();
      } finally {
        leave();
      }
    },
  };
}
