import { isExact } from '../../calls/json';
import { newRepairBudget, readListed, readObjectText } from '../../calls/lenient-json';
import type { SaidValue, Words } from '../../said/said';
import { say } from '../../said/say';
import { isRecord, setOwn } from '../../tools/own-data';
import { guardSchema } from '../../tools/schema/guard';
import { mergeSchemas } from '../../tools/schema/merge';
import { resolveRefs } from '../../tools/schema/resolve';
import { isObject, membersOf, stringsAt, without } from '../../tools/schema/walk';
import type { JsonObject, JsonSchema, JsonValue } from '../../tools/tool';
import { fits } from './check';
import { isNothing } from './json';

const MAX_DEPTH = 12;
const MAX_FIXES = 12;
/** Members of one union that are tried, and values compared with a schema in one call. */
const MAX_MEMBERS = 20;
const MAX_TRIES = 200;

/**
 * Mends what is mechanical and changes no meaning: "3" → 3, 3 → "3", "true" → true, a lone value for
 * a list, a list of one for a value, the case of an enum value or of an argument's name, a list or
 * an object written as text; drops arguments the page does not know, and `null` or an empty text
 * where it means "absent". It goes by the schema as declared: behind references, and by the
 * alternative of a union that the mended value fits. Each fix is told in words, because the user
 * sees what was changed.
 */
export function fixArguments(
  schema: unknown,
  args: JsonObject,
): { args: JsonObject; fixes: Words[] } {
  const guarded = isRecord(schema) ? guardSchema(schema) : undefined;
  if (guarded?.ok !== true) return { args, fixes: [] };
  const work: Work = { fixes: [], tries: { left: MAX_TRIES } };
  const fixed = fixValue(resolveRefs(guarded.schema), args, '', work, 0);
  return { args: isObject(fixed) ? fixed : args, fixes: work.fixes.slice(0, MAX_FIXES) };
}

interface Work {
  fixes: Words[];
  tries: { left: number };
}

const UNIONS = ['anyOf', 'oneOf'] as const;
const UNION_KEYS: ReadonlySet<string> = new Set(UNIONS);
const ALL: ReadonlySet<string> = new Set(['allOf']);

function fixValue(
  declared: JsonSchema,
  value: JsonValue,
  path: string,
  work: Work,
  depth: number,
): JsonValue {
  if (depth > MAX_DEPTH) return value;
  const schema = withAll(declared);
  const members = UNIONS.flatMap((key) => membersOf(schema, key)).slice(0, MAX_MEMBERS);
  if (members.length === 0) return fixPlain(schema, value, path, work, depth);
  if (doesFit(schema, value, work)) return value;
  const base = without(schema, UNION_KEYS);
  let best: { value: JsonValue; work: Work; lost: number } | undefined;
  for (const member of members) {
    const tried: Work = { fixes: [], tries: work.tries };
    const one = mergeSchemas(member, base);
    const mended = fixValue(one, value, path, tried, depth + 1);
    const lost = tried.fixes.filter(({ said }) => said?.code === 'fix-unknown').length;
    if (mended === value || lost >= (best?.lost ?? Number.POSITIVE_INFINITY)) continue;
    if (doesFit(one, mended, work)) best = { value: mended, work: tried, lost };
  }
  if (best === undefined) return fixPlain(schema, value, path, work, depth);
  work.fixes.push(...best.work.fixes);
  return best.value;
}

/** What `allOf` says is said of the value itself. */
function withAll(declared: JsonSchema): JsonSchema {
  const members = membersOf(declared, 'allOf');
  if (members.length === 0) return declared;
  const schema = members.reduce(mergeSchemas, without(declared, ALL));
  // What is left of a reference that leads nowhere may have named anything.
  if (members.some(saysNothing)) schema['additionalProperties'] ??= true;
  return schema;
}

const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default']);
const saysNothing = (schema: JsonSchema): boolean =>
  Object.keys(schema).every((key) => ANNOTATIONS.has(key));

/** Past the bound everything fits: what cannot be looked at is not mended. */
function doesFit(schema: JsonSchema, value: JsonValue, work: Work): boolean {
  return --work.tries.left < 0 || fits(schema, value);
}

/** By everything a schema says but its unions, of which only the names count. */
function fixPlain(
  schema: JsonSchema,
  value: JsonValue,
  path: string,
  work: Work,
  depth: number,
): JsonValue {
  const types = typesOf(schema);
  const typed =
    types.length === 0 || types.some((t) => isOf(value, t)) ? value : convert(types, value);
  if (typed !== value) work.fixes.push(say('fix-value', show(value), show(typed), path));
  const choice = chosen(schema, typed);
  if (choice !== typed) work.fixes.push(say('fix-value', show(typed), show(choice), path));
  if (isObject(choice)) return fixObject(schema, choice, path, work, depth);
  return Array.isArray(choice) ? fixItems(schema, choice, path, work, depth) : choice;
}

function fixItems(
  schema: JsonSchema,
  list: JsonValue[],
  path: string,
  work: Work,
  depth: number,
): JsonValue[] {
  const { items, prefixItems } = schema;
  const places = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
  const rest = Array.isArray(items) ? undefined : items;
  return list.map((item, at) => {
    const place = at < places.length ? places[at] : rest;
    return isObject(place)
      ? fixValue(place, item, within(path, String(at)), work, depth + 1)
      : item;
  });
}

