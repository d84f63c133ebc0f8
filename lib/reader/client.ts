import type { Reading } from './read';
import type { ReadableTool } from './text';
import type { ReaderReply, ReaderRequest } from './worker';

/** The side of a worker that this needs; a browser's `Worker` is one. */
export interface ReaderWorker {
  postMessage: (message: ReaderRequest) => void;
  onmessage: ((event: MessageEvent<ReaderReply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  terminate: () => void;
}

export interface ReaderClientOptions {
  start: () => ReaderWorker;
  /** Addresses of the packaged weights and kernel. */
  files: { weights: string; kernel: string };
  /** Milliseconds without a reading after which the worker and its memory are given back. */
  idleMs?: number;
}

const IDLE_MS = 300_000;

/**
 * A reader in a worker of its own, started with the first request and ended when nothing was read for a
 * while. A reading rejects where the worker cannot load or dies; the next one starts a new worker.
 */
export function createReaderClient({
  start,
  files,
  idleMs = IDLE_MS,
}: ReaderClientOptions): (
  request: string,
  earlier: readonly string[],
  tools: readonly ReadableTool[],
  signal: AbortSignal,
) => Promise<Reading> {
  let worker: ReaderWorker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let next = 0;
  const waiting = new Map<number, { resolve: (r: Reading) => void; reject: (e: Error) => void }>();
  const end = (message: string): void => {
    worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error(message));
    waiting.clear();
  };
  const running = (): ReaderWorker => {
    if (worker) return worker;
    const made = start();
    made.onmessage = ({ data }) => {
      const asked = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.type === 'reading') asked?.resolve(data.reading);
      else {
        asked?.reject(new Error(data.message));
        // What could not load may load the next time.
        end(data.message);
      }
    };
    made.onerror = (event) => end(event.message || 'The reader’s worker ended.');
    made.postMessage({ type: 'load', ...files });
    worker = made;
    return made;
  };
  return (request, earlier, tools, signal) => {
    signal.throwIfAborted();
    clearTimeout(idle);
    return new Promise<Reading>((resolve, reject) => {
      const id = next++;
      const stop = (): void => {
        waiting.delete(id);
        reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
      const settled = (): void => {
        signal.removeEventListener('abort', stop);
        if (waiting.size === 0) idle = setTimeout(() => end('idle'), idleMs);
      };
      waiting.set(id, {
        resolve: (reading) => {
          settled();
          resolve(reading);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      try {
        running().postMessage({ type: 'read', id, request, earlier, tools });
      } catch (error) {
        waiting.delete(id);
        settled();
        reject(error);
      }
    });
  };
}
