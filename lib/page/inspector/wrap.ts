type Method = (...args: unknown[]) => unknown;
/** What is wrapped already: several objects may share the prototype that has the method. */
const ours = new WeakSet<object>();

/** Runs what only looks on. Nothing that goes wrong in it may reach the page. */
export function quietly(look: () => void): void {
  try {
    look();
  } catch {
    // Then this once it is not seen.
  }
}

/**
 * Puts `around` in place of a method, where it is defined, until the signal aborts; where somebody
 * has wrapped it again meanwhile, it stays and only passes on. False where it cannot be done.
 */
export function wrapMethod(
  object: object,
  name: string,
  around: (inner: Method, self: unknown, args: unknown[]) => unknown,
  signal: AbortSignal,
): boolean {
  let owner: object | null = object;
  while (owner && !Object.hasOwn(owner, name))
    owner = Object.getPrototypeOf(owner) as object | null;
  const before = owner && Object.getOwnPropertyDescriptor(owner, name);
  const inner: unknown = before?.value;
  if (!owner || typeof inner !== 'function' || !before?.configurable || ours.has(inner))
    return false;
  const holder = owner;
  const value = new Proxy(inner as Method, {
    apply: (target, self, args: unknown[]) =>
      signal.aborted ? Reflect.apply(target, self, args) : around(target, self, args),
  });
  if (!Reflect.defineProperty(holder, name, { ...before, value })) return false;
  ours.add(value);
  signal.addEventListener('abort', () => {
    if ((Object.getOwnPropertyDescriptor(holder, name)?.value as unknown) === value)
      Reflect.defineProperty(holder, name, before);
  });
  return true;
}

/**
 * The object with another value in one place. Around an empty object, as a proxy of a frozen one may
 * not say anything new.
 */
export function withMember<T extends object>(object: T, name: string, value: unknown): T {
  return new Proxy({} as T, {
    get: (_, key) => (key === name ? value : Reflect.get(object, key)),
    has: (_, key) => key in object,
    ownKeys: () => Reflect.ownKeys(object),
    getPrototypeOf: () => Object.getPrototypeOf(object) as object | null,
    getOwnPropertyDescriptor(_, key) {
      const own = Object.getOwnPropertyDescriptor(object, key);
      return own && { ...own, configurable: true, ...(key === name && { value }) };
    },
  });
}

/**
 * A promise in place of the given one that settles alike, after `done` or `failed` was told. Merely
 * listening to the page's own would count its rejections as handled. What is no promise is told of
 * at once and stays what it is.
 */
export function watchOutcome(
  outcome: unknown,
  done: (value: unknown) => void,
  failed: (error: unknown) => void,
): unknown {
  if (!(outcome instanceof Promise)) {
    quietly(() => done(outcome));
    return outcome;
  }
  return outcome.then(
    (value: unknown) => {
      quietly(() => done(value));
      return value;
    },
    (error: unknown) => {
      quietly(() => failed(error));
      throw error;
    },
  );
}
