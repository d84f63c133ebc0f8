import type { Machine } from '../machine';

/** Decoding is bound by memory, not by arithmetic: more threads bring little and take the page's. */
const MOST_THREADS = 4;
/** How long llama.cpp may take to start its threads, and then to compute two tokens with them. */
const ANSWER_MS = 15_000;

/**
 * How many threads llama.cpp computes with. Its threads wait for each other by spinning: one without a
 * core of its own holds up all others many times over, so a core is left to the rest of the browser.
 */
export function threadsFor({ cores, isolated }: Machine, gpu: boolean): number {
  return isolated && !gpu ? Math.max(1, Math.min(MOST_THREADS, cores - 1)) : 1;
}

/**
 * Settles as the work does, unless the work takes longer than threads may.
 * @param alive its abort says that threads answered: then the work may take as long as it likes
 */
export function orTimeOut<T>(
  work: Promise<T>,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  alive = new AbortController(),
): Promise<T> {
  const late = sleep(ANSWER_MS, alive.signal).then(
    () => {
      throw new Error('its threads did not answer');
    },
    () => work,
  );
  return Promise.race([work, late]).finally(() => alive.abort());
}

/**
 * Whether a line of the package's debug log shows that it got past the start of its threads. Only two
 * lines come before; failed threads complain on other levels.
 */
export function isPastThreads(line: string): boolean {
  return !/^(Multithread enabled|Loading )/.test(line);
}
