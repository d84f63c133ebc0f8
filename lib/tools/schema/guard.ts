import { type Said, type SaidValue, saidIn, type Words } from '../../said/said';
import { names, say } from '../../said/say';
import { isRecord, ownValue, setOwn } from '../own-data';
import { cutText } from '../text/cut';
import type { JsonObject, JsonSchema, JsonValue } from '../tool';
import { liftSurface } from './merge';
import { resolveSurface } from './resolve';
import { isObject, surfaceOf, typesOf } from './walk';

/** What one schema of a page may cost. Real ones stay below a tenth of each. */
export const SCHEMA_LIMITS = {
  /** JSON nesting; a schema uses two levels per level of arguments. */
  depth: 48,
  /** Values of any kind. */
  nodes: 20_000,
  /** Characters of all keys and strings together. */
  characters: 262_144,
  /** Arguments at the top. */
  properties: 256,
} as const;

/** Longest description and most choices kept of an argument when a schema has to be reduced. */
const REDUCED_DESCRIPTION = 200;
const REDUCED_ENUM = 50;

export type Guarded =
  /** `notes` say, in words for the user, what was cut; empty when nothing was. */
  | { ok: true; schema: JsonSchema; notes: string[] }
  /** Why the tool is not offered, for the log and for the user. */
  | { ok: false; reason: string; said?: Said | undefined };

/**
 * A bounded copy of what a page declared as its tool's input schema: plain JSON, an object schema at
 * the root, safe to hand to everything else in this folder; or the reason why there is none. Runs no
 * getters, follows no cycles, leaves the input alone, and does a bounded amount of work whatever it
 * is given. A schema over a limit is reduced to its argument names, types and choices.
 */
export function guardSchema(declared: unknown): Guarded {
  if (declared === undefined || declared === null) return empty([]);
  if (declared === true) return { ok: true, schema: { type: 'object' }, notes: [] };
  if (declared === false)
    return refused('its schema (false) accepts no call at all', say('refused-accepts-nothing'));
  if (!isRecord(declared)) {
    return refused(
      `its schema is ${nameOfKind(declared)}, not a JSON Schema object`,
      say('refused-kind', kindOf(declared)),
    );
  }
  const copy: Copy = { nodes: 0, characters: 0, cut: false, above: new Set() };
  const whole = copyValue(declared, copy, 0);
  const over = copy.nodes > SCHEMA_LIMITS.nodes || copy.characters > SCHEMA_LIMITS.characters;
  if (over || !isObject(whole)) return reduced(declared);
  return checkRoot(
    whole,
    copy.cut ? [`its schema was cut below ${SCHEMA_LIMITS.depth} levels`] : [],
  );
}

const empty = (notes: string[]): Guarded => ({
  ok: true,
  schema: { type: 'object', properties: {} },
  notes,
});
const refused = (reason: string, words: Words): Guarded => ({
  ok: false,
  reason,
  ...saidIn(words),
});

const kindOf = (value: unknown): SaidValue => {
  if (Array.isArray(value)) return names([say('type-array')]);
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean'
    ? names([say(`type-${type}`)])
    : type;
};

