import { liftSurface, mergeSchemas } from '../../lib/tools/schema/merge';
import { resolveSurface } from '../../lib/tools/schema/resolve';
import type { JsonObject, JsonSchema, JsonValue } from '../../lib/tools/tool';
import { namesNothing } from '../../lib/tools/validate';

/** One input of a form, read from a JSON Schema. What no input fits becomes `json`: raw text. */
export type Field = FieldBase & FieldShape;

interface FieldBase {
  label: string;
  description: string;
  required: boolean;
  /** Takes `null`: what is sent for a required input that is left empty. */
  nullable?: boolean;
  /** What the schema would fill in by itself. */
  fallback?: JsonValue;
}

type FieldShape =
  | {
      kind: 'text';
      input: 'text' | 'email' | 'url' | 'date' | 'time' | 'datetime-local';
      multiline: boolean;
      minLength: number;
      maxLength?: number;
      example: string;
    }
  | { kind: 'number'; integer: boolean; min?: number; max?: number; step?: number }
  | { kind: 'boolean' }
  | { kind: 'choice'; options: Option[] }
  /** Several of a fixed set, each at most once. */
  | { kind: 'many'; options: Option[]; min: number; max?: number }
  | { kind: 'list'; item: Field; min: number; max?: number }
  | { kind: 'object'; fields: NamedField[] }
  | { kind: 'json' };

export interface Option {
  value: JsonValue;
  label: string;
}
export interface NamedField {
  name: string;
  field: Field;
}

const DEEPEST = 5;
/** As many as a tool may have. */
const MOST_FIELDS = 256;
const MOST_OPTIONS = 1000;
/** Subschemas read for one form: references let a short schema unfold into millions. */
const MOST_SCHEMAS = 600;

/**
 * The form of a tool's arguments. Hostile schemas are expected: references are followed only inside
 * the schema and never in a circle, depth, fields and options are bounded, and nothing throws.
 */
export function readForm(schema: JsonSchema | undefined): NamedField[] {
  if (!schema) return [];
  const field = readField(
    '',
    argumentsOf(schema),
    { root: schema, depth: 0, seen: [], left: { schemas: MOST_SCHEMAS } },
    true,
  );
  return field.kind === 'object' ? field.fields : [];
}

/** All arguments a tool may take, also those that only one alternative or condition names. */
function argumentsOf(schema: JsonSchema): JsonSchema {
  let surface = liftSurface(resolveSurface(schema));
  const dependent = surface['dependentSchemas'];
  const parts = [
    surface['then'],
    surface['else'],
    ...(isObject(dependent) ? Object.values(dependent) : []),
  ];
  for (const part of parts) {
    const properties = isObject(part) ? liftSurface(part)['properties'] : undefined;
    if (isObject(properties)) surface = mergeSchemas(surface, { properties });
  }
  return surface;
}

interface Place {
  root: JsonSchema;
  depth: number;
  /** References on the way here. */
  seen: string[];
  /** How many more subschemas may be read; shared by the whole form. */
  left: { schemas: number };
}

function readField(name: string, given: JsonValue, place: Place, required: boolean): Field {
  const resolved = resolve(given, place);
  const schema = resolved.schema;
  const base: FieldBase = {
    label: text(schema['title']) || name,
    description: text(schema['description']),
    required,
    ...(resolved.nullable ? { nullable: true } : {}),
    // Without the argument, `null` is what the page takes for it anyway.
    ...((schema['default'] ?? null) === null ? {} : { fallback: schema['default'] }),
  };
  if (place.depth > DEEPEST || resolved.lost) return { ...base, kind: 'json' };
  return { ...base, ...readShape(schema, { ...resolved.place, depth: place.depth + 1 }) };
}

function readShape(schema: JsonObject, place: Place): FieldShape {
  const options = readOptions(schema);
  if (options) return { kind: 'choice', options };
  switch (typeOf(schema)) {
    case 'string':
      return readText(schema);
    case 'integer':
    case 'number':
      return {
        kind: 'number',
        integer: typeOf(schema) === 'integer',
        ...numeric('min', schema['minimum']),
        ...numeric('max', schema['maximum']),
        ...numeric('step', schema['multipleOf']),
      };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return readList(schema, place);
    case 'object':
      return readObject(schema, place);
    default:
      return { kind: 'json' };
  }
}

const FORMATS: Record<string, 'email' | 'url' | 'date' | 'time' | 'datetime-local'> = {
  email: 'email',
  uri: 'url',
  url: 'url',
  date: 'date',
};

function readText(schema: JsonObject): FieldShape {
  const maxLength = schema['maxLength'];
  const format = text(schema['format']);
  const input = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  const examples = schema['examples'];
  return {
    kind: 'text',
    input: input ?? 'text',
    multiline: !input && typeof maxLength === 'number' && maxLength > 200,
    minLength: typeof schema['minLength'] === 'number' ? schema['minLength'] : 0,
    ...(typeof maxLength === 'number' ? { maxLength } : {}),
    example: Array.isArray(examples) ? text(examples[0]) : '',
  };
}

function readList(schema: JsonObject, place: Place): FieldShape {
  const min = typeof schema['minItems'] === 'number' ? Math.max(0, schema['minItems']) : 0;
  const max = numeric('max', schema['maxItems']);
  const items = schema['items'];
  if (!isObject(items)) return { kind: 'json' };
  const options = readOptions(resolve(items, place).schema);
  if (options && schema['uniqueItems'] === true) return { kind: 'many', options, min, ...max };
  return { kind: 'list', item: readField('', items, place, true), min, ...max };
}

