import { createModelStore, type ModelStore } from './store';

/** The store over the extension's private file system; any page of the extension may have its own. */
export function browserModelStore(): ModelStore {
  const { storage } = navigator;
  return createModelStore({
    fetch: (...args) => fetch(...args),
    root: async () => (await storage.getDirectory()).getDirectoryHandle('models', { create: true }),
    estimate: () => storage.estimate(),
    persist: () => storage.persist(),
    now: () => Date.now(),
    sleep,
  });
}

/** Resolves after the time, or rejects with the signal's reason. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
