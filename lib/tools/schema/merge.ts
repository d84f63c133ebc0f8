import { setOwn } from '../own-data';
import type { JsonObject, JsonSchema } from '../tool';
import { membersOf, objectAt, stringsAt, surfaceOf, without } from './walk';

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
  let properties: JsonObject = {};
  let required = surfaceOf(first).required;
  for (const member of members) {
    const surface = surfaceOf(member);
    properties = mergeProperties(properties, surface.properties);
    required = required.filter((name) => surface.required.includes(name));
  }
  const merged: JsonSchema = {};
  if (Object.keys(properties).length > 0) merged['properties'] = properties;
  if (required.length > 0) merged['required'] = required;
  return merged;
}
