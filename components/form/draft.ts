import type { JsonObject, JsonValue } from '../../lib/tools/tool';
import { t } from '../text';
import { type Field, isObject, type NamedField } from './field';

/**
 * What the user has put into the inputs so far. Text inputs hold text, choices the index of their
 * option, `undefined` is an untouched input. Maps, not objects: argument names come from the page.
 */
export type Draft = string | boolean | undefined | Draft[] | Map<string, Draft>;

export interface FormProblem {
  /** Names and indexes from the root, `[]` for the form as a whole. */
  path: readonly string[];
  message: string;
}

export type ReadDraft = { value: JsonObject; problems: FormProblem[] };

/** The inputs of an object that was given, as opposed to one that may be left out. */
class GivenInputs extends Map<string, Draft> {}

/** The paths of all inputs, groups included. */
export function inputPaths(
  fields: readonly NamedField[],
  draft: Draft,
  above: Path = [],
): (readonly string[])[] {
  return fields.flatMap(({ name, field }) =>
    pathsIn(field, draft instanceof Map ? draft.get(name) : undefined, [...above, name]),
  );
}

function pathsIn(field: Field, draft: Draft, path: Path): (readonly string[])[] {
  if (field.kind === 'object') return [path, ...inputPaths(field.fields, draft, path)];
  if (field.kind !== 'list' || !Array.isArray(draft)) return [path];
  return [path, ...draft.flatMap((item, at) => pathsIn(field.item, item, [...path, String(at)]))];
}

/** The inputs as they start: given values, else defaults, else empty. */
export function draftOf(fields: readonly NamedField[], values: JsonValue | undefined): Draft {
  const given = isObject(values) ? values : {};
  return new Map(
    fields.map(({ name, field }) => [
      name,
      Object.hasOwn(given, name) ? toDraft(field, given[name], true) : emptyDraft(field),
    ]),
  );
}

/** An empty input of a field, for a new row of a list. */
export function emptyDraft(field: Field): Draft {
  return toDraft(field, field.fallback);
}

function toDraft(field: Field, value: JsonValue | undefined, isGiven = false): Draft {
  switch (field.kind) {
    case 'object': {
      const inputs = draftOf(field.fields, value);
      return isGiven && isObject(value) && inputs instanceof Map ? new GivenInputs(inputs) : inputs;
    }
    case 'list': {
      const items = Array.isArray(value) ? value : [];
      const drafts = items.map((item) => toDraft(field.item, item, isGiven));
      while (field.required && drafts.length < Math.min(field.min, 20))
        drafts.push(emptyDraft(field.item));
      return drafts;
    }
    case 'many': {
      const chosen = Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : [];
      return field.options.map((option) => chosen.includes(JSON.stringify(option.value)));
    }
    case 'choice': {
      if (value === undefined) return undefined;
      const index = field.options.findIndex(
        (option) => JSON.stringify(option.value) === JSON.stringify(value),
      );
      return index < 0 ? undefined : String(index);
    }
    case 'boolean':
      return typeof value === 'boolean'
        ? value
        : field.required && !field.nullable
          ? false
          : undefined;
    case 'json':
      return value === undefined ? undefined : JSON.stringify(value, null, 2);
    case 'text':
      return value === undefined || value === null ? undefined : plain(value);
    case 'number':
      return typeof value === 'number' ? String(value) : undefined;
  }
}

