import { pause } from '../../agent/stop';
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
    sleep: pause,
  });
}
