import { DIALECTS } from './dialects/table';
import { getOwn, isRecord, type JsonRecord, type JsonValue, parseStrict } from './json';
import { type RepairBudget, readJson } from './lenient-json';
import { closestNames } from './names';
import type { RawCall, ReadContext, Unread } from './raw-call';
import type { ReadCall } from './result';
import { splitValues } from './value-scan';

const MAX_NAMES = 24;
const MAX_LIST = 1000;
const MAX_EXCERPT = 80;

/** Turns a call as found into one that may be run, or into the message that goes back to the model. */
export function settle(raw: RawCall, context: ReadContext): ReadCall | string {
  const offered = context.toolNames ?? new Set<string>();
  const name = offered.has(raw.name) ? raw.name : raw.name.trim();
  if (!offered.has(name)) {
    return context.unknownTool?.(name, raw.arguments) ?? unknownTool(name, offered);
  }
  const repairs = [...raw.repairs];
  const args = toRecord(raw.arguments, context.budget, repairs);
  if (!args) return `Arguments for "${name}" must be a JSON object.`;
  return { name, arguments: unwrap(name, args, context, repairs), repairs };
}

function toRecord(
  value: JsonValue | undefined,
  budget: RepairBudget,
  repairs: string[],
): JsonRecord | undefined {
  if (value === undefined || value === null) return {};
  if (isRecord(value)) return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text === '' || text === 'null') return {};
  const inner = text.startsWith('"') ? parseStrict(text) : undefined;
  // JSON text in JSON text: each round is shorter than the one before.
  if (typeof inner === 'string') return toRecord(inner, budget, repairs);
  if (!text.startsWith('{')) return undefined;
  const { values, noise } = splitValues(text);
  const [first, ...again] = values.map((segment) => segment.text);
  // The same object again, letter by letter, says nothing more.
  const once = !noise && first !== undefined && again.every((other) => other === first);
  const read = readJson(once ? first : text, budget);
  if (!read || !isRecord(read.value)) return undefined;
  repairs.push(...read.repairs);
  return read.value;
}

/** `{"name":"f","arguments":{"name":"f","arguments":{…}}}`, unless those are arguments of the tool itself. */
function unwrap(
  name: string,
  args: JsonRecord,
  context: ReadContext,
  repairs: string[],
): JsonRecord {
  const keys = Object.keys(args);
  const key = keys.find((k) => k === 'arguments' || k === 'parameters');
  if (keys.length !== 2 || key === undefined || getOwn(args, 'name') !== name) return args;
  if (context.slots?.get(name)?.some((slot) => slot.name === key)) return args;
  const inner = toRecord(getOwn(args, key), context.budget, repairs);
  if (!inner) return args;
  repairs.push('unwrapped a doubled call');
  return inner;
}

/** Says what is offered and, where one is near, which name was likely meant. */
function unknownTool(name: string, offered: ReadonlySet<string>): string {
  const near = closestNames(name, offered).map((n) => JSON.stringify(n));
  const last = near.pop();
  const hint =
    last === undefined
      ? ''
      : ` Did you mean ${near.length > 0 ? `${near.join(', ')} or ${last}` : last}? Write the name exactly.`;
  return `Unknown tool "${clip(name)}". Available now: ${listNames(offered)}.${hint}`;
}

function listNames(offered: ReadonlySet<string>): string {
  const shown: string[] = [];
  let length = 0;
  for (const name of offered) {
    length += name.length + 2;
    if (shown.length === MAX_NAMES || length > MAX_LIST) break;
    shown.push(name);
  }
  const more = offered.size - shown.length;
  if (offered.size === 0) return 'none';
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** Shows what could not be read, why, and what to write instead. */
export function unreadable(piece: Unread, context: ReadContext): string {
  const example = DIALECTS[context.dialect ?? 'hermes'].example;
  return `Couldn't read a tool call: ${clip(piece.excerpt)} (${piece.why}); write ${example} instead.`;
}

export const calledInThought = (context: ReadContext): string =>
  `Couldn't read a tool call: it stands inside a thought that never ends, where nothing is run; end the thought, then write ${DIALECTS[context.dialect ?? 'hermes'].example}.`;

/** On one line, and never half a character. */
function clip(text: string): string {
  const line = text
    .slice(0, 4 * MAX_EXCERPT)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= MAX_EXCERPT) return line;
  return `${line.slice(0, MAX_EXCERPT).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
