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

/** The inputs as they start: given values, else defaults, else empty. */
export function draftOf(fields: readonly NamedField[], values: JsonValue | undefined): Draft {
  const given = isObject(values) ? values : {};
  return new Map(
    fields.map(({ name, field }) => [
      name,
      toDraft(field, Object.hasOwn(given, name) ? given[name] : field.fallback),
    ]),
  );
}

/** An empty input of a field, for a new row of a list. */
export function emptyDraft(field: Field): Draft {
  return toDraft(field, field.fallback);
}

function toDraft(field: Field, value: JsonValue | undefined): Draft {
  switch (field.kind) {
    case 'object':
      return draftOf(field.fields, value);
    case 'list': {
      const items = Array.isArray(value) ? value : [];
      const drafts = items.map((item) => toDraft(field.item, item));
      while (drafts.length < Math.min(field.min, 20)) drafts.push(emptyDraft(field.item));
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
      return typeof value === 'boolean' ? value : field.required ? false : undefined;
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
  const missing = () => (field.required ? wrong(t('problemRequired')) : undefined);
  switch (field.kind) {
    case 'object': {
      if (!field.required && isUntouched(draft)) return undefined;
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
      if (draft.length < field.minLength) return wrong(t('problemTooShort', field.minLength));
      if (field.maxLength !== undefined && draft.length > field.maxLength) {
        return wrong(t('problemTooLong', field.maxLength));
      }
      return draft;
    }
  }
}

function readNumber(
  field: Extract<Field, { kind: 'number' }>,
  draft: Draft,
  missing: () => undefined,
  wrong: (message: string) => undefined,
): number | undefined {
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
  missing: () => undefined,
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

function isUntouched(draft: Draft): boolean {
  if (draft instanceof Map) return [...draft.values()].every(isUntouched);
  if (Array.isArray(draft)) return draft.every((item) => isUntouched(item) || item === false);
  return draft === undefined || draft === '';
}

/** A copy of the draft with the input at `path` replaced. */
export function setAt(draft: Draft, path: Path, value: Draft): Draft {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  if (Array.isArray(draft)) {
    const index = Number(head);
    return draft.map((item, at) => (at === index ? setAt(item, rest, value) : item));
  }
  const map = new Map(draft instanceof Map ? draft : []);
  map.set(head, setAt(map.get(head), rest, value));
  return map;
}
