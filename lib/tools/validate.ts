import type { Words } from '../said/said';
import { names, say } from '../said/say';
import { isRecord, ownValue, type UnknownRecord } from './own-data';
import { cutText } from './text/cut';

/** Messages go back to a model, so a value in one is shown in at most this many characters. */
const MAX_SHOWN = 80;
const MAX_SHOWN_CHOICES = 50;
/** Nesting to which an argument is compared with an `enum` value or shown. */
const MAX_DEPTH = 24;

/**
 * The first problem of `args` against `schema` in words a model can act on, or `null`. Looks, in this
 * order, at: `args` being an object; every `required` key being present and neither `null` nor `''`,
 * unless its schema names that value ({@link namesNothing}); then for each
 * declared property its `type`, `enum`, `minimum` and `maximum`. Unknown arguments are ignored, a
 * schema that is none demands nothing, and it never throws. A small subset on purpose, shared by the
 * loop and the form; it is no JSON Schema validator.
 */
export const validateArgs = (schema: unknown, args: unknown): string | null =>
  problemOfArgs(schema, args)?.text ?? null;

/** The same, with what it takes to say it in other languages. */
export function problemOfArgs(schema: unknown, args: unknown): Words | null {
  if (!isRecord(args)) return say('arguments-kind', show(args));
  if (!isRecord(schema)) return null;
  const properties = ownValue(schema, 'properties');
  const missing = requiredOf(schema).find((name) =>
    isMissing(isRecord(properties) ? ownValue(properties, name) : undefined, ownValue(args, name)),
  );
  if (missing !== undefined) return say('argument-missing', show(missing));
  if (!isRecord(properties)) return null;
  for (const name of Object.keys(properties)) {
    const property = ownValue(properties, name);
    const value = ownValue(args, name);
    if (value === undefined || !isRecord(property)) continue;
    const problem = problemOf(show(name), property, value);
    if (problem !== null) return problem;
  }
  return null;
}

function problemOf(name: string, property: UnknownRecord, value: unknown): Words | null {
  const types = typesOf(ownValue(property, 'type'));
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    const kinds = types.map((type) => say(`type-${type}`));
    return say('argument-type', name, names(kinds, 'or'), show(value));
  }
  const choices = ownValue(property, 'enum');
  if (Array.isArray(choices) && !choices.some((choice) => isSameJson(choice, value))) {
    return choiceProblem(name, choices);
  }
  const minimum = ownValue(property, 'minimum');
  const maximum = ownValue(property, 'maximum');
  if (typeof value !== 'number') return null;
  if (typeof minimum === 'number' && value < minimum)
    return say('argument-least', name, String(minimum));
  if (typeof maximum === 'number' && value > maximum)
    return say('argument-most', name, String(maximum));
  return null;
}

/**
 * Whether a required argument was not given. One that says nothing is absent to a page, unless the
 * page names that value.
 */
export const isMissing = (schema: unknown, value: unknown): boolean =>
  value === undefined || ((value === null || value === '') && !namesNothing(schema, value));

const COMPOSITIONS = ['anyOf', 'oneOf', 'allOf'] as const;
const MAX_COMPOSED = 8;

/** Whether a schema says in so many words that `null` or `''` is taken: by type, choice or alternative. */
export function namesNothing(schema: unknown, value: null | '', depth = 0): boolean {
  if (!isRecord(schema) || depth > MAX_COMPOSED) return false;
  const choices = ownValue(schema, 'enum');
  if (Array.isArray(choices)) return choices.includes(value);
  if (ownValue(schema, 'const') === value) return true;
  const type = ownValue(schema, 'type');
  if (value === null && (type === 'null' || (Array.isArray(type) && type.includes('null')))) {
    return true;
  }
  return COMPOSITIONS.some((key) => {
    const members = ownValue(schema, key);
    return Array.isArray(members) && members.some((one) => namesNothing(one, value, depth + 1));
  });
}

function requiredOf(schema: UnknownRecord): string[] {
  const required = ownValue(schema, 'required');
  if (!Array.isArray(required)) return [];
  return required.filter((name): name is string => typeof name === 'string');
}

const CHECKS = {
  string: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number' && Number.isFinite(value),
  integer: (value: unknown) => Number.isInteger(value),
  boolean: (value: unknown) => typeof value === 'boolean',
  array: (value: unknown) => Array.isArray(value),
  object: (value: unknown) => isRecord(value),
  null: (value: unknown) => value === null,
};
type TypeName = keyof typeof CHECKS;

const isTypeName = (name: unknown): name is TypeName =>
  typeof name === 'string' && Object.hasOwn(CHECKS, name);

/** The types a property allows; none where it names a type that does not exist, which is no rule. */
function typesOf(type: unknown): TypeName[] {
  const listed = Array.isArray(type) ? type : [type];
  const known = listed.filter(isTypeName);
  return known.length === listed.length ? known : [];
}

const hasType = (value: unknown, type: TypeName): boolean => CHECKS[type](value);

function isSameJson(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, at) => isSameJson(item, ownValue(b, at), depth + 1))
    );
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) => Object.hasOwn(b, key) && isSameJson(ownValue(a, key), ownValue(b, key), depth + 1),
    )
  );
}

function choiceProblem(name: string, choices: readonly unknown[]): Words {
  const shown = choices.slice(0, MAX_SHOWN_CHOICES).map(show);
  const more = choices.length - shown.length;
  return more > 0
    ? say('argument-choice-more', name, names(shown), String(more))
    : say('argument-choice', name, names(shown));
}

/** A value as JSON, cut; a cycle or anything else JSON has no word for is named by its kind. */
function show(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  let text: string | undefined;
  try {
    text = JSON.stringify(typeof value === 'string' ? cutText(value, MAX_SHOWN) : value);
  } catch {
    text = undefined;
  }
  if (text === undefined)
    return Array.isArray(value) ? 'an unreadable array' : `an unreadable ${typeof value}`;
  return text.length > MAX_SHOWN && typeof value !== 'string'
    ? `${cutText(text, MAX_SHOWN)}…`
    : text;
}
