import { RE2JS } from 're2js';
import type { Words } from '../../said/said';
import { say, sentences } from '../../said/say';
import { isRecord, ownValue } from '../../tools/own-data';
import { type Problem, problemOf } from '../events';
import { type GuardedSchema, where } from './guard';
import { type GuardedNode, resolveReference } from './references';

const MAX_TEXT = 2000;
const MAX_CHECKS = 200;
/** Sum of all repetition counts: a pattern may not ask for more states than this; RE2 bounds nested ones. */
const MAX_REPEAT = 2000;

/**
 * Checks the patterns that apply whatever else holds, with an expression engine whose time is linear
 * in the text (RE2), since a page's pattern would hang the browser's own. Patterns inside
 * alternatives and conditions, and those RE2 has no word for, are reported as not checked.
 */
export function checkPatterns(
  guarded: GuardedSchema,
  args: unknown,
): { problems: Problem[]; unchecked: Words[] } {
  const problems: Problem[] = [];
  const unchecked = new Map<string, Words>();
  const skip = (words: Words) => void unchecked.set(words.text, words);
  if (guarded.patterns.size === 0) return { problems, unchecked: [] };
  const met = new Set<object>();
  const compiled = new Map<string, RE2JS | null>();
  let checks = 0;

  function check(pattern: string, text: string, path: string): void {
    if (++checks > MAX_CHECKS || text.length > MAX_TEXT) {
      skip(say('unchecked-part', where(path), sentences([say('part-long-text')])));
      return;
    }
    let expression = compiled.get(pattern);
    if (expression === undefined) {
      expression = compile(pattern);
      compiled.set(pattern, expression);
    }
    if (expression === null) {
      skip(say('unchecked-part', where(path), sentences([say('part-unsafe-pattern')])));
    } else if (!expression.matcher(text).find()) {
      problems.push(problemOf(path, say('pattern-unmatched', where(path), shown(pattern))));
    }
  }

  function walk(node: unknown, at: unknown, path: string, depth: number): void {
    if (!isRecord(node) || depth > 40 || checks > MAX_CHECKS) return;
    const schema = node as GuardedNode;
    const pattern = guarded.patterns.get(schema);
    if (pattern !== undefined) {
      met.add(schema);
      if (typeof at === 'string') check(pattern, at, path);
    }
    const ref = schema['$ref'];
    if (typeof ref === 'string') {
      walk(resolveReference(guarded.schema, ref), at, path, depth + 1);
    }
    if (Array.isArray(schema['allOf'])) {
      for (const item of schema['allOf']) walk(item, at, path, depth + 1);
    }
    if (Array.isArray(at)) {
      const prefix = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
      for (const [index, item] of at.entries()) {
        walk(
          index < prefix.length ? prefix[index] : schema['items'],
          item,
          `${path}.${index}`,
          depth + 1,
        );
      }
    } else if (isRecord(at) && isRecord(schema['properties'])) {
      for (const name of Object.keys(at)) {
        const inner = ownValue(schema['properties'], name);
        walk(inner, ownValue(at, name), path === '' ? name : `${path}.${name}`, depth + 1);
      }
    }
  }

  walk(guarded.schema, args, '', 0);
  if (hasUnmet(guarded, met)) {
    skip(say('unchecked-conditional'));
  }
  return { problems, unchecked: [...unchecked.values()] };
}

/** A pattern of an absent argument is no omission; one that stands under a choice is. */
function hasUnmet(guarded: GuardedSchema, met: ReadonlySet<object>): boolean {
  const conditional = new Set<object>();
  const gather = (node: unknown, inChoice: boolean, depth: number): void => {
    if (typeof node !== 'object' || node === null || depth > 80) return;
    if (inChoice && guarded.patterns.has(node)) conditional.add(node);
    for (const [key, value] of Object.entries(node)) {
      gather(value, inChoice || CHOICES.has(key), depth + 1);
    }
  };
  gather(guarded.schema, false, 0);
  return [...conditional].some((node) => !met.has(node));
}
const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'not', 'if', 'then', 'else']);

function compile(pattern: string): RE2JS | null {
  let repeat = 0;
  for (const match of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    repeat += Math.max(Number(match[1]), Number(match[2] || 0));
  }
  if (repeat > MAX_REPEAT) return null;
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return null;
  }
}

const shown = (pattern: string) => (pattern.length > 80 ? `${pattern.slice(0, 79)}…` : pattern);
