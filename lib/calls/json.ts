/** Plain JSON. The same shape as the tools' own type, which this folder may not import. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue };
export type JsonRecord = { [key: string]: JsonValue };

export function isRecord(value: JsonValue | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets an own key; a key such as `__proto__` stays data. */
export function setOwn(record: JsonRecord, key: string, value: JsonValue): void {
  Object.defineProperty(record, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

export function getOwn(record: JsonRecord, key: string): JsonValue | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/**
 * Strict JSON, `undefined` where the text is none. A whole number with more digits than a double
 * holds, and one beyond its range, is given as the text that was written: an id must not change.
 */
export function parseStrict(text: string): JsonValue | undefined {
  try {
    // JSON.parse can return nothing but JSON.
    const value = JSON.parse(text) as JsonValue;
    return MAY_BE_INEXACT.test(text) ? (JSON.parse(withDigitsKept(text)) as JsonValue) : value;
  } catch {
    return undefined;
  }
}

const MAY_BE_INEXACT = /\d{16}|\d[eE]\+?\d{3}/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Valid JSON with its inexact numbers in quotes. */
const withDigitsKept = (text: string): string =>
  text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || isExact(token) ? token : `"${token}"`,
  );

/** Whether a number's text means the number a double makes of it: no whole number is rounded, none is endless. */
export function isExact(number: string): boolean {
  const value = Number(number);
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !/^[+-]?\d+$/.test(number));
}
