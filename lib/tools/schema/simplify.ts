import { setOwn } from '../own-data';
import type { JsonSchema, JsonValue } from '../tool';
import { mergeSchemas } from './merge';
import { isObject, mapSubschemas, typesOf, without } from './walk';

export interface Simplification {
  /** Turn `["string", "null"]` into `"string"`; where the model's own format wants both, leave them. */
  collapseNullable: boolean;
}

const CONST = new Set(['const']);

/**
 * The same schema in fewer forms, at every level: `const` as a one-value `enum`, a union with one
 * member that is not null as that member, a union of literals of one type as an `enum`, a one-member
 * `allOf` as that member.
 */
export function simplifySchema(schema: JsonSchema, options: Simplification): JsonSchema {
  return simplifyNode(schema, 0, options);
}

function simplifyNode(schema: JsonSchema, depth: number, options: Simplification): JsonSchema {
  let node = mapSubschemas(schema, depth, (item, place) =>
    simplifyNode(item, place.depth, options),
  );
  if (node['const'] !== undefined) {
    const value = node['const'];
    node = without(node, CONST);
    node['enum'] ??= [value];
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) node = simplifyUnion(node, keyword);
  if (options.collapseNullable) node = collapseNullable(node);
  return node;
}

function simplifyUnion(node: JsonSchema, keyword: string): JsonSchema {
  const list = node[keyword];
  if (!Array.isArray(list)) return node;
  const members = keyword === 'allOf' ? list : list.filter((member) => !isNullSchema(member));
  const [only, ...others] = members;
  if (isObject(only) && others.length === 0) {
    return mergeSchemas(without(node, new Set([keyword])), only);
  }
  const literals = keyword === 'allOf' ? undefined : literalsOf(members);
  if (literals === undefined) return node;
  const merged = without(node, new Set([keyword]));
  merged['type'] ??= literals.type;
  const narrowed = Array.isArray(node['enum']) ? node['enum'] : literals.values;
  setOwn(merged, 'enum', narrowed);
  return merged;
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

function collapseNullable(node: JsonSchema): JsonSchema {
  const types = typesOf(node);
  if (!Array.isArray(node['type']) || !types.includes('null')) return node;
  const [only, ...others] = types.filter((type) => type !== 'null');
  if (only === undefined || others.length > 0) return node;
  const collapsed: JsonSchema = { ...node, type: only };
  const choices = collapsed['enum'];
  if (!Array.isArray(choices)) return collapsed;
  return { ...collapsed, enum: choices.filter((choice) => choice !== null) };
}
