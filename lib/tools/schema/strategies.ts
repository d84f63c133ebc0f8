import { setOwn } from '../own-data';
import type { JsonObject, JsonSchema, JsonValue } from '../tool';
import { isObject, mapSubschemas, without } from './walk';

/**
 * Whose reading of JSON Schema a schema is written for.
 * - `openai`: everything stays
 * - `anthropic`: no identifiers and definition tables
 * - `conservative`: as `anthropic`, and no `additionalProperties`
 * - `gemini`: structure, types, choices and descriptions only
 * - `prompt-api`: Chrome's `responseConstraint`, which rejects the whole schema for one keyword it
 *   does not know (`oneOf`, `not`, `if`, `uniqueItems`, unknown types: seen in Chromium 156)
 */
export type SchemaStrategy = 'openai' | 'anthropic' | 'conservative' | 'gemini' | 'prompt-api';

const IDENTIFIERS = [
  '$schema',
  '$id',
  'id',
  '$ref',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$vocabulary',
  '$comment',
  '$defs',
  'definitions',
];

const DROPPED: Record<Exclude<SchemaStrategy, 'prompt-api'>, ReadonlySet<string>> = {
  openai: new Set(),
  anthropic: new Set(IDENTIFIERS),
  conservative: new Set([...IDENTIFIERS, 'additionalProperties']),
  gemini: new Set([
    ...IDENTIFIERS,
    'additionalProperties',
    'patternProperties',
    'minLength',
    'maxLength',
    'pattern',
    'format',
    'minimum',
    'maximum',
    'multipleOf',
    'minItems',
    'maxItems',
    'uniqueItems',
    'minProperties',
    'maxProperties',
    'examples',
  ]),
};

/** Whether a strategy reads `["string", "null"]` as written. */
export const keepsNullable = (strategy: SchemaStrategy | undefined): boolean =>
  strategy === 'openai' || strategy === 'prompt-api';

/** `schema` without what the strategy's reader rejects or ignores, at every level. */
export function stripKeywords(schema: JsonSchema, strategy: SchemaStrategy): JsonSchema {
  if (strategy === 'prompt-api') return constrain(schema);
  const dropped = DROPPED[strategy];
  if (dropped.size === 0) return schema;
  return mapSubschemas(without(schema, dropped), 0, (item) => stripKeywords(item, strategy));
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
/** Formats whose acceptance was seen; an unknown one rejects the schema. */
const FORMATS = new Set(['date']);
/** Groups other than plain ones, back references and classes a linear-time regular expression engine lacks. */
const EXOTIC_PATTERN =
  /\(\?(?!:)|\\[^dswDSW.\\/()[\]{}+*?|^$-]|\[\^?\]|(?!^)(?<![\\[])\^|(?<!\\)\$(?!$)/;
const MAX_PATTERN = 200;
/** Counts and bounds beyond these are refused, or no decoder's business. */
const MOST_COUNTED = 1_000_000;

function constrain(schema: JsonSchema): JsonSchema {
  const node: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    const kept = CONSTRAINT_KEYWORDS[key]?.(value);
    if (kept !== undefined) setOwn(node, key, kept);
  }
  // `oneOf` demands exactly one match; `anyOf` is the nearest the decoder knows, and validation is stricter.
  const either = node['anyOf'] === undefined ? schemas(schema['oneOf']) : undefined;
  if (either !== undefined) node['anyOf'] = either;
  return mapSubschemas(node, 0, constrain);
}

type Kept = (value: JsonValue) => JsonValue | undefined;

const words: Kept = (value) => (typeof value === 'string' ? value.toWellFormed() : undefined);
const bound: Kept = (value) =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined;
const count: Kept = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_COUNTED
    ? value
    : undefined;

const pattern: Kept = (value) => {
  if (typeof value !== 'string' || value.length > MAX_PATTERN) return undefined;
  if (EXOTIC_PATTERN.test(value) || !value.isWellFormed()) return undefined;
  try {
    new RegExp(value, 'u');
    return value;
  } catch {
    return undefined;
  }
};

const types: Kept = (value) => {
  const known = (Array.isArray(value) ? value : [value]).filter(
    (type): type is string => typeof type === 'string' && TYPES.has(type),
  );
  return Array.isArray(value) && known.length > 1 ? known : known[0];
};

/** The values that are text a decoder can be given. */
const choices: Kept = (value) => {
  const kept = Array.isArray(value) ? value.filter(isWritable) : [];
  return kept.length > 0 ? kept : undefined;
};
/** JSON writes half a surrogate pair as an escape, which the decoder refuses. */
const isWritable = (value: JsonValue): boolean => !/\\ud[89a-f]/.test(JSON.stringify(value));

/** Schemas by name; what is none takes anything. */
const table =
  (isName: (name: string) => boolean): Kept =>
  (value) => {
    if (!isObject(value)) return undefined;
    const kept: JsonObject = {};
    for (const [name, item] of Object.entries(value)) {
      if (isName(name)) setOwn(kept, name, isObject(item) ? item : {});
    }
    return kept;
  };

/** A union is one of its members; where one of them is no schema, nothing is known of the others. */
const schemas = (value: JsonValue | undefined): JsonValue | undefined =>
  Array.isArray(value) && value.length > 0 && value.every(isObject) ? value : undefined;

/** Keywords seen to be accepted by Chromium 156's constrained decoding, and which of their values; anything else goes. */
const CONSTRAINT_KEYWORDS: { readonly [keyword: string]: Kept | undefined } = {
  type: types,
  enum: choices,
  const: (value) => (isWritable(value) ? value : undefined),
  properties: table((name) => name.isWellFormed()),
  required: (value) =>
    Array.isArray(value)
      ? value.filter((name) => typeof name === 'string' && name.isWellFormed())
      : undefined,
  additionalProperties: (value) =>
    typeof value === 'boolean' || isObject(value) ? value : undefined,
  patternProperties: table((name) => pattern(name) !== undefined),
  anyOf: schemas,
  // A list of schemas per position is an older spelling that the decoder refuses.
  items: (value) => (isObject(value) ? value : undefined),
  minItems: count,
  maxItems: count,
  minLength: count,
  maxLength: count,
  pattern,
  format: (value) => (typeof value === 'string' && FORMATS.has(value) ? value : undefined),
  minimum: bound,
  maximum: bound,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: (value) => (typeof value === 'number' && value > 0 ? bound(value) : undefined),
  description: words,
  title: words,
};