function plain(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The arguments the inputs stand for, and what is wrong with them. Empty optional inputs are left out. */
export function readDraft(fields: readonly NamedField[], draft: Draft): ReadDraft {
  const problems: FormProblem[] = [];
  const value = readObjectDraft(fields, draft, [], problems);
  return { value, problems };
}

type Path = readonly string[];

function readObjectDraft(
  fields: readonly NamedField[],
  draft: Draft,
  path: Path,
  problems: FormProblem[],
): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const { name, field } of fields) {
    const inner = draft instanceof Map ? draft.get(name) : undefined;
    const value = readOne(field, inner, [...path, name], problems);
    if (value !== undefined) entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

function readOne(
  field: Field,
  draft: Draft,
  path: Path,
  problems: FormProblem[],
): JsonValue | undefined {
  const wrong = (message: string): undefined => {
    problems.push({ path, message });
  };
  const missing = (): null | undefined => {
    if (!field.required) return undefined;
    return field.nullable ? null : wrong(t('problemRequired'));
  };
  switch (field.kind) {
    case 'object': {
      if ((!field.required || field.nullable) && isUntouched(field, draft)) return missing();
      return readObjectDraft(field.fields, draft, path, problems);
    }
    case 'list': {
      const drafts = Array.isArray(draft) ? draft : [];
      if (drafts.length === 0 && !field.required) return undefined;
      checkCount(drafts.length, field, wrong);
      return drafts.map(
        (item, index) => readOne(field.item, item, [...path, String(index)], problems) ?? null,
      );
    }
    case 'many': {
      const marks = Array.isArray(draft) ? draft : [];
      const chosen = field.options.filter((_, index) => marks[index] === true);
      if (chosen.length === 0 && !field.required) return undefined;
      checkCount(chosen.length, field, wrong);
      return chosen.map((option) => option.value);
    }
    case 'choice': {
      const option = typeof draft === 'string' ? field.options[Number(draft)] : undefined;
      return option === undefined ? missing() : option.value;
    }
    case 'boolean':
      return typeof draft === 'boolean' ? draft : missing();
    case 'number':
      return readNumber(field, draft, missing, wrong);
    case 'json':
      return readJson(draft, missing, wrong);
    case 'text': {
      if (typeof draft !== 'string' || draft === '') return missing();
      const length = [...draft].length;
      if (length < field.minLength) return wrong(t('problemTooShort', field.minLength));
      if (field.maxLength !== undefined && length > field.maxLength) {
        return wrong(t('problemTooLong', field.maxLength));
      }
      return draft;
    }
  }
}

function readNumber(
  field: Extract<Field, { kind: 'number' }>,
  draft: Draft,
  missing: () => null | undefined,
  wrong: (message: string) => undefined,
): number | null | undefined {
  if (typeof draft !== 'string' || draft.trim() === '') return missing();
  const value = Number(draft);
  if (!Number.isFinite(value)) return wrong(t('problemNumber'));
  if (field.integer && !Number.isInteger(value)) return wrong(t('problemInteger'));
  if (field.min !== undefined && value < field.min) return wrong(t('problemMin', field.min));
  if (field.max !== undefined && value > field.max) return wrong(t('problemMax', field.max));
  return value;
}

function readJson(
  draft: Draft,
  missing: () => null | undefined,
  wrong: (message: string) => undefined,
): JsonValue | undefined {
  if (typeof draft !== 'string' || draft.trim() === '') return missing();
  try {
    const value: JsonValue = JSON.parse(draft);
    return value;
  } catch (error) {
    return wrong(t('problemJson', error instanceof Error ? error.message : String(error)));
  }
}

function checkCount(
  count: number,
  { min, max }: { min: number; max?: number },
  wrong: (message: string) => undefined,
): void {
  if (count < min) wrong(t('problemTooFew', min));
  else if (max !== undefined && count > max) wrong(t('problemTooMany', max));
}

/** An object that was not given, with its inputs as they started. */
const isUntouched = (field: Field, draft: Draft): boolean =>
  draft === undefined || (!(draft instanceof GivenInputs) && sameDraft(draft, emptyDraft(field)));

function sameDraft(a: Draft, b: Draft): boolean {
  if (a instanceof Map && b instanceof Map) {
    return [...new Set([...a.keys(), ...b.keys()])].every((key) =>
      sameDraft(a.get(key), b.get(key)),
    );
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => sameDraft(item, b[at]));
  }
  return a === b;
}

/** A copy of the draft with the input at `path` replaced. */
export function setAt(draft: Draft, path: Path, value: Draft): Draft {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  if (Array.isArray(draft)) {
    const index = Number(head);
    return draft.map((item, at) => (at === index ? setAt(item, rest, value) : item));
  }
  const entries = draft instanceof Map ? draft : [];
  const map = draft instanceof GivenInputs ? new GivenInputs(entries) : new Map(entries);
  map.set(head, setAt(map.get(head), rest, value));
  return map;
}
