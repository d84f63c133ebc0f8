import type { SaidValue, Words } from '../../said/said';
import { say, sentences } from '../../said/say';
import { isRecord, ownValue } from '../../tools/own-data';
import { dropDeadReferences, type GuardedNode, ONE, TABLE } from './references';

/**
 * A schema that a validator may be given: a copy made of nothing but keywords of the right kind, with
 * local references that lead somewhere. Objects have no prototype, so that names such as
 * `constructor` are names.
 */
export interface GuardedSchema {
  schema: GuardedNode;
  draft: '7' | '2019-09' | '2020-12';
  /** Patterns by the node that demands them; the validator never sees them (it would hang). */
  patterns: Map<object, string>;
  /** What was taken out. */
  unchecked: Words[];
}

const MAX_NODES = 4000;
const MAX_DEPTH = 32;
const MAX_PATTERN = 500;
const MAX_NOTES = 8;

const isNumber = (v: unknown) => typeof v === 'number' && Number.isFinite(v);
const isCount = (v: unknown) => typeof v === 'number' && Number.isInteger(v) && v >= 0;
const isStrings = (v: unknown) => Array.isArray(v) && v.every((s) => typeof s === 'string');

/** Keywords copied as they are, where their value is of the kind the standard asks for. */
const PLAIN: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['enum', (v: unknown) => Array.isArray(v)],
  ['const', () => true],
  ['required', isStrings],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['multipleOf', (v: unknown) => typeof v === 'number' && Number.isFinite(v) && v > 0],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['minContains', isCount],
  ['maxContains', isCount],
  ['minProperties', isCount],
  ['maxProperties', isCount],
  ['uniqueItems', (v: unknown) => typeof v === 'boolean'],
]);
const LIST: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
/** Formats the validator checks in linear time. */
const FORMATS: ReadonlySet<string> = new Set([
  'date',
  'time',
  'date-time',
  'duration',
  'uri',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);
const TYPES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'null',
]);

interface Work {
  nodes: number;
  patterns: Map<object, string>;
  /** By their English: none is told twice. */
  notes: Map<string, Words>;
}

/** Copies what can be checked of a page's schema and says what cannot. Bounded, never throws. */
export function guardSchema(declared: unknown): GuardedSchema {
  const work: Work = { nodes: 0, patterns: new Map(), notes: new Map() };
  const schema = guardNode(declared, '', 0, work);
  const root = typeof schema === 'boolean' ? Object.create(null) : schema;
  if (dropDeadReferences(root)) {
    add(work, say('unchecked-reference'));
  }
  return {
    schema: root,
    draft: draftOf(declared),
    patterns: work.patterns,
    unchecked: [...work.notes.values()].slice(0, MAX_NOTES),
  };
}

function draftOf(declared: unknown): GuardedSchema['draft'] {
  const uri = isRecord(declared) ? ownValue(declared, '$schema') : undefined;
  if (typeof uri === 'string' && /draft-0[4-7]/.test(uri)) return '7';
  if (typeof uri === 'string' && uri.includes('2019-09')) return '2019-09';
  return '2020-12';
}

function guardNode(
  declared: unknown,
  path: string,
  depth: number,
  work: Work,
): GuardedNode | boolean {
  if (typeof declared === 'boolean') return declared;
  if (!isRecord(declared)) return true;
  if (++work.nodes > MAX_NODES || depth > MAX_DEPTH) {
    add(work, say('unchecked-size'));
    return true;
  }
  const node: GuardedNode = Object.create(null);
  for (const key of Object.keys(declared)) {
    copyKeyword(node, key, ownValue(declared, key), path, depth, work);
  }
  const hasPatterns = Object.hasOwn(declared, 'patternProperties');
  if (hasPatterns) note(work, path, say('part-pattern-names'));
  if (hasPatterns || work.nodes > MAX_NODES) {
    // Without all of the declared names these would refuse what the page allows.
    delete node['additionalProperties'];
    delete node['unevaluatedProperties'];
  }
  return node;
}

