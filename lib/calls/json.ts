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

/** Strict JSON, `undefined` where the text is none. */
export function parseStrict(text: string): JsonValue | undefined {
  try {
    // JSON.parse can return nothing but JSON.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
