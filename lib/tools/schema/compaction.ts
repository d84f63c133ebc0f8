import { setOwn } from '../own-data';
import type { JsonObject, JsonSchema, JsonValue } from '../tool';
import { liftSurface } from './merge';
import { resolveSurface } from './resolve';
import { jsonBytes } from './size';
import {
  isObject,
  isObjectSchema,
  mapSubschemas,
  objectAt,
  surfaceOf,
  typesOf,
  without,
} from './walk';

/**
 * The rungs of the ladder, in the order in which they are tried. Every one but the last keeps the
 * names of the top-level arguments and which of them are required; `open` keeps the required ones,
 * whatever they cost, and as many of the others as fit.
 */
export const RUNGS = [
  'whole',
  'definitions-pruned',
  'nested-descriptions',
  'all-descriptions',
  'references-opened',
  'deep-collapsed',
  'compositions-dropped',
  'names-and-types',
  'open',
] as const;
export type Rung = (typeof RUNGS)[number];

export interface Compacted {
  schema: JsonSchema;
  /** The last rung taken; `whole` where the schema fitted as it was. */
  rung: Rung;
  bytes: number;
}

type Step = (schema: JsonSchema, maxBytes: number) => JsonSchema;

const LADDER: readonly (readonly [Rung, Step])[] = [
  ['definitions-pruned', pruneDefinitions],
  ['nested-descriptions', (schema) => stripDescriptions(schema, 0, 2)],
  ['all-descriptions', (schema) => stripDescriptions(schema, 0, 1)],
  ['references-opened', openReferences],
  ['deep-collapsed', (schema) => collapseDeep(schema, 0)],
  ['compositions-dropped', dropCompositions],
  ['names-and-types', namesAndTypes],
  ['open', firstNames],
];

/**
 * `schema` shrunk rung by rung until its compact JSON fits `maxBytes`. Only removes constraints, so
 * it never forbids what the tool takes. Expects a guarded schema; leaves it alone.
 */
export function compactToFit(schema: JsonSchema, maxBytes: number): Compacted {
  let result: Compacted = { schema, rung: 'whole', bytes: jsonBytes(schema) };
  for (const [rung, step] of LADDER) {
    if (result.bytes <= maxBytes) return result;
    const shrunk = step(result.schema, maxBytes);
    result = { schema: shrunk, rung, bytes: jsonBytes(shrunk) };
  }
  return result;
}

const TABLES = ['$defs', 'definitions'] as const;
const TABLE_KEYS: ReadonlySet<string> = new Set(TABLES);

function pruneDefinitions(schema: JsonSchema): JsonSchema {
  const reached = reachableDefinitions(schema);
  const pruned: JsonSchema = { ...schema };
  for (const table of TABLES) {
    if (!isObject(schema[table])) continue;
    const kept: JsonObject = {};
    for (const [name, item] of Object.entries(objectAt(schema, table))) {
      if (reached.has(`${table}/${name}`)) setOwn(kept, name, item);
    }
    if (Object.keys(kept).length > 0) pruned[table] = kept;
    else delete pruned[table];
  }
  return pruned;
}

function reachableDefinitions(schema: JsonSchema): Set<string> {
  const reached = new Set<string>();
  const waiting: JsonSchema[] = [without(schema, TABLE_KEYS)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const id of referencedDefinitions(next)) {
      if (reached.has(id)) continue;
      reached.add(id);
      const [table = '', name = ''] = splitOnce(id);
      const definitions = objectAt(schema, table);
      const target = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
      if (isObject(target)) waiting.push(target);
    }
  }
  return reached;
}

const splitOnce = (id: string): [string, string] => {
  const at = id.indexOf('/');
  return [id.slice(0, at), id.slice(at + 1)];
};

function referencedDefinitions(schema: JsonSchema): string[] {
  const found: string[] = [];
  const look = (node: JsonSchema): JsonSchema => {
    const ref = node['$ref'];
    if (typeof ref === 'string') {
      const [, table, name] = /^#\/(\$defs|definitions)\/([^/]+)/.exec(ref) ?? [];
      if (table !== undefined && name !== undefined) {
        found.push(`${table}/${fromPointer(name)}`);
      }
    }
    return mapSubschemas(node, 0, look);
  };
  look(schema);
  return found;
}

const fromPointer = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');

const DESCRIPTION = new Set(['description']);

/** Descriptions gone from `from` levels below the root on; the root's own stays. */
function stripDescriptions(schema: JsonSchema, depth: number, from: number): JsonSchema {
  const node = depth >= from ? without(schema, DESCRIPTION) : schema;
  return mapSubschemas(node, depth, (item, place) => stripDescriptions(item, place.depth, from));
}

const REFERENCE = new Set(['$ref']);

function openReferences(schema: JsonSchema): JsonSchema {
  const open = (node: JsonSchema): JsonSchema => {
    const kept = without(node, new Set([...REFERENCE, ...TABLE_KEYS]));
    return mapSubschemas(kept, 0, open);
  };
  return open(resolveSurface(schema));
}

/** Objects three levels down and deeper say only that they are objects. */
const DEEPEST_OBJECT = 3;

function collapseDeep(schema: JsonSchema, depth: number): JsonSchema {
  if (depth >= DEEPEST_OBJECT && isObjectSchema(schema)) {
    const { description } = schema;
    return description === undefined ? { type: 'object' } : { type: 'object', description };
  }
  return mapSubschemas(schema, depth, (item, place) => collapseDeep(item, place.depth));
}

const COMPOSITIONS = new Set([
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);

function dropCompositions(schema: JsonSchema): JsonSchema {
  const drop = (node: JsonSchema): JsonSchema =>
    mapSubschemas(without(node, COMPOSITIONS), 0, drop);
  return drop(liftSurface(schema));
}

/** `{a: string, b}`: what is left when nothing else fits. */
function namesAndTypes(schema: JsonSchema): JsonSchema {
  const { properties, required } = surfaceOf(schema);
  const bare: JsonObject = {};
  for (const [name, property] of Object.entries(properties)) setOwn(bare, name, typeOnly(property));
  const result: JsonSchema = { type: 'object', properties: bare };
  if (required.length > 0) result['required'] = required;
  return result;
}

/** The required arguments, then the others in the page's order for as long as there is room. */
function firstNames(schema: JsonSchema, maxBytes: number): JsonSchema {
  const { properties, required } = surfaceOf(schema);
  const kept: JsonObject = {};
  for (const name of required) setOwn(kept, name, properties[name] ?? {});
  const result: JsonSchema = { type: 'object', properties: kept };
  if (required.length > 0) result['required'] = required;
  let bytes = jsonBytes(result);
  for (const [name, property] of Object.entries(properties)) {
    if (Object.hasOwn(kept, name)) continue;
    bytes += jsonBytes({ [name]: property });
    if (bytes > maxBytes) break;
    setOwn(kept, name, property);
  }
  return Object.keys(kept).length > 0 ? result : { type: 'object' };
}

function typeOnly(property: JsonValue): JsonSchema {
  const [type] = isObject(property) ? typesOf(property) : [];
  return type === undefined || type.length > 20 ? {} : { type };
}