function readObject(schema: JsonObject, place: Place): FieldShape {
  const properties = schema['properties'];
  if (!isObject(properties))
    return place.depth <= 1 ? { kind: 'object', fields: [] } : { kind: 'json' };
  const required = schema['required'];
  const needed = new Set(Array.isArray(required) ? required : []);
  const all = Object.keys(properties);
  const first = all.filter((name) => needed.has(name));
  const names = [...new Set([...first, ...all])].slice(0, MOST_FIELDS);
  const fields = names.map((name) => ({
    name,
    field: readField(name, properties[name] ?? {}, place, needed.has(name)),
  }));
  // What is needed comes first; within that the page's own order stays.
  return { kind: 'object', fields };
}

/** `enum`, `const`, or `oneOf`/`anyOf` made of constants with titles. */
function readOptions(schema: JsonObject): Option[] | null {
  const list = schema['enum'];
  if (Array.isArray(list) && list.length > 0) {
    return list.slice(0, MOST_OPTIONS).map((value) => ({ value, label: optionLabel(value) }));
  }
  if (Object.hasOwn(schema, 'const')) {
    const value = schema['const'] ?? null;
    return [{ value, label: optionLabel(value) }];
  }
  for (const key of ['oneOf', 'anyOf']) {
    const variants = schema[key];
    if (!Array.isArray(variants) || variants.length === 0) continue;
    const options = variants.slice(0, MOST_OPTIONS).map((variant): Option | null => {
      if (!isObject(variant) || !Object.hasOwn(variant, 'const')) return null;
      const value = variant['const'] ?? null;
      return { value, label: text(variant['title']) || optionLabel(value) };
    });
    if (options.every((option) => option !== null)) return options;
  }
  return null;
}

/** The one type that is not `null`; objects and lists may leave theirs out. */
function typeOf(schema: JsonObject): string | undefined {
  const given = schema['type'];
  const types = (Array.isArray(given) ? given : [given]).filter((type) => type !== 'null');
  if (types.length === 1 && typeof types[0] === 'string') return types[0];
  if (isObject(schema['properties'])) return 'object';
  if (isObject(schema['items'])) return 'array';
  return undefined;
}

/** Follows `$ref` inside the schema, merges `allOf`, and takes the one variant that is not `null`. */
function resolve(
  given: JsonValue,
  place: Place,
): { schema: JsonObject; place: Place; lost: boolean; nullable?: boolean } {
  if (!isObject(given)) return { schema: {}, place, lost: given !== true };
  place.left.schemas -= 1;
  if (place.left.schemas < 0) return { schema: {}, place, lost: true };
  let schema: JsonObject = given;
  let seen = place.seen;
  while (typeof schema['$ref'] === 'string') {
    const ref = schema['$ref'];
    const target = seen.includes(ref) || seen.length > 20 ? undefined : lookUp(place.root, ref);
    if (!isObject(target)) return { schema, place: { ...place, seen }, lost: true };
    seen = [...seen, ref];
    const { $ref: _, ...beside } = schema;
    schema = { ...target, ...beside };
  }
  const next = { ...place, seen };
  const nullable = namesNothing(schema, null);
  const all = schema['allOf'];
  if (Array.isArray(all) && place.depth <= DEEPEST) {
    const parts = all
      .slice(0, 10)
      .map((part) => resolve(part, { ...next, depth: place.depth + 1 }).schema);
    schema = mergeAll([schema, ...parts]);
  }
  for (const key of ['anyOf', 'oneOf']) {
    const variants = schema[key];
    if (!Array.isArray(variants)) continue;
    const real = variants.filter((variant) => !(isObject(variant) && variant['type'] === 'null'));
    if (real.length === 1 && variants.length === 2 && isObject(real[0]) && place.depth <= DEEPEST) {
      const { [key]: _, ...beside } = schema;
      const only = resolve(real[0], { ...next, depth: place.depth + 1 });
      return {
        schema: { ...only.schema, ...beside },
        place: only.place,
        lost: only.lost,
        nullable,
      };
    }
  }
  return { schema, place: next, lost: false, nullable };
}

function mergeAll(parts: JsonObject[]): JsonObject {
  const properties: [string, JsonValue][] = [];
  const required: JsonValue[] = [];
  let merged: JsonObject = {};
  for (const part of parts) {
    const { allOf: _, properties: own, required: needed, ...rest } = part;
    merged = { ...merged, ...rest };
    // One by one: a call has room for fewer arguments than a page may name.
    if (isObject(own)) for (const entry of Object.entries(own)) properties.push(entry);
    if (Array.isArray(needed)) for (const name of needed) required.push(name);
  }
  if (properties.length > 0) merged['properties'] = Object.fromEntries(properties);
  if (required.length > 0) merged['required'] = required;
  return merged;
}

function lookUp(root: JsonSchema, ref: string): JsonValue | undefined {
  if (ref === '#') return root;
  if (!ref.startsWith('#/') || ref.length > 500) return undefined;
  let at: JsonValue | undefined = root;
  for (const part of ref.slice(2).split('/')) {
    const key = decode(part);
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

function decode(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function optionLabel(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
function numeric<K extends string>(key: K, value: JsonValue | undefined): { [P in K]?: number } {
  return (typeof value === 'number' ? { [key]: value } : {}) as { [P in K]?: number };
}
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
