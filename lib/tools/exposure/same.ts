import { isRecord, ownValue } from '../own-data';

/** Values compared before two are taken to differ: enough for any schema worth keeping. */
const MAX_VALUES = 5_000;

/**
 * Whether two pieces of page data hold the same JSON, keys in the same order. Runs no getters and does
 * bounded work: what is too large to compare counts as different.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  return same(a, b, { left: MAX_VALUES });
}

interface Bound {
  left: number;
}

function same(a: unknown, b: unknown, bound: Bound): boolean {
  if (Object.is(a, b)) return true;
  if (--bound.left < 0) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let at = 0; at < a.length; at++) {
      if (!same(ownValue(a, at), ownValue(b, at), bound)) return false;
    }
    return true;
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return false;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at];
    if (key === undefined || key !== others[at]) return false;
    if (!same(ownValue(a, key), ownValue(b, key), bound)) return false;
  }
  return true;
}
