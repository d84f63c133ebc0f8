import { type OutputUnit, Validator } from '@cfworker/json-schema';
import { compactSchema } from '../../tools/compact';
import type { JsonObject } from '../../tools/tool';
import { validateArgs } from '../../tools/validate';
import type { Problem } from '../events';
import { bare, guardSchema } from './guard';
import { checkPatterns } from './patterns';
import { checksNeeded } from './work';

/** Checks a validator may make of one call: some milliseconds. */
const MAX_CHECKS = 50_000;
const MAX_PROBLEMS = 8;

export interface ArgumentsCheck {
  /** Empty when the arguments fit. */
  problems: Problem[];
  /** What could not be checked, in words; never a reason not to call. */
  unchecked: string[];
}

/**
 * Checks a call's arguments against the schema the page declared: the few rules a model usually breaks
 * first, in friendly words, then the whole schema (drafts 7 to 2020-12). A page's schema is hostile:
 * it is copied and cleaned first, references and nesting are bounded, and patterns run on an engine
 * that cannot hang.
 */
export function checkArguments(schema: unknown, args: JsonObject): ArgumentsCheck {
  if (schema === undefined) return { problems: [], unchecked: [] };
  const friendly = validateArgs(compactSchema(schema), args);
  if (friendly !== null) {
    return { problems: [{ path: pathIn(friendly), message: friendly }], unchecked: [] };
  }
  const guarded = guardSchema(schema);
  const unchecked = [...guarded.unchecked];
  const value = bare(args);
  const problems: Problem[] = [];
  if (checksNeeded(guarded.schema, value) > MAX_CHECKS) {
    unchecked.push('The schema asks for too many checks; only the simple ones were made.');
  } else {
    try {
      const result = new Validator(guarded.schema, guarded.draft, false).validate(value);
      if (!result.valid) problems.push(...problemsOf(result.errors));
    } catch {
      unchecked.push('The schema could not be used; only the simple checks were made.');
    }
  }
  const patterns = checkPatterns(guarded, args);
  problems.push(...patterns.problems);
  unchecked.push(...patterns.unchecked);
  return { problems: problems.slice(0, MAX_PROBLEMS), unchecked };
}

const quoted = /^(?:Missing required argument )?("(?:[^"\\]|\\.)*")/;

function pathIn(message: string): string {
  const name = quoted.exec(message)?.[1];
  if (name === undefined) return '';
  const parsed: unknown = JSON.parse(name);
  return typeof parsed === 'string' ? parsed : '';
}

/** Keywords whose error only says that something below is wrong. */
const PARENTS: ReadonlySet<string> = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalItems',
  '$ref',
  'allOf',
  'then',
  'else',
  'if',
  'dependentSchemas',
  'propertyNames',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
]);
const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'not', 'contains']);

function problemsOf(errors: readonly OutputUnit[]): Problem[] {
  const choices = errors.filter((e) => CHOICES.has(e.keyword)).map((e) => e.keywordLocation);
  const problems: Problem[] = [];
  for (const error of errors) {
    if (PARENTS.has(error.keyword)) continue;
    const isInside = choices.some((at) => error.keywordLocation.startsWith(`${at}/`));
    if (isInside) continue;
    const path = pathOf(error.instanceLocation);
    const message = `${path === '' ? 'The arguments' : `"${path}"`}: ${wordsOf(error)}`;
    if (!problems.some((p) => p.path === path && p.message === message)) {
      problems.push({ path, message });
    }
  }
  if (problems.length > 0) return problems;
  const path = pathOf(errors.at(-1)?.instanceLocation ?? '#');
  return [{ path, message: 'The arguments do not fit the schema.' }];
}

/** `#/items/0/id` → `items.0.id`. */
function pathOf(location: string): string {
  return location
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => {
      const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
      try {
        return decodeURIComponent(plain);
      } catch {
        return plain;
      }
    })
    .join('.');
}

function wordsOf(error: OutputUnit): string {
  switch (error.keyword) {
    case 'anyOf':
    case 'oneOf':
      return 'fits none of the allowed forms, or more than one.';
    case 'not':
      return 'is what the page forbids.';
    case 'false':
      return 'the page does not take this.';
    default:
      return error.error.length > 160 ? `${error.error.slice(0, 159)}…` : error.error;
  }
}
