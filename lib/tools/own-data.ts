/**
 * Reading objects that somebody else built. A page's tool may carry getters, proxies' leftovers or
 * keys such as `__proto__`; everything here reads own data properties only and runs nobody's code.
 */

export type UnknownRecord = { readonly [key: string]: unknown };

/** True for anything with named properties that is no array. */
export const isRecord = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The own data property `key` of `target`, or `undefined` where it is absent, inherited or a getter. */
export function ownValue(target: object, key: PropertyKey): unknown {
  return Object.getOwnPropertyDescriptor(target, key)?.value;
}

/** As {@link ownValue}, `undefined` unless it is a string. */
export function ownString(target: object, key: PropertyKey): string | undefined {
  const value = ownValue(target, key);
  return typeof value === 'string' ? value : undefined;
}

/** Adds `key` as an own property, also where it is `__proto__` and an assignment would not. */
export function setOwn<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key !== '__proto__') {
    target[key] = value;
    return;
  }
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
