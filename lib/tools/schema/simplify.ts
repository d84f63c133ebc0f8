import { setOwn } from '../own-data';
import type { JsonObject, JsonSchema, JsonValue } from '../tool';
import { mergeSchemas } from './merge';
import { isObject, mapSubschemas, stringsAt, typesOf, without } from './walk';

export interface Simplification {
  /**
   * Turn `["string", "null"]` into `"string"` where the value may be left out instead: everywhere but
   * in required arguments. Where the model's own format wants both, leave them.
   */
  collapseNullable: boolean;
}

const CONST = new Set(['const']);

/**
 * The same schema in fewer forms, at every level: `const` as a one-value `enum`, a union with one
 * member that is not null as that member, a union of literals of one type as an `enum`, a one-member
 * `allOf` as that member.
 */
export function simplifySchema(schema: JsonSchema, options: Simplification): JsonSchema {
  const simple = simplifyNode(schema, 0, options);
  return options.collapseNullable ? withoutNull(simple) : simple;
}

function simplifyNode(schema: JsonSchema, depth: number, options: Simplification): JsonSchema {
  const { collapseNullable } = options;
  const node = mapSubschemas(schema, depth, (item, place) => {
    const simple = simplifyNode(item, place.depth, options);
    // Of an argument, the object says whether it is needed; of a member of a union, the union.
    const isPart = place.keyword === 'properties' || UNIONS.has(place.keyword);
    return collapseNullable && !isPart ? withoutNull(simple) : simple;
  });
  if (isObject(node['properties']) && collapseNullable) {
    const needed = stringsAt(node, 'required');
    const properties: JsonObject = {};
    for (const [name, property] of Object.entries(node['properties'])) {
      const optional = isObject(property) && !needed.includes(name);
      setOwn(properties, name, optional ? withoutNull(property) : property);
    }
    node['properties'] = properties;
  }
  return simplifyForms(node);
}

function simplifyForms(schema: JsonSchema): JsonSchema {
  let node = schema;
  if (node['const'] !== undefined) {
    const value = node['const'];
    node = without(node, CONST);
    node['enum'] ??= [value];
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) node = simplifyUnion(node, keyword);
  return simplifyBounds(node);
}

const WHOLE = 'integer';
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const;

/** Bounds that any number a double holds keeps to are gone; those of whole numbers include their end. */
function simplifyBounds(schema: JsonSchema): JsonSchema {
  if (!BOUNDS.some((key) => typeof schema[key] === 'number')) return schema;
  const node = { ...schema };
  const types = typesOf(node).filter((type) => type !== 'null');
  if (types.length === 1 && types[0] === WHOLE) {
    includeEnd(node, 'exclusiveMinimum', 'minimum', (n) => Math.floor(n) + 1, Math.max);
    includeEnd(node, 'exclusiveMaximum', 'maximum', (n) => Math.ceil(n) - 1, Math.min);
  }
  for (const key of BOUNDS) {
    const bound = node[key];
    if (typeof bound === 'number' && Math.abs(bound) >= Number.MAX_SAFE_INTEGER) delete node[key];
  }
  return node;
}

function includeEnd(
  node: JsonSchema,
  from: 'exclusiveMinimum' | 'exclusiveMaximum',
  to: 'minimum' | 'maximum',
  moved: (bound: number) => number,
  stricter: (a: number, b: number) => number,
): void {
  const bound = node[from];
  if (typeof bound !== 'number') return;
  const other = node[to];
  node[to] = typeof other === 'number' ? stricter(other, moved(bound)) : moved(bound);
  delete node[from];
}

const UNIONS = new Set(['anyOf', 'oneOf', 'allOf']);

function simplifyUnion(node: JsonSchema, keyword: string): JsonSchema {
  const list = node[keyword];
  if (!Array.isArray(list)) return node;
  const members = keyword === 'allOf' ? list : list.filter((member) => !isNullSchema(member));
  const takesNull = members.length < list.length;
  const rest = without(node, new Set([keyword]));
  const [only, ...others] = members;
  if (isObject(only) && others.length === 0) {
    const merged = mergeSchemas(rest, only);
    if (!takesNull) return merged;
    return withNull(merged) ?? node;
  }
  const literals = keyword === 'allOf' ? undefined : literalsOf(members);
  if (literals === undefined) return node;
  const type = rest['type'] ?? literals.type;
  const narrowed = Array.isArray(node['enum']) ? node['enum'] : literals.values;
  setOwn(rest, 'type', type);
  setOwn(rest, 'enum', narrowed);
  return takesNull ? (withNull(rest) ?? node) : rest;
}

/** The same or `null`, where that needs no union. */
function withNull(schema: JsonSchema): JsonSchema | undefined {
  const types = typesOf(schema);
  if (types.length === 0) return undefined;
  const { enum: choices } = schema;
  const node: JsonSchema = { ...schema, type: [...new Set([...types, 'null'])] };
  if (Array.isArray(choices) && !choices.includes(null)) node['enum'] = [...choices, null];
  return node;
}

const isNullSchema = (member: JsonValue): boolean =>
  isObject(member) &&
  (member['type'] === 'null' || (Array.isArray(member['enum']) && isOnlyNull(member['enum'])));

const isOnlyNull = (values: readonly JsonValue[]): boolean =>
  values.length === 1 && values[0] === null;

function literalsOf(
  members: readonly JsonValue[],
): { type: string; values: JsonValue[] } | undefined {
  const values: JsonValue[] = [];
  for (const member of members) {
    const choices = isObject(member) ? member['enum'] : undefined;
    if (!Array.isArray(choices)) return undefined;
    for (const value of choices) if (!values.includes(value)) values.push(value);
  }
  const [first] = values;
  const type = typeof first;
  if (type !== 'string' && type !== 'number' && type !== 'boolean') return undefined;
  return values.every((value) => typeof value === type) ? { type, values } : undefined;
}

/** Without `null`, where one other form is left: who may leave an argument out need not be told of it. */
function withoutNull(node: JsonSchema): JsonSchema {
  for (const keyword of ['anyOf', 'oneOf']) {
    const list = node[keyword];
    const members = Array.isArray(list) ? list.filter((member) => !isNullSchema(member)) : [];
    const [only, ...others] = members;
    if (isObject(only) && others.length === 0) {
      return mergeSchemas(without(node, new Set([keyword])), only);
    }
  }
  const types = typesOf(node);
  if (!Array.isArray(node['type']) || !types.includes('null')) return node;
  const [only, ...others] = types.filter((type) => type !== 'null');
  if (only === undefined || others.length > 0) return node;
  const collapsed: JsonSchema = { ...node, type: only };
  const choices = collapsed['enum'];
  if (!Array.isArray(choices)) return collapsed;
  return { ...collapsed, enum: choices.filter((choice) => choice !== null) };
}
