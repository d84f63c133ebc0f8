import type { ModelContextLike } from '../surfaces/native';

/**
 * `navigator.modelContext` of the first half of 2026 on top of the browser's present
 * `document.modelContext`, for pages that only know the old place and the old methods.
 */
export function legacyAlias(native: ModelContextLike): object {
  const registered = new Map<string, AbortController>();
  const unregister = (given: unknown) => {
    const name = String((given as { name?: unknown } | null)?.name ?? given);
    registered.get(name)?.abort();
    registered.delete(name);
  };
  const clear = () => {
    for (const name of Array.from(registered.keys())) unregister(name);
  };
  const register = (tool: { name?: unknown }, options?: { signal?: AbortSignal }) => {
    const controller = new AbortController();
    const signals = [controller.signal, ...(options?.signal ? [options.signal] : [])];
    const name = String(tool.name);
    const first = !registered.has(name);
    if (first) registered.set(name, controller);
    const done = native.registerTool(tool, { ...options, signal: AbortSignal.any(signals) });
    return Promise.resolve(done).catch((error) => {
      // Taken back through this alias before the browser was done with it: that is no failure.
      if (controller.signal.aborted) return;
      if (first) registered.delete(name);
      throw error;
    });
  };
  const legacy: Record<string, unknown> = {
    registerTool: register,
    unregisterTool: unregister,
    clearContext: clear,
    provideContext(given?: { tools?: Iterable<{ name?: unknown }> }) {
      clear();
      for (const tool of given?.tools ?? []) void register(tool).catch(reportError);
    },
  };
  const alias = new Proxy(native, {
    get(target, key) {
      if (typeof key === 'string' && Object.hasOwn(legacy, key)) return legacy[key];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
    has: (target, key) => (typeof key === 'string' && Object.hasOwn(legacy, key)) || key in target,
  });
  Object.defineProperty(Navigator.prototype, 'modelContext', {
    configurable: true,
    enumerable: true,
    get: () => alias,
  });
  return alias;
}
