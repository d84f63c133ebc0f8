import { type OutputUnit, Validator } from '@cfworker/json-schema';
import type { Words } from '../../said/said';
import { say } from '../../said/say';
import { compactSchema } from '../../tools/compact';
import { guardSchema as boundedSchema } from '../../tools/schema/guard';
import { resolveRefs } from '../../tools/schema/resolve';
import type { JsonObject, JsonSchema, JsonValue } from '../../tools/tool';
import { problemOfArgs } from '../../tools/validate';
import { type Problem, problemOf } from '../events';
import { bare, guardSchema, where } from './guard';
import { checkPatterns } from './patterns';
import { checksNeeded } from './work';

/** Checks a validator may make of one call: some milliseconds. */
const MAX_CHECKS = 50_000;
const MAX_PROBLEMS = 8;

export interface ArgumentsCheck {
  /** Empty when the arguments fit. */
  problems: Problem[];
  /** What could not be checked; never a reason not to call. */
  unchecked: Words[];
}

/**
 * Checks a call's arguments against the schema the page declared: the few rules a model usually breaks
 * first, in friendly words, then the whole schema (drafts 7 to 2020-12). A page's schema is hostile:
 * it is copied and cleaned first, references and nesting are bounded, and patterns run on an engine
 * that cannot hang.
 */
export function checkArguments(schema: unknown, args: JsonObject): ArgumentsCheck {
  if (schema === undefined) return { problems: [], unchecked: [] };
  const friendly = problemOfArgs(plainSchema(schema), args);
  if (friendly !== null) {
    return { problems: [problemOf(pathIn(friendly.text), friendly)], unchecked: [] };
  }
  const guarded = guardSchema(schema);
  const unchecked = [...guarded.unchecked];
  const value = bare(args);
  const problems: Problem[] = [];
  if (checksNeeded(guarded.schema, value) > MAX_CHECKS) {
    unchecked.push(say('unchecked-work'));
  } else {
    try {
      const result = new Validator(guarded.schema, guarded.draft, false).validate(value);
      if (!result.valid) problems.push(...problemsOf(result.errors));
    } catch {
      unchecked.push(say('unchecked-unusable'));
    }
  }
  const patterns = checkPatterns(guarded, args);
  problems.push(...patterns.problems);
  unchecked.push(...patterns.unchecked);
  return { problems: problems.slice(0, MAX_PROBLEMS), unchecked };
}

/** The schema without references, as far as the first look goes. */
function plainSchema(schema: unknown): JsonSchema {
  const bounded = boundedSchema(schema);
  return bounded.ok ? resolveRefs(bounded.schema) : compactSchema(schema);
}

/** Whether a value fits a schema without references. What cannot be checked fits. */
export function fits(schema: JsonSchema, value: JsonValue): boolean {
  const guarded = guardSchema(schema);
  const plain = bare(value);
  if (checksNeeded(guarded.schema, plain) > MAX_CHECKS) return true;
  try {
    return new Validator(guarded.schema, guarded.draft, false).validate(plain).valid;
  } catch {
    return true;
  }
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
    const problem = problemOf(path, wordsOf(error, path));
    if (!problems.some((p) => p.path === path && p.message === problem.message)) {
      problems.push(problem);
    }
  }
  if (problems.length > 0) return problems;
  const path = pathOf(errors.at(-1)?.instanceLocation ?? '#');
  return [problemOf(path, say('arguments-unfit'))];
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

function wordsOf(error: OutputUnit, path: string): Words {
  switch (error.keyword) {
    case 'anyOf':
    case 'oneOf':
      return say('problem-forms', where(path));
    case 'not':
      return say('problem-forbidden', where(path));
    case 'false':
      return say('problem-not-taken', where(path));
    default:
      return say(
        'problem-schema',
        where(path),
        error.error.length > 160 ? `${error.error.slice(0, 159)}…` : error.error,
      );
  }
}
