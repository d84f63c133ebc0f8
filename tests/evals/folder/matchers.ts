import type { JsonValue } from '../../../lib/tools/tool';

const KNOWN = ['$any', '$contains', '$oneOf', '$not', '$set', '$num', '$pattern', '$type'];

/** Texts as they are compared: without case, extra space, or a full stop at either end. */
const plain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^\.+|\.+$/g, '');

const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

const listOf = (value: JsonValue): JsonValue[] => (Array.isArray(value) ? value : [value]);

/** Why an expected value cannot be used, `undefined` where it can: an unknown matcher fits nothing. */
export function faultOf(expected: JsonValue): string | undefined {
  if (typeof expected !== 'object' || expected === null) return undefined;
  if (Array.isArray(expected)) return expected.map(faultOf).find((fault) => fault !== undefined);
  for (const [key, value] of Object.entries(expected)) {
    if (key.startsWith('$') && !KNOWN.includes(key)) return `no matcher is called "${key}"`;
    if (key === '$pattern') {
      try {
        new RegExp(String(value));
      } catch {
        return `"${String(value)}" is no pattern`;
      }
    }
    const fault = key.startsWith('$') ? undefined : faultOf(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * Whether a value is as expected. Plain values must be equal and of the same type, objects have the
 * same keys, lists the same length and order. Matchers: `$any`; `$contains` every part, `$not` none;
 * `$oneOf`; `$set` a list in any order; `$num` the number or its digits; `$pattern`; `$type` a text
 * that is not empty (`"string"`), or a value of that JSON type. `@tomorrow` is the day after `now`.
 */
export function matchesValue(expected: JsonValue, got: JsonValue | undefined, now: Date): boolean {
  const fits = (one: JsonValue, value: JsonValue | undefined) => matchesValue(one, value, now);
  if (typeof expected === 'string') {
    const wanted = expected === '@tomorrow' ? dayAfter(now) : expected;
    return typeof got === 'string' && plain(wanted) === plain(got);
  }
  if (typeof expected !== 'object' || expected === null) return expected === got;
  if (Array.isArray(expected)) {
    return (
      Array.isArray(got) &&
      expected.length === got.length &&
      expected.every((one, i) => fits(one, got[i]))
    );
  }
  const keys = Object.keys(expected);
  if (keys.some((key) => key.startsWith('$'))) {
    return Object.entries(expected).every(([key, value]) => matchesOne(key, value, got, fits));
  }
  if (typeof got !== 'object' || got === null || Array.isArray(got)) return false;
  return (
    keys.length === Object.keys(got).length &&
    keys.every((key) => Object.hasOwn(got, key) && fits(expected[key] ?? null, got[key]))
  );
}

function matchesOne(
  key: string,
  wanted: JsonValue,
  got: JsonValue | undefined,
  fits: (one: JsonValue, value: JsonValue | undefined) => boolean,
): boolean {
  const text = plain(textOf(got));
  switch (key) {
    case '$any':
      return true;
    case '$contains':
      return listOf(wanted).every((part) => text.includes(plain(textOf(part))));
    case '$not':
      return !listOf(wanted).some((part) => text.includes(plain(textOf(part))));
    case '$oneOf':
      return listOf(wanted).some((one) => fits(one, got));
    case '$set': {
      const sorted = (list: JsonValue[]) => list.map((one) => plain(textOf(one))).sort();
      return (
        Array.isArray(got) && JSON.stringify(sorted(got)) === JSON.stringify(sorted(listOf(wanted)))
      );
    }
    case '$num':
      return textOf(got) === textOf(wanted);
    case '$pattern':
      return typeof got === 'string' && new RegExp(textOf(wanted)).test(got);
    case '$type':
      if (wanted === 'string') return typeof got === 'string' && got !== '';
      if (wanted === 'array') return Array.isArray(got);
      if (wanted === 'integer') return Number.isInteger(got);
      return typeof got === wanted && got !== null && !Array.isArray(got);
    default:
      return false;
  }
}

function dayAfter(now: Date): string {
  const day = new Date(now);
  day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}

/** Whether a value that matches is thereby known to be right, and not only of the right form. */
export function provesValue(expected: JsonValue): boolean {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) return true;
  return !['$any', '$type', '$pattern'].some((key) => Object.hasOwn(expected, key));
}

/** Words that name what is expected, for "was the user told of it?". */
export function wordsOfExpected(expected: JsonValue): string[] {
  if (typeof expected === 'string') return [expected];
  if (typeof expected !== 'object' || expected === null) return [String(expected)];
  if (Array.isArray(expected)) return [expected.map(textOf).join(' ')];
  const named = expected['$contains'] ?? expected['$set'];
  if (named !== undefined) return [listOf(named).map(textOf).join(' ')];
  if (expected['$oneOf'] !== undefined) return listOf(expected['$oneOf']).map(textOf);
  return expected['$num'] === undefined ? [] : [textOf(expected['$num'])];
}