function copyKeyword(
  node: GuardedNode,
  key: string,
  value: unknown,
  path: string,
  depth: number,
  work: Work,
): void {
  const isPlain = PLAIN.get(key);
  if (isPlain !== undefined) {
    if (isPlain(value)) node[key] = bare(value);
    else note(work, path, say('part-declared-wrongly', key));
  } else if (ONE.has(key)) {
    node[key] = guardNode(value, path, depth + 1, work);
  } else if (LIST.has(key)) {
    if (Array.isArray(value) && value.length > 0) {
      node[key] = value.slice(0, MAX_NODES).map((item) => guardNode(item, path, depth + 1, work));
    }
  } else if (key === 'items') {
    copyItems(node, value, path, depth, work);
  } else if (TABLE.has(key)) {
    node[key] = guardTable(value, key === 'properties' ? path : `${path}`, key, depth, work);
  } else if (key === 'type') {
    const types = (Array.isArray(value) ? value : [value]).filter(
      (t) => typeof t === 'string' && TYPES.has(t),
    );
    if (types.length > 0) node['type'] = types.length === 1 ? types[0] : types;
    else note(work, path, say('part-type'));
  } else if (key === '$ref') {
    if (typeof value === 'string') node['$ref'] = value;
  } else if (key === 'pattern' || (key === 'format' && isRegex(value))) {
    if (typeof value === 'string' && value.length <= MAX_PATTERN) work.patterns.set(node, value);
    else note(work, path, say('part-long-pattern'));
  } else if (key === 'format') {
    if (typeof value === 'string' && FORMATS.has(value)) node['format'] = value;
    else if (value === 'url') node['format'] = 'uri';
  } else if (key === 'dependentRequired') {
    copyDependent(node, value);
  } else if (key === '$dynamicRef' || key === '$recursiveRef') {
    note(work, path, say('part-dynamic'));
  }
}

/** Chrome writes the pattern of a form's time or colour field into `format`. */
const isRegex = (format: unknown) => typeof format === 'string' && format.startsWith('^');

function copyItems(
  node: GuardedNode,
  value: unknown,
  path: string,
  depth: number,
  work: Work,
): void {
  if (!Array.isArray(value)) {
    node['items'] = guardNode(value, inside(path, '*'), depth + 1, work);
    return;
  }
  // The tuple of older drafts, said in the newer one's words.
  if (value.length === 0) return;
  node['prefixItems'] = value.map((item) => guardNode(item, inside(path, '*'), depth + 1, work));
}

function guardTable(
  value: unknown,
  path: string,
  key: string,
  depth: number,
  work: Work,
): GuardedNode {
  const table: GuardedNode = Object.create(null);
  if (!isRecord(value)) return table;
  for (const name of Object.keys(value)) {
    if (work.nodes > MAX_NODES) break;
    const at = key === 'properties' ? inside(path, name) : path;
    table[name] = guardNode(ownValue(value, name), at, depth + 1, work);
  }
  return table;
}

function copyDependent(node: GuardedNode, value: unknown): void {
  if (!isRecord(value)) return;
  const table: GuardedNode = Object.create(null);
  for (const name of Object.keys(value)) {
    const names = ownValue(value, name);
    if (isStrings(names)) table[name] = names;
  }
  node['dependentRequired'] = table;
}

const inside = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

function note(work: Work, path: string, part: Words): void {
  if (work.notes.size > MAX_NOTES) return;
  add(work, say('unchecked-part', where(path.slice(0, 60)), sentences([part])));
}

const add = (work: Work, words: Words) => void work.notes.set(words.text, words);

/** The argument at a path as a value of a sentence; the call as a whole where the path is empty. */
export const where = (path: string): SaidValue =>
  path === '' ? sentences([say('the-arguments')]) : `"${path}"`;

/** A copy without prototypes, for a validator that asks `key in value`. */
export function bare(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH * 2) return null;
  if (Array.isArray(value)) return value.map((item) => bare(item, depth + 1));
  if (!isRecord(value)) return value;
  const copy: GuardedNode = Object.create(null);
  for (const key of Object.keys(value)) copy[key] = bare(ownValue(value, key), depth + 1);
  return copy;
}