function nameOfKind(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

function checkRoot(schema: JsonSchema, notes: string[]): Guarded {
  const root = resolveSurface(schema);
  const types = typesOf(root);
  if (types.length > 0 && !types.includes('object')) {
    return refused(
      `its schema takes ${types.join(' or ')}, not named arguments`,
      say('refused-unnamed', names(types, 'or')),
    );
  }
  const count = Object.keys(surfaceOf(liftSurface(root)).properties).length;
  if (count > SCHEMA_LIMITS.properties) return tooMany(count);
  if (typeof schema['$ref'] === 'string' && types.length === 0 && count === 0) {
    notes.push('its schema refers to a part that is not there; any arguments are taken');
  }
  return { ok: true, schema: { ...schema, type: 'object' }, notes };
}

const tooMany = (count: number): Guarded =>
  refused(
    `it declares ${count} arguments; at most ${SCHEMA_LIMITS.properties} can be offered`,
    say('refused-many-arguments', count, SCHEMA_LIMITS.properties),
  );

interface Copy {
  nodes: number;
  characters: number;
  /** Something lay deeper than the limit and was left out. */
  cut: boolean;
  above: Set<object>;
}

const spent = (copy: Copy): boolean =>
  copy.nodes > SCHEMA_LIMITS.nodes || copy.characters > SCHEMA_LIMITS.characters;

/** `undefined` for what JSON cannot hold, what is too deep and, once a limit is passed, for everything. */
function copyValue(value: unknown, copy: Copy, depth: number): JsonValue | undefined {
  copy.nodes++;
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'string') {
    copy.characters += value.length;
    return value;
  }
  if (typeof value !== 'object' || spent(copy)) return undefined;
  if (depth >= SCHEMA_LIMITS.depth || copy.above.has(value)) {
    copy.cut = true;
    // An open schema where one stood; a list has no open form and goes.
    return Array.isArray(value) ? undefined : {};
  }
  copy.above.add(value);
  const result = Array.isArray(value)
    ? copyList(value, copy, depth)
    : copyObject(value, copy, depth);
  copy.above.delete(value);
  return result;
}

function copyList(list: readonly unknown[], copy: Copy, depth: number): JsonValue[] {
  const items: JsonValue[] = [];
  for (let at = 0; at < list.length && !spent(copy); at++) {
    const item = copyValue(ownValue(list, at), copy, depth + 1);
    if (item !== undefined) items.push(item);
  }
  return items;
}

function copyObject(object: object, copy: Copy, depth: number): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(object)) {
    if (spent(copy)) break;
    copy.characters += key.length;
    const item = copyValue(ownValue(object, key), copy, depth + 1);
    if (item !== undefined) setOwn(result, key, item);
  }
  return result;
}

/** Names, types, choices and the start of the descriptions: what a call needs of a schema too large to keep. */
function reduced(declared: object): Guarded {
  const properties = ownValue(declared, 'properties');
  const type = ownValue(declared, 'type');
  if (typeof type === 'string' && type !== 'object') {
    const taken = cutText(type, 40);
    return refused(`its schema takes ${taken}, not named arguments`, say('refused-unnamed', taken));
  }
  const declaredNames = isRecord(properties) ? Object.keys(properties) : [];
  if (declaredNames.length > SCHEMA_LIMITS.properties) return tooMany(declaredNames.length);
  const notes = ['its schema is too large; only argument names, types and choices are used'];
  const kept: JsonObject = {};
  for (const name of declaredNames) {
    if (name.length > REDUCED_DESCRIPTION) continue;
    const property = isRecord(properties) ? ownValue(properties, name) : undefined;
    setOwn(kept, name, isRecord(property) ? reducedProperty(property) : {});
  }
  const schema: JsonSchema = { type: 'object', properties: kept };
  const required = requiredOf(declared);
  if (required.length > 0) schema['required'] = required;
  return { ok: true, schema, notes };
}

function reducedProperty(property: object): JsonSchema {
  const kept: JsonSchema = {};
  const type = ownValue(property, 'type');
  if (typeof type === 'string') kept['type'] = cutText(type, 20);
  const description = ownValue(property, 'description');
  if (typeof description === 'string') {
    kept['description'] = cutText(description, REDUCED_DESCRIPTION);
  }
  const choices = ownValue(property, 'enum');
  if (Array.isArray(choices) && choices.length <= REDUCED_ENUM) {
    const copy: Copy = { nodes: 0, characters: 0, cut: false, above: new Set() };
    const values = copyList(choices, copy, 0);
    if (copy.characters <= REDUCED_ENUM * REDUCED_DESCRIPTION) kept['enum'] = values;
  }
  return kept;
}

function requiredOf(declared: object): string[] {
  const required = ownValue(declared, 'required');
  if (!Array.isArray(required)) return [];
  const names: string[] = [];
  for (let at = 0; at < required.length && names.length < SCHEMA_LIMITS.properties; at++) {
    const name = ownValue(required, at);
    if (typeof name === 'string' && name.length <= REDUCED_DESCRIPTION) names.push(name);
  }
  return [...new Set(names)];
}
