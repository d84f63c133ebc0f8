import { isObject, isObjectSchema, membersOf, surfaceOf, typesOf } from '../schema/walk';
import { firstSentence, safeJson } from '../text/untrusted';
import type { JsonSchema, JsonValue } from '../tool';

/** Limits of one signature: nested objects, properties of one object, characters in all. */
const MAX_DEPTH = 4;
const MAX_PROPERTIES = 16;
const MAX_CHARACTERS = 300;
/** Choices written out before the rest is left to validation. */
const MAX_CHOICES = 12;
const MAX_CHOICE = 40;
const MAX_NOTE = 100;

/**
 * The arguments of a tool as a TypeScript-like type: `{path: string, limit?: integer}`. At most four
 * objects deep, 16 properties wide and 300 characters long; what does not fit is shown as `object`
 * or `…`, deepest first, and the names of the top-level arguments go last, the required ones never.
 */
export function typeSignature(parameters: JsonSchema): string {
  for (let depth = MAX_DEPTH; depth > 0; depth--) {
    const text = objectType(parameters, { depth, choices: MAX_CHOICES });
    if (text.length <= MAX_CHARACTERS) return text;
  }
  const short = objectType(parameters, { depth: 1, choices: 0 });
  return short.length <= MAX_CHARACTERS ? short : namesOnly(parameters);
}

/** The type of one argument, in the same words: `"S" | "M"`, `integer`, `string[]`. */
export const argumentType = (schema: JsonValue | undefined): string =>
  typeOf(schema, { depth: 1, choices: MAX_CHOICES });

interface Detail {
  /** How many more objects may be opened. */
  depth: number;
  choices: number;
}

function typeOf(schema: JsonValue | undefined, detail: Detail): string {
  if (!isObject(schema)) return 'unknown';
  const choices = schema['enum'];
  if (Array.isArray(choices) && choices.length > 0 && detail.choices > 0) {
    return choicesType(choices, detail);
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const members = membersOf(schema, keyword);
    if (members.length > 0) return unionOf(members.map((member) => typeOf(member, detail)));
  }
  const types = typesOf(schema);
  if (types.length > 1) return unionOf(types.map((type) => typeOf({ ...schema, type }, detail)));
  if (types[0] === 'array') return arrayType(schema, detail);
  if (isObjectSchema(schema)) return objectType(schema, detail);
  const [type] = types;
  return type === undefined ? 'unknown' : PLAIN.has(type) ? type : 'unknown';
}

const PLAIN = new Set(['string', 'number', 'integer', 'boolean', 'null']);

function unionOf(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ');
}

function choicesType(choices: readonly JsonValue[], detail: Detail): string {
  const shown = choices
    .slice(0, detail.choices)
    .map((choice) => safeJson(JSON.stringify(choice)))
    .filter((text) => text.length <= MAX_CHOICE);
  const isAll = shown.length === choices.length;
  return [...shown, ...(isAll ? [] : ['…'])].join(' | ');
}

function arrayType(schema: JsonSchema, detail: Detail): string {
  const items = schema['items'];
  const item = typeOf(Array.isArray(items) ? items[0] : items, detail);
  return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`;
}

function objectType(schema: JsonSchema, detail: Detail): string {
  const { properties, required } = surfaceOf(schema);
  const names = shownNames(schema);
  if (names.length === 0) return schema['additionalProperties'] === false ? '{}' : 'object';
  if (detail.depth <= 0) return 'object';
  const inner = { ...detail, depth: detail.depth - 1 };
  const most = Math.max(MAX_PROPERTIES, required.length);
  const shown = names.slice(0, most).map((name) => {
    const mark = required.includes(name) ? '' : '?';
    return `${keyOf(name)}${mark}: ${typeOf(properties[name], inner)}`;
  });
  if (names.length > shown.length) shown.push('…');
  return `{${shown.join(', ')}}`;
}

/** The page's order; where not all can be shown, those that are needed first. */
function shownNames(schema: JsonSchema, most = MAX_PROPERTIES): string[] {
  const { properties, required } = surfaceOf(schema);
  const names = Object.keys(properties);
  if (names.length <= most) return names;
  return [...required, ...names.filter((name) => !required.includes(name))];
}

function namesOnly(schema: JsonSchema): string {
  const { required } = surfaceOf(schema);
  const names = shownNames(schema, 0);
  const shown: string[] = [];
  let length = 4;
  for (const name of names) {
    const key = keyOf(name) + (required.includes(name) ? '' : '?');
    length += key.length + 2;
    if (length > MAX_CHARACTERS && !required.includes(name)) {
      return `{${[...shown, '…'].join(', ')}}`;
    }
    shown.push(key);
  }
  return `{${shown.join(', ')}}`;
}

const keyOf = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : safeJson(JSON.stringify(name));

/** What a reader must know about an argument beyond its type. */
export interface ArgumentNote {
  name: string;
  /** First sentence of its description, at most 100 characters, then its limits: `how many; 1–10`. */
  note: string;
}

/** Notes of the top-level arguments that have anything to say, in declared order. */
export function argumentNotes(parameters: JsonSchema): ArgumentNote[] {
  const notes: ArgumentNote[] = [];
  const { properties } = surfaceOf(parameters);
  for (const name of shownNames(parameters).slice(0, MAX_PROPERTIES)) {
    const property = properties[name];
    if (!isObject(property)) continue;
    const { description } = property;
    const sentence = typeof description === 'string' ? firstSentence(description, MAX_NOTE) : '';
    const note = [sentence, limitsOf(property)].filter((part) => part !== '').join('; ');
    if (note !== '') notes.push({ name, note });
  }
  return notes;
}

function limitsOf(property: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, format } = property;
  const parts: string[] = [];
  if (typeof above === 'number') parts.push(`> ${above}`);
  if (typeof below === 'number') parts.push(`< ${below}`);
  if (typeof minimum === 'number' && typeof maximum === 'number')
    parts.push(`${minimum}–${maximum}`);
  else if (typeof minimum === 'number') parts.push(`≥ ${minimum}`);
  else if (typeof maximum === 'number') parts.push(`≤ ${maximum}`);
  if (typeof format === 'string' && /^[\w-]{1,20}$/.test(format)) parts.push(format);
  return parts.join(', ');
}
