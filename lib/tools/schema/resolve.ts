import type { JsonSchema, JsonValue } from '../tool';
import { mergeSchemas } from './merge';
import { isObject, mapSubschemas, opened, without } from './walk';

/** Subschemas a resolved schema may grow to: definitions that refer to each other twice grow without end. */
const MAX_NODES = 5_000;
/** Nesting of references within references. */
const MAX_CHAIN = 32;

const TABLES = new Set(['$defs', 'definitions']);
const REFERENCE = new Set(['$ref']);

interface Resolution {
  root: JsonSchema;
  nodes: number;
  /** The references being followed at this point, outermost first. */
  chain: string[];
}

/**
 * `schema` with every local `$ref` replaced by what it points to and the definition tables dropped.
 * A reference that is remote, leads nowhere or back into itself becomes an open schema that keeps
 * its title, description and default: never a guessed type. Growth is bounded.
 */
export function resolveRefs(schema: JsonSchema): JsonSchema {
  return without(resolveNode(schema, { root: schema, nodes: 0, chain: ['#'] }), TABLES);
}

/** Members of compositions followed to show a root's arguments. */
const MAX_MEMBERS = 256;

/**
 * `schema` with the references followed that stand for the root value itself: its own and those of
 * its `allOf`/`anyOf`/`oneOf` members. The least that shows a tool's arguments.
 */
export function resolveSurface(schema: JsonSchema): JsonSchema {
  return surfaceNode(schema, { root: schema, nodes: 0, chain: [] });
}

function surfaceNode(schema: JsonSchema, at: Resolution): JsonSchema {
  let node = schema;
  const chain = [...at.chain];
  while (typeof node['$ref'] === 'string') {
    const ref = node['$ref'];
    const target = chain.includes(ref) ? undefined : lookUp(at.root, ref);
    node = without(node, REFERENCE);
    if (target !== undefined) node = mergeSchemas(node, target);
    chain.push(ref);
  }
  const inner = { ...at, chain };
  const copy: JsonSchema = { ...node };
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const members = node[keyword];
    if (!Array.isArray(members) || chain.length >= MAX_CHAIN) continue;
    copy[keyword] = members.map((member) => {
      if (!isObject(member) || ++at.nodes > MAX_MEMBERS) return member;
      inner.nodes = at.nodes;
      const seen = surfaceNode(member, inner);
      at.nodes = inner.nodes;
      return seen;
    });
  }
  return copy;
}

function resolveNode(schema: JsonSchema, at: Resolution): JsonSchema {
  if (++at.nodes > MAX_NODES) return opened(schema);
  const ref = schema['$ref'];
  if (typeof ref === 'string') return follow(schema, ref, at);
  return mapSubschemas(schema, 0, (item, place) =>
    TABLES.has(place.keyword) ? {} : resolveNode(item, at),
  );
}

function follow(schema: JsonSchema, ref: string, at: Resolution): JsonSchema {
  const siblings = without(schema, REFERENCE);
  const target = at.chain.includes(ref) ? undefined : lookUp(at.root, ref);
  if (target === undefined || at.chain.length >= MAX_CHAIN) return opened(schema);
  at.chain.push(ref);
  const resolved = resolveNode(without(target, TABLES), at);
  at.chain.pop();
  const own = Object.keys(siblings).length > 0 ? resolveNode(siblings, at) : siblings;
  return mergeSchemas(own, resolved);
}

/** The schema a local reference points to: a JSON pointer (`#/$defs/Size`) or the root (`#`). */
function lookUp(root: JsonSchema, ref: string): JsonSchema | undefined {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let value: JsonValue | undefined = root;
  for (const part of ref.slice(2).split('/')) {
    const key = decode(part);
    if (key === undefined) return undefined;
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  // `true` is a schema too: it takes anything.
  if (value === true) return {};
  return isObject(value) ? value : undefined;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
