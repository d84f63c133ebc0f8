import { jsonrepair } from 'jsonrepair';
import { isRecord, type JsonRecord, type JsonValue, parseStrict } from './json';
import { newCursor, readLiteral, skip, Unreadable } from './literal';
import { scanValue } from './value-scan';

/** Deeper nesting than this is no tool's arguments; it only costs stack. */
const MAX_DEPTH = 64;

/**
 * How much lenient reading one reply may cost. The repair library starts a string over at every
 * quote that stands oddly, so its worst case is odd quotes × length; the sum over a reply is capped
 * to keep the whole linear. About 4 ms on a slow laptop.
 */
export interface RepairBudget {
  left: number;
}
export const newRepairBudget = (): RepairBudget => ({ left: 4_000_000 });

export interface JsonReading {
  value: JsonValue;
  repairs: string[];
}

/** The repair that says a value did not end on its own. */
export const CUT_SHORT = 'closed JSON that was cut short';

/**
 * Reads one JSON object or array: strictly, else with one lenient pass. `text` starts at the opening
 * bracket; what follows the value is the caller's. `undefined` where it cannot be read.
 */
export function readJson(text: string, budget: RepairBudget): JsonReading | undefined {
  const scan = scanValue(text, 0);
  if (scan.depth > MAX_DEPTH) return undefined;
  const strict = parseStrict(text);
  if (strict !== undefined) {
    return typeof strict === 'object' && strict !== null
      ? { value: strict, repairs: [] }
      : undefined;
  }
  const whole = scan.complete ? text : text.slice(0, scan.keep);
  const value = readExactly(whole) ?? repair(whole, scan.odd, budget);
  if (typeof value !== 'object' || value === null) return undefined;
  const repairs = faults(whole);
  if (!scan.complete) repairs.push(CUT_SHORT);
  if (repairs.length === 0) repairs.push('mended JSON that was not quite valid');
  return { value, repairs };
}

/**
 * A list that was written as text: JSON, or as Python or by hand: `['red', 'blue']`, `("a", "b")`,
 * `[red, blue]`. `undefined` where the text is none, as in `[urgent] call`; without a value where it
 * begins as one and cannot be read.
 */
export function readListed(
  written: string,
  budget: RepairBudget,
): { value: JsonValue[] | undefined } | undefined {
  const text = written.trim();
  if (text.startsWith('(')) {
    const tuple = readExactly(text);
    return Array.isArray(tuple) ? { value: tuple } : undefined;
  }
  if (!text.startsWith('[')) return undefined;
  const scan = scanValue(text, 0);
  if (scan.complete && scan.end < text.length) return undefined;
  const value = scan.complete ? readJson(text, budget)?.value : undefined;
  return { value: Array.isArray(value) ? value : undefined };
}

/** An object that was written as text, as JSON or as Python writes it. */
export function readObjectText(written: string, budget: RepairBudget): JsonRecord | undefined {
  const text = written.trim();
  if (!text.startsWith('{') || scanValue(text, 0).end < text.length) return undefined;
  const value = readJson(text, budget)?.value;
  return isRecord(value) ? value : undefined;
}

/**
 * Single quotes, Python literals, bare keys, trailing commas, comments and missing ends change
 * nothing about where a string ends, so they are read for what they are.
 */
function readExactly(text: string): JsonValue | undefined {
  const cursor = newCursor(text, 'json');
  try {
    const value = readLiteral(cursor);
    skip(cursor);
    return cursor.at === text.length ? value : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Quotes inside strings, missing commas and the rest take guessing, which the library is good at. */
function repair(text: string, odd: number, budget: RepairBudget): JsonValue | undefined {
  const cost = (odd + 1) * text.length;
  if (cost > budget.left) return undefined;
  budget.left -= cost;
  try {
    return parseStrict(jsonrepair(text.replaceAll('<|"|>', '"').replaceAll('<escape>', '"')));
  } catch {
    return undefined;
  }
}

/** Names the usual faults, for the log; looks only outside strings. */
function faults(text: string): string[] {
  const bare = withoutStrings(text);
  const found: string[] = [];
  if (bare.includes("'")) found.push('read single quotes as double quotes');
  if (/,\s{0,64}[}\]]/.test(bare)) found.push('dropped a trailing comma');
  if (/\b(?:True|False|None)\b/.test(bare)) found.push('read Python literals as JSON');
  if (/[{,]\s{0,64}[A-Za-z_$][\w$-]{0,64}\s{0,64}:/.test(bare)) found.push('quoted bare keys');
  return found;
}

/** One pass by hand: a pattern would look for the end of an unclosed string from each of its quotes. */
function withoutStrings(text: string): string {
  let bare = '';
  let from = 0;
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (inside && c === '\\') i++;
    else if (c === '"') {
      if (!inside) bare += text.slice(from, i + 1);
      inside = !inside;
      from = i;
    }
  }
  return inside ? bare : bare + text.slice(from);
}
