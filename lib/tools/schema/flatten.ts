import type { Words } from '../../said/said';
import { say } from '../../said/say';
import { setOwn } from '../own-data';
import type { JsonObject, JsonSchema, JsonValue } from '../tool';
import { liftSurface } from './merge';
import { resolveRefs } from './resolve';
import { simplifySchema } from './simplify';
import { isObject, isObjectSchema, surfaceOf, typesOf } from './walk';

/** Objects within objects that become dotted names; below that the model writes JSON text. */
const MAX_DEPTH = 4;
/** Arguments a flat schema may have; where flattening gives more, the object is asked for as JSON text. */
const MAX_FIELDS = 32;

interface FlatField {
  /** The flat argument's name, such as `address.city`. */
  name: string;
  /** Where its value belongs in the tool's arguments. */
  path: string[];
  /** The value is written as JSON text, because a flat argument cannot hold it. */
  json: boolean;
}

export interface FlatSchema {
  schema: JsonSchema;
  fields: FlatField[];
}

interface Flattening {
  properties: JsonObject;
  required: string[];
  fields: FlatField[];
}

/**
 * An object schema as a list of primitives, choices and lists of primitives, which is what a small
 * model fills in reliably: `{address: {city}}` becomes `address.city`. What has no flat form (lists
 * of objects, unions, objects of any keys) becomes a text argument that holds JSON. A nested
 * argument is required only where everything above it is.
 */
export function flattenSchema(schema: JsonSchema): FlatSchema {
  const plain = liftSurface(simplifySchema(resolveRefs(schema), { collapseNullable: true }));
  const flat: Flattening = { properties: {}, required: [], fields: [] };
  flattenInto(flat, plain, [], true);
  const result: JsonSchema = { type: 'object', properties: flat.properties };
  if (flat.required.length > 0) result['required'] = flat.required;
  return { schema: result, fields: flat.fields };
}

function flattenInto(
  flat: Flattening,
  schema: JsonSchema,
  above: readonly string[],
  isRequired: boolean,
): void {
  const { properties, required } = surfaceOf(schema);
  for (const [name, value] of Object.entries(properties)) {
    const property = isObject(value) ? liftSurface(value) : {};
    const path = [...above, name];
    const needed = isRequired && required.includes(name);
    if (isNested(property, path.length, flat)) flattenInto(flat, property, path, needed);
    else addField(flat, property, path, needed);
  }
}

function isNested(property: JsonSchema, depth: number, flat: Flattening): boolean {
  if (!isObjectSchema(property) || depth >= MAX_DEPTH) return false;
  const count = Object.keys(surfaceOf(property).properties).length;
  return count > 0 && flat.fields.length + count <= MAX_FIELDS;
}

function addField(
  flat: Flattening,
  property: JsonSchema,
  path: string[],
  isRequired: boolean,
): void {
  const name = freeName(flat, path.join('.'));
  const json = !isFlat(property);
  setOwn(flat.properties, name, json ? asJsonText(property) : property);
  flat.fields.push({ name, path, json });
  if (isRequired) flat.required.push(name);
}

/** Two paths may spell the same name when an argument's own name holds a dot. */
function freeName(flat: Flattening, wanted: string): string {
  let name = wanted;
  for (let n = 2; Object.hasOwn(flat.properties, name); n++) name = `${wanted}_${n}`;
  return name;
}

const PRIMITIVES = new Set(['string', 'number', 'integer', 'boolean']);

function isFlat(property: JsonSchema): boolean {
  if (Array.isArray(property['anyOf']) || Array.isArray(property['oneOf'])) return false;
  const types = typesOf(property).filter((type) => type !== 'null');
  if (types.length === 0) return isPrimitiveEnum(property);
  if (types.every((type) => PRIMITIVES.has(type))) return true;
  if (types.length > 1 || types[0] !== 'array') return false;
  const { items } = property;
  return isObject(items) && typesOf(items).every((type) => PRIMITIVES.has(type)) && isFlat(items);
}

const isPrimitiveEnum = (property: JsonSchema): boolean =>
  Array.isArray(property['enum']) &&
  property['enum'].every((value) => value !== null && typeof value !== 'object');

function asJsonText(property: JsonSchema): JsonSchema {
  const kind = typesOf(property).find((type) => type !== 'null');
  const what =
    kind === 'array' ? 'a JSON list' : kind === 'object' ? 'a JSON object' : 'a JSON value';
  const { description } = property;
  const text =
    typeof description === 'string' && description !== '' ? `${description} (${what})` : what;
  return { type: 'string', description: text };
}

export interface Unflattened {
  arguments: JsonObject;
  /** One sentence per argument whose JSON text could not be read, for the model. */
  problems: Words[];
}

/**
 * The tool's arguments out of flat ones. Absent fields stay absent and make no empty objects; a name
 * that is no field is taken over as it is, for validation to judge. JSON text that does not read is
 * a problem, never a guess.
 */
export function unflattenArgs(flat: FlatSchema, args: JsonObject): Unflattened {
  const rebuilt: JsonObject = {};
  const problems: Words[] = [];
  const known = new Map(flat.fields.map((field) => [field.name, field]));
  for (const [name, value] of Object.entries(args)) {
    const field = known.get(name);
    if (field === undefined) {
      if (!Object.hasOwn(rebuilt, name)) setOwn(rebuilt, name, value);
      continue;
    }
    const read = field.json && typeof value === 'string' ? parse(value) : { value };
    if (read === undefined) problems.push(say('argument-json', name));
    else setPath(rebuilt, field.path, read.value);
  }
  return { arguments: rebuilt, problems };
}

function parse(text: string): { value: JsonValue } | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}

function setPath(target: JsonObject, path: readonly string[], value: JsonValue): void {
  let at = target;
  for (const name of path.slice(0, -1)) {
    const next = Object.hasOwn(at, name) ? at[name] : undefined;
    if (isObject(next)) {
      at = next;
      continue;
    }
    const made: JsonObject = {};
    setOwn(at, name, made);
    at = made;
  }
  const last = path.at(-1);
  if (last !== undefined) setOwn(at, last, value);
}
