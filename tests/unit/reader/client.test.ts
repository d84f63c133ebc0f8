import { afterEach, describe, expect, test, vi } from 'vitest';
import { createReaderClient, type ReaderWorker } from '../../../lib/reader/client';
import type { Reading } from '../../../lib/reader/read';
import type { ReaderRequest } from '../../../lib/reader/worker';

const READING: Reading = { tools: [], cuts: [] };

/** A worker that the test answers for. */
function stage() {
  const workers: (ReaderWorker & { asked: ReaderRequest[]; ended: boolean })[] = [];
  const read = createReaderClient({
    start: () => {
      const worker = {
        asked: [] as ReaderRequest[],
        ended: false,
        onmessage: null,
        onerror: null,
        postMessage(message: ReaderRequest) {
          this.asked.push(message);
        },
        terminate() {
          this.ended = true;
        },
      };
      workers.push(worker);
      return worker;
    },
    files: { weights: 'w', kernel: 'k' },
    idleMs: 1000,
  });
  const ids = (n: number) =>
    workers[n]?.asked.flatMap((m) => (m.type === 'read' ? [m.id] : [])) ?? [];
  const answer = (n: number, data: object) =>
    workers[n]?.onmessage?.(new MessageEvent('message', { data }) as never);
  return { read, workers, ids, answer };
}
const signal = () => new AbortController().signal;

afterEach(() => {
  vi.useRealTimers();
});

describe('reader client', () => {
  test('the worker starts with the first request and is told where its files are', async () => {
    const { read, workers, ids, answer } = stage();
    expect(workers).toHaveLength(0);
    const first = read('a', [], [], signal());
    const second = read('b', [], [], signal());
    expect(workers).toHaveLength(1);
    expect(workers[0]?.asked[0]).toEqual({ type: 'load', weights: 'w', kernel: 'k' });
    const [a, b] = ids(0);
    answer(0, { type: 'reading', id: b, reading: { ...READING, cuts: [2] } });
    answer(0, { type: 'reading', id: a, reading: READING });
    expect(await first).toEqual(READING);
    expect((await second).cuts).toEqual([2]);
  });

  test('a failure is told to all who wait; the next request starts anew', async () => {
    const { read, workers, ids, answer } = stage();
    const first = read('a', [], [], signal());
    const second = read('b', [], [], signal());
    answer(0, { type: 'failed', id: ids(0)[0], message: 'no such file' });
    await expect(first).rejects.toThrow('no such file');
    await expect(second).rejects.toThrow('no such file');
    expect(workers[0]?.ended).toBe(true);
    void read('c', [], [], signal()).catch(() => {});
    expect(workers).toHaveLength(2);
  });

  test('a worker that dies is no answer', async () => {
    const { read, workers } = stage();
    const first = read('a', [], [], signal());
    workers[0]?.onerror?.({ message: 'out of memory' } as ErrorEvent);
    await expect(first).rejects.toThrow('out of memory');
  });

  test('Stop ends the waiting at once, and a late answer changes nothing', async () => {
    const { read, ids, answer } = stage();
    const stop = new AbortController();
    const first = read('a', [], [], stop.signal);
    stop.abort(new Error('stopped'));
    await expect(first).rejects.toThrow('stopped');
    answer(0, { type: 'reading', id: ids(0)[0], reading: READING });
    const second = read('b', [], [], signal());
    answer(0, { type: 'reading', id: ids(0)[1], reading: READING });
    expect(await second).toEqual(READING);
  });

  test('memory is given back when nothing was read for a while', async () => {
    vi.useFakeTimers();
    const { read, workers, ids, answer } = stage();
    const first = read('a', [], [], signal());
    answer(0, { type: 'reading', id: ids(0)[0], reading: READING });
    await first;
    await vi.advanceTimersByTimeAsync(1001);
    expect(workers[0]?.ended).toBe(true);
  });
});
