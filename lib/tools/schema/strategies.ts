import { setOwn } from '../own-data';
import type { JsonSchema, JsonValue } from '../tool';
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

/** Keywords seen to be accepted by Chromium 156's constrained decoding; anything else goes. */
const CONSTRAINT_KEYWORDS = new Set([
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'anyOf',
  'items',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'description',
  'title',
]);
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
/** Formats whose acceptance was seen; an unknown one rejects the schema. */
const FORMATS = new Set(['date']);
/** Groups other than plain ones, back references and classes a linear-time regular expression engine lacks. */
const EXOTIC_PATTERN = /\(\?(?!:)|\\[1-9bBkpPuxc]/;
const MAX_PATTERN = 200;

function constrain(schema: JsonSchema): JsonSchema {
  const node: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    const kept = constrainKeyword(key, value);
    if (kept !== undefined) setOwn(node, key, kept);
  }
  // `oneOf` demands exactly one match; `anyOf` is the nearest the decoder knows, and validation is stricter.
  const either = schema['oneOf'];
  if (Array.isArray(either) && node['anyOf'] === undefined) node['anyOf'] = either;
  return mapSubschemas(node, 0, constrain);
}

function constrainKeyword(key: string, value: JsonValue): JsonValue | undefined {
  if (!CONSTRAINT_KEYWORDS.has(key)) return undefined;
  if (key === 'type') {
    const types = (Array.isArray(value) ? value : [value]).filter(
      (type): type is string => typeof type === 'string' && TYPES.has(type),
    );
    return Array.isArray(value) && types.length > 1 ? types : types[0];
  }
  if (key === 'pattern') {
    const plain =
      typeof value === 'string' && value.length <= MAX_PATTERN && !EXOTIC_PATTERN.test(value);
    return plain ? value : undefined;
  }
  if (key === 'format') return typeof value === 'string' && FORMATS.has(value) ? value : undefined;
  // A list of schemas per position is an older spelling that the decoder refuses.
  if (key === 'items') return isObject(value) ? value : undefined;
  if (key === 'enum' || key === 'anyOf') {
    return Array.isArray(value) && value.length > 0 ? value : undefined;
  }
  return value;
}
