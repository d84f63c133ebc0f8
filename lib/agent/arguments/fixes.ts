import type { Words } from '../../said/said';
import { say } from '../../said/say';
import { compactSchema } from '../../tools/compact';
import { isRecord, ownValue, setOwn } from '../../tools/own-data';
import type { JsonObject, JsonValue } from '../../tools/tool';

const MAX_DEPTH = 6;
const MAX_FIXES = 12;

/**
 * Mends what is mechanical and changes no meaning: "3" → 3, 3 → "3", "true" → true, a lone value for
 * a list, a list of one for a value, the case of an enum value or of an argument's name, JSON text
 * for an object; drops arguments the page does not know and `null` where it means "absent". Each fix
 * is told in words, because the user sees what was changed.
 */
export function fixArguments(
  schema: unknown,
  args: JsonObject,
): { args: JsonObject; fixes: Words[] } {
  if (!isRecord(schema)) return { args, fixes: [] };
  const fixes: Words[] = [];
  const fixed = fixObject(compactSchema(schema), args, '', fixes, 0, allowsMore(schema));
  return { args: fixed, fixes: fixes.slice(0, MAX_FIXES) };
}

/** Unknown arguments are kept where the page says it takes more than it names, or names none. */
function allowsMore(schema: object): boolean {
  const more = ownValue(schema, 'additionalProperties');
  const composed = ['patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref', 'if'];
  return (
    more === true ||
    isRecord(more) ||
    !isRecord(ownValue(schema, 'properties')) ||
    composed.some((key) => ownValue(schema, key) !== undefined)
  );
}

function fixObject(
  schema: JsonObject,
  args: JsonObject,
  path: string,
  fixes: Words[],
  depth: number,
  keepsMore: boolean,
): JsonObject {
  const properties = ownValue(schema, 'properties');
  if (!isRecord(properties) || depth > MAX_DEPTH) return args;
  const required = ownValue(schema, 'required');
  const out: JsonObject = {};
  for (const written of Object.keys(args)) {
    const value = args[written];
    if (value === undefined) continue;
    const name = declaredName(properties, written, args);
    if (name === undefined) {
      if (keepsMore) setOwn(out, written, value);
      else fixes.push(say('fix-unknown', within(path, written)));
      continue;
    }
    if (name !== written) fixes.push(say('fix-name', short(written), short(name)));
    const property = ownValue(properties, name);
    const inner = isRecord(property) ? property : {};
    const isNeeded = Array.isArray(required) && required.includes(name);
    if (value === null && !isNeeded && !takesNull(inner)) {
      fixes.push(say('fix-null', within(path, name)));
      continue;
    }
    const at = path === '' ? name : `${path}.${name}`;
    setOwn(out, name, fixValue(inner as JsonObject, value, at, fixes, depth + 1));
  }
  return out;
}

/** The declared name that was meant, if it is the only one alike and not given as well. */
function declaredName(properties: object, written: string, args: object): string | undefined {
  if (Object.hasOwn(properties, written)) return written;
  const wanted = loose(written);
  const alike = Object.keys(properties).filter((name) => loose(name) === wanted);
  const [only] = alike;
  return alike.length === 1 && only !== undefined && !Object.hasOwn(args, only) ? only : undefined;
}

const loose = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function typesOf(schema: object): readonly unknown[] {
  const type = ownValue(schema, 'type');
  if (Array.isArray(type)) return type;
  if (type !== undefined) return [type];
  return isRecord(ownValue(schema, 'properties')) ? ['object'] : [];
}

function takesNull(schema: object): boolean {
  const choices = ownValue(schema, 'enum');
  const types = typesOf(schema);
  return (
    types.includes('null') ||
    types.length === 0 ||
    (Array.isArray(choices) && choices.includes(null))
  );
}

function fixValue(
  schema: JsonObject,
  value: JsonValue,
  path: string,
  fixes: Words[],
  depth: number,
): JsonValue {
  if (depth > MAX_DEPTH) return value;
  const types = typesOf(schema);
  const typed =
    types.length === 0 || types.some((t) => isOf(value, t)) ? value : convert(types, value);
  if (typed !== value) fixes.push(say('fix-value', show(value), show(typed), path));
  const choice = chosen(schema, typed);
  if (choice !== typed) fixes.push(say('fix-value', show(typed), show(choice), path));
  if (isJsonObject(choice))
    return fixObject(schema, choice, path, fixes, depth, allowsMore(schema));
  const items = ownValue(schema, 'items');
  if (Array.isArray(choice) && isRecord(items)) {
    return choice.map((item, at) =>
      fixValue(items as JsonObject, item, `${path}.${at}`, fixes, depth + 1),
    );
  }
  return choice;
}

const isJsonObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isOf(value: JsonValue, type: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'null':
      return value === null;
    default:
      return true;
  }
}

/** The value in one of the wanted types, where that loses nothing; else the value itself. */
function convert(types: readonly unknown[], value: JsonValue): JsonValue {
  for (const type of types) {
    const fixed = convertTo(type, value);
    if (fixed !== undefined && isOf(fixed, type)) return fixed;
  }
  return value;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;

function convertTo(type: unknown, value: JsonValue): JsonValue | undefined {
  if (type === 'array') {
    const parsed =
      typeof value === 'string' && value.trim().startsWith('[') ? parse(value) : undefined;
    return Array.isArray(parsed) ? parsed : value === null ? undefined : [value];
  }
  if (Array.isArray(value)) {
    const [only] = value;
    return value.length === 1 && only !== undefined ? only : undefined;
  }
  if (type === 'string') {
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  }
  if (typeof value !== 'string') {
    return type === 'boolean' && (value === 0 || value === 1) ? value === 1 : undefined;
  }
  const text = value.trim();
  if (type === 'integer' || type === 'number') {
    const number = NUMBER.test(text) ? Number(text) : Number.NaN;
    return Number.isFinite(number) ? number : undefined;
  }
  if (type === 'boolean') {
    return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined;
  }
  if (type === 'object') return parse(text);
  return undefined;
}

/** The enum's own spelling of a value that differs from it in case or separators only. */
function chosen(schema: JsonObject, value: JsonValue): JsonValue {
  const choices = ownValue(schema, 'enum');
  if (!Array.isArray(choices) || choices.includes(value)) return value;
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const alike = choices.filter(
    (choice): choice is string | number =>
      (typeof choice === 'string' || typeof choice === 'number') &&
      loose(String(choice)) === loose(String(value)),
  );
  return loose(String(value)) !== '' && alike.length === 1 && alike[0] !== undefined
    ? alike[0]
    : value;
}

function parse(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

const short = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
const within = (path: string, name: string) => short(path === '' ? name : `${path}.${name}`);
const show = (value: JsonValue) => short(JSON.stringify(value));
