import { isRecord, ownValue, setOwn } from '../../tools/own-data';
import type { JsonObject, JsonValue } from '../../tools/tool';

const MAX_DEPTH = 64;
const MAX_NODES = 20_000;

/**
 * A plain copy of what a model or a form wrote, or `undefined` where JSON has no word for it or it is
 * larger than any call needs (20 000 values, 64 levels). Absent and `undefined` entries are left out.
 */
export function asJsonObject(value: unknown): JsonObject | undefined {
  const copy = asJson(value);
  return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? copy : undefined;
}

export function asJson(value: unknown): JsonValue | undefined {
  return copyOf(value, { left: MAX_NODES }, 0);
}

function copyOf(value: unknown, bound: { left: number }, depth: number): JsonValue | undefined {
  if (--bound.left < 0 || depth > MAX_DEPTH) return undefined;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) {
    return value.map((item) => copyOf(item, bound, depth + 1) ?? null);
  }
  if (!isRecord(value)) return undefined;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const inner = copyOf(ownValue(value, key), bound, depth + 1);
    if (inner !== undefined) setOwn(copy, key, inner);
  }
  return copy;
}

/** What models write where they mean that there is no value: `null`, an empty text, or the word. */
export const isNothing = (value: unknown): boolean =>
  value === null || value === '' || value === 'null' || value === 'None';

/** JSON text that is the same for the same value, whatever the order of its keys. */
export function canonical(value: unknown, depth = 0): string {
  if (Array.isArray(value)) {
    return depth > MAX_DEPTH ? '[]' : `[${value.map((v) => canonical(v, depth + 1)).join(',')}]`;
  }
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  if (depth > MAX_DEPTH) return '{}';
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(ownValue(value, key), depth + 1)}`);
  return `{${parts.join(',')}}`;
}
