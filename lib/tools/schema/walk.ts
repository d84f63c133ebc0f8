import { isRecord, setOwn } from '../own-data';
import type { JsonObject, JsonSchema, JsonValue } from '../tool';

/**
 * Which keywords of a schema hold further schemas. Everything else under a schema is data (`enum`,
 * `default`, `examples`) or names (`required`), and a key there that looks like a keyword is none.
 */
const SINGLE = new Set([
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

/** Keywords that say more about the same value; all others lead one level down. */
const SAME_VALUE = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  '$defs',
  'definitions',
]);

/** Where a subschema stands: the keyword that holds it and how far below the root's value it speaks. */
interface Place {
  keyword: string;
  depth: number;
}

export type Visit = (schema: JsonSchema, place: Place) => JsonValue;

/**
 * A copy of `schema` in which `visit` has replaced every direct subschema. `depth` is the depth of
 * `schema` itself: the root is 0, `properties` and `items` lead one down, compositions do not.
 * Boolean subschemas stay as they are.
 */
export function mapSubschemas(schema: JsonSchema, depth: number, visit: Visit): JsonSchema {
  const copy: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const place = { keyword, depth: SAME_VALUE.has(keyword) ? depth : depth + 1 };
    setOwn(
      copy,
      keyword,
      mapKeyword(keyword, value, (item) => asVisited(item, place, visit)),
    );
  }
  return copy;
}

function mapKeyword(
  keyword: string,
  value: JsonValue,
  visit: (item: JsonValue) => JsonValue,
): JsonValue {
  if (Array.isArray(value)) {
    return LISTS.has(keyword) || keyword === 'items' ? value.map(visit) : value;
  }
  if (!isObject(value)) return value;
  if (SINGLE.has(keyword)) return visit(value);
  if (!MAPS.has(keyword)) return value;
  const map: JsonObject = {};
  for (const [name, item] of Object.entries(value)) setOwn(map, name, visit(item));
  return map;
}

const asVisited = (item: JsonValue, place: Place, visit: Visit): JsonValue =>
  isObject(item) ? visit(item, place) : item;

/** As `isRecord`, for values already known to be JSON. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return isRecord(value);
}

/** The object under `key`, `{}` where there is none. */
export function objectAt(schema: JsonSchema, key: string): JsonObject {
  const value = Object.hasOwn(schema, key) ? schema[key] : undefined;
  return isObject(value) ? value : {};
}

/** The strings of the list under `key`, each once, in order. */
export function stringsAt(schema: JsonSchema, key: string): string[] {
  const value = Object.hasOwn(schema, key) ? schema[key] : undefined;
  if (!Array.isArray(value)) return [];
  return [...new Set(value.filter((item) => typeof item === 'string'))];
}

/** A schema's arguments: the properties of its root and which of them must be given. */
export function surfaceOf(schema: JsonSchema): { properties: JsonObject; required: string[] } {
  return { properties: objectAt(schema, 'properties'), required: stringsAt(schema, 'required') };
}

/** The types a schema names, in order; empty where it names none. */
export function typesOf(schema: JsonSchema): string[] {
  const { type } = schema;
  return typeof type === 'string' ? [type] : stringsAt(schema, 'type');
}

export const isObjectSchema = (schema: JsonSchema): boolean =>
  typesOf(schema).includes('object') || isObject(schema['properties']);

/** `schema` without some keywords; nested schemas are left alone. */
export function without(schema: JsonSchema, keywords: ReadonlySet<string>): JsonSchema {
  const copy: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!keywords.has(key)) setOwn(copy, key, value);
  }
  return copy;
}

/** What is left of a schema that cannot be followed: its annotations, nothing that constrains. */
export function opened(schema: JsonSchema): JsonSchema {
  const copy: JsonSchema = {};
  for (const key of ['title', 'description', 'default']) {
    const value = schema[key];
    if (value !== undefined) copy[key] = value;
  }
  return copy;
}

/** The object members of a list keyword such as `anyOf`. */
export function membersOf(schema: JsonSchema, keyword: string): JsonSchema[] {
  const value: JsonValue | undefined = schema[keyword];
  return Array.isArray(value) ? value.filter(isObject) : [];
}
