import { jsonrepair } from 'jsonrepair';
import { scanValue } from './value-scan';

/** Plain JSON. The same shape as the tools' own type, which this folder may not import. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue };
export type JsonRecord = { [key: string]: JsonValue };

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

export function isRecord(value: JsonValue | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets an own key; a key such as `__proto__` stays data. */
export function setOwn(record: JsonRecord, key: string, value: JsonValue): void {
  Object.defineProperty(record, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

export function getOwn(record: JsonRecord, key: string): JsonValue | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Strict JSON, `undefined` where the text is none. */
export function parseStrict(text: string): JsonValue | undefined {
  try {
    // JSON.parse can return nothing but JSON.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

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
  const cost = (scan.odd + 1) * whole.length;
  if (cost > budget.left) return undefined;
  budget.left -= cost;
  const value = repair(whole);
  if (typeof value !== 'object' || value === null) return undefined;
  const repairs = faults(whole);
  if (!scan.complete) repairs.push(CUT_SHORT);
  if (repairs.length === 0) repairs.push('mended JSON that was not quite valid');
  return { value, repairs };
}

function repair(text: string): JsonValue | undefined {
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