function fixObject(
  schema: JsonSchema,
  args: JsonObject,
  path: string,
  work: Work,
  depth: number,
): JsonObject {
  const names: Names = { schemas: new Map(), open: false, more: undefined };
  collectNames(names, schema, 0);
  const required = stringsAt(schema, 'required');
  const out: JsonObject = {};
  for (const [written, value] of Object.entries(args)) {
    const name = declaredName(names, written, args);
    if (name === undefined) {
      if (names.open || names.schemas.size === 0) {
        const kept = names.more
          ? fixValue(names.more, value, within(path, written), work, depth + 1)
          : value;
        setOwn(out, written, kept);
      } else work.fixes.push(say('fix-unknown', short(within(path, written))));
      continue;
    }
    if (name !== written) work.fixes.push(say('fix-name', short(written), short(name)));
    const at = within(path, name);
    const inner = schemaOf(names.schemas.get(name) ?? []);
    const before = work.fixes.length;
    const mended = fixValue(inner, value, at, work, depth + 1);
    if (isNothing(mended) && !required.includes(name) && !doesFit(inner, mended, work)) {
      work.fixes.length = before;
      work.fixes.push(say(mended === '' ? 'fix-empty' : 'fix-null', short(at)));
    } else setOwn(out, name, mended);
  }
  return out;
}

/** The argument names a schema knows, with what it says of each. */
interface Names {
  schemas: Map<string, JsonSchema[]>;
  /** It takes more than it names. */
  open: boolean;
  more: JsonSchema | undefined;
}

const TABLES = ['dependentSchemas', 'dependencies'] as const;

function collectNames(names: Names, schema: JsonSchema, depth: number): void {
  const add = (name: string, property: JsonValue): void => {
    const known = names.schemas.get(name) ?? [];
    names.schemas.set(name, isObject(property) ? [...known, property] : known);
  };
  for (const key of ['properties', 'dependentRequired', ...TABLES]) {
    const table = schema[key];
    if (!isObject(table)) continue;
    for (const [name, value] of Object.entries(table)) {
      add(name, key === 'properties' ? value : true);
      if (Array.isArray(value)) for (const other of stringsAt(table, name)) add(other, true);
    }
  }
  for (const name of stringsAt(schema, 'required')) add(name, true);
  for (const key of ['additionalProperties', 'unevaluatedProperties']) {
    const more = schema[key];
    names.open ||= more === true || isObject(more);
    if (isObject(more)) names.more ??= more;
  }
  names.open ||= ['patternProperties', 'propertyNames'].some((key) => schema[key] !== undefined);
  if (depth > MAX_DEPTH) return;
  const inner = [
    ...['allOf', ...UNIONS].flatMap((key) => membersOf(schema, key)),
    ...['if', 'then', 'else'].map((key) => schema[key]),
    ...TABLES.flatMap((key) => (isObject(schema[key]) ? Object.values(schema[key]) : [])),
  ].filter(isObject);
  for (const part of inner) {
    names.open ||= saysNothing(part);
    collectNames(names, part, depth + 1);
  }
}

/** What is said of one argument: anything of several, as they may hold under different conditions. */
function schemaOf(schemas: readonly JsonSchema[]): JsonSchema {
  const said = schemas.filter((schema) => Object.keys(schema).length > 0);
  const [first = {}, ...others] = said;
  return others.length === 0 ? first : { anyOf: said };
}

/** The declared name that was meant, if it is the only one alike and not given as well. */
function declaredName(names: Names, written: string, args: object): string | undefined {
  if (names.schemas.has(written)) return written;
  const wanted = loose(written);
  const alike = [...names.schemas.keys()].filter((name) => loose(name) === wanted);
  const [only] = alike;
  return alike.length === 1 && only !== undefined && !Object.hasOwn(args, only) ? only : undefined;
}

const loose = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function typesOf(schema: JsonSchema): readonly string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return stringsAt(schema, 'type');
  if (isObject(schema['properties'])) return ['object'];
  return isObject(schema['items']) ? ['array'] : [];
}

function isOf(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'null':
      return value === null;
    default:
      return true;
  }
}

/** The value in one of the wanted types, where that loses nothing; else the value itself. */
function convert(types: readonly string[], value: JsonValue): JsonValue {
  for (const type of types) {
    const fixed = convertTo(type, value);
    if (fixed !== undefined && isOf(fixed, type)) return fixed;
  }
  return value;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

function convertTo(type: string, value: JsonValue): JsonValue | undefined {
  if (type === 'array') {
    if (isNothing(value)) return undefined;
    const listed = typeof value === 'string' ? readListed(value, newRepairBudget()) : undefined;
    return listed === undefined ? [value] : listed.value;
  }
  if (Array.isArray(value)) {
    const [only] = value;
    return value.length === 1 && only !== undefined ? only : undefined;
  }
  if (type === 'string') {
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  }
  if (typeof value !== 'string') {
    return type === 'boolean' && (value === 0 || value === 1) ? value === 1 : undefined;
  }
  const text = value.trim();
  if (type === 'integer' || type === 'number') {
    return NUMBER.test(text) && isExact(text) ? Number(text) : undefined;
  }
  if (type === 'boolean') {
    return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined;
  }
  if (type === 'null') return isNothing(value) && text !== '' ? null : undefined;
  return type === 'object' ? readObjectText(text, newRepairBudget()) : undefined;
}

/** The enum's own spelling of a value that differs from it in case or separators only. */
function chosen(schema: JsonSchema, value: JsonValue): JsonValue {
  const { enum: listed, const: only } = schema;
  const choices = Array.isArray(listed) ? listed : only === undefined ? [] : [only];
  if (choices.length === 0 || choices.includes(value)) return value;
  if (typeof value === 'object') return value;
  const alike = choices.filter(
    (choice) => typeof choice !== 'object' && loose(String(choice)) === loose(String(value)),
  );
  return loose(String(value)) !== '' && alike.length === 1 && alike[0] !== undefined
    ? alike[0]
    : value;
}

const short = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
const within = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);
const show = (value: JsonValue): SaidValue => short(JSON.stringify(value));
