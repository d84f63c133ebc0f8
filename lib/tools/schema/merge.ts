import { setOwn } from '../own-data';
import type { JsonObject, JsonSchema, JsonValue } from '../tool';
import { isObject, membersOf, objectAt, stringsAt, surfaceOf, without } from './walk';

/**
 * One schema that says what `base` and `more` say together, as far as a reader needs it: properties
 * and required names of both, of everything else what `base` says first.
 */
export function mergeSchemas(base: JsonSchema, more: JsonSchema): JsonSchema {
  const merged: JsonSchema = { ...more };
  for (const [key, value] of Object.entries(base)) setOwn(merged, key, value);
  const properties = mergeProperties(objectAt(base, 'properties'), objectAt(more, 'properties'));
  if (Object.keys(properties).length > 0) merged['properties'] = properties;
  const required = [...new Set([...stringsAt(base, 'required'), ...stringsAt(more, 'required')])];
  if (required.length > 0) merged['required'] = required;
  return merged;
}

function mergeProperties(base: JsonObject, more: JsonObject): JsonObject {
  const merged: JsonObject = {};
  for (const source of [base, more]) {
    for (const [name, value] of Object.entries(source)) {
      if (!Object.hasOwn(merged, name)) setOwn(merged, name, value);
    }
  }
  return merged;
}

const COMPOSITIONS = new Set(['allOf', 'anyOf', 'oneOf']);

/**
 * The root with the arguments of its compositions lifted into `properties`, so that whoever reads
 * only `properties` misses none. Every `allOf` member counts in full; of `anyOf`/`oneOf` the names of
 * all members, required only where every member requires it. The compositions themselves are gone.
 */
export function liftSurface(root: JsonSchema): JsonSchema {
  if (!Object.keys(root).some((key) => COMPOSITIONS.has(key))) return root;
  let lifted = without(root, COMPOSITIONS);
  for (const member of membersOf(root, 'allOf')) {
    lifted = mergeSchemas(lifted, liftSurface(member));
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const members = membersOf(root, keyword).map(liftSurface);
    if (members.length > 0) lifted = mergeSchemas(lifted, alternatives(members));
  }
  return lifted;
}

/** What every one of several alternatives demands, and what any of them takes. */
function alternatives(members: readonly JsonSchema[]): JsonSchema {
  const [first, ...rest] = members;
  if (first === undefined) return {};
  if (rest.length === 0) return first;
  let { properties, required } = surfaceOf(first);
  for (const member of rest) {
    const surface = surfaceOf(member);
    properties = eitherProperties(properties, surface.properties);
    required = required.filter((name) => surface.required.includes(name));
  }
  const merged: JsonSchema = {};
  if (Object.keys(properties).length > 0) merged['properties'] = properties;
  if (required.length > 0) merged['required'] = required;
  return merged;
}

/**
 * One schema without alternatives that takes all that either of two takes: what both say the same,
 * the types, choices and arguments of both, the wider of their bounds. Words are the first's.
 */
function either(one: JsonSchema, other: JsonSchema): JsonSchema {
  const [a, b] = [asChoice(one), asChoice(other)];
  const wide: JsonSchema = {};
  for (const key of ['title', 'description']) {
    const words = a[key] ?? b[key];
    if (words !== undefined) wide[key] = words;
  }
  for (const [key, value] of Object.entries(a)) {
    const second = Object.hasOwn(b, key) ? b[key] : undefined;
    if (wide[key] !== undefined || second === undefined) continue;
    const both = eitherValue(key, value, second);
    if (both !== undefined) setOwn(wide, key, both);
  }
  return wide;
}

/** A constant is a choice of one. */
function asChoice(schema: JsonSchema): JsonSchema {
  const { const: only, ...rest } = schema;
  return only === undefined || rest['enum'] !== undefined ? schema : { ...rest, enum: [only] };
}

function eitherValue(key: string, a: JsonValue, b: JsonValue): JsonValue | undefined {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  switch (key) {
    case 'type':
    case 'enum':
      return [...new Set([a, b].flat())];
    case 'required':
      return Array.isArray(a) && Array.isArray(b)
        ? a.filter((name) => b.includes(name))
        : undefined;
    case 'minimum':
    case 'minLength':
    case 'minItems':
      return typeof a === 'number' && typeof b === 'number' ? Math.min(a, b) : undefined;
    case 'maximum':
    case 'maxLength':
    case 'maxItems':
      return typeof a === 'number' && typeof b === 'number' ? Math.max(a, b) : undefined;
    case 'items':
      return isObject(a) && isObject(b) ? either(a, b) : undefined;
    case 'properties':
      return isObject(a) && isObject(b) ? eitherProperties(a, b) : undefined;
    default:
      return undefined;
  }
}

function eitherProperties(a: JsonObject, b: JsonObject): JsonObject {
  const wide = mergeProperties(a, b);
  for (const [name, first] of Object.entries(a)) {
    const second = Object.hasOwn(b, name) ? b[name] : undefined;
    if (second === undefined) continue;
    // A property that only one of them limits is not limited.
    setOwn(wide, name, isObject(first) && isObject(second) ? either(first, second) : {});
  }
  return wide;
}
