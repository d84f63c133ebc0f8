import type { JsonSchema, JsonValue } from '../tools/tool';

/** Keywords Chrome's built-in model accepts in a `responseConstraint`; one it refuses spoils the request. */
const KEPT = new Set([
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'maxLength',
  'minimum',
  'maximum',
]);

/** A schema Chrome's constrained decoding accepts; validation afterwards is by the full schema. */
export function responseConstraint(schema: JsonSchema): JsonSchema {
  return shrink(schema, 0);
}

function shrink(schema: JsonSchema, depth: number): JsonSchema {
  if (depth > 12) return {};
  const kept: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(schema)) {
    const target = key === 'oneOf' ? 'anyOf' : key;
    if (!KEPT.has(target)) continue;
    if (target === 'properties' && isObject(value)) {
      const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [
        name,
        isObject(member) ? shrink(member, depth + 1) : {},
      ]);
      kept.push([target, Object.fromEntries(members)]);
    } else if (target === 'anyOf' && Array.isArray(value)) {
      kept.push([target, value.map((item) => (isObject(item) ? shrink(item, depth + 1) : {}))]);
    } else if (isObject(value)) kept.push([target, shrink(value, depth + 1)]);
    else kept.push([target, value]);
  }
  return Object.fromEntries(kept);
}

function isObject(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
