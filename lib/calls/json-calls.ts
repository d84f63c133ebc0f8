import { getOwn, isRecord, type JsonRecord, type JsonValue, parseStrict, setOwn } from './json';
import { CUT_SHORT, readJson } from './lenient-json';
import {
  asRecord,
  calls,
  isOffered,
  join,
  type RawCall,
  type ReadContext,
  type Reading,
  unread,
} from './raw-call';
import { splitValues } from './value-scan';

const ARGUMENT_KEYS = [
  'arguments',
  'parameters',
  'args',
  'params',
  'input',
  'action_input',
  'tool_input',
] as const;
const NAME_KEYS = ['name', 'tool', 'tool_name', 'function_name', 'function', 'action'] as const;
/** Keys beside name and arguments that say nothing about the arguments. */
const ENVELOPE_KEYS = new Set([
  'type',
  'id',
  'call_id',
  'tool_call_id',
  'index',
  'thought_signature',
  'thought',
  'reasoning',
]);
const CALL_TYPES = new Set(['tool_call', 'function', 'function_call', 'tool_use']);
/** A list of calls nested deeper than this is not one. */
const MAX_WRAPPING = 4;

/** Reads the JSON of a marked call: one object, several, or a list of them. Generous about keys. */
export function readJsonBody(text: string, context: ReadContext): Reading | undefined {
  const strict = parseStrict(text.trim());
  if (typeof strict === 'object' && strict !== null) {
    return readJson(text.trim(), context.budget)
      ? (markedCalls(strict, [], context) ?? unread(text, 'it names no tool'))
      : unread(text, 'it is nested too deeply');
  }
  // The first brace is sometimes eaten with the marker.
  const unopened = /^\s{0,64}["']?name["']?\s{0,8}:/.test(text);
  const opened = unopened ? `{${text}` : text;
  const start = opened.search(/[{[]/);
  if (start < 0) return undefined;
  const { source, peeled } = peelBraces(opened.slice(start));
  const { values, noise } = splitValues(source);
  const readings = values.map((segment): Reading => {
    const json = readJson(segment.text, context.budget);
    if (!json) return unread(segment.text, 'its JSON cannot be read');
    const repairs = [...json.repairs];
    if (unopened) repairs.push('added the missing first brace');
    if (peeled) repairs.push('peeled doubled braces');
    else if (noise) repairs.push('ignored text beside the call');
    return markedCalls(json.value, repairs, context) ?? unread(segment.text, 'it names no tool');
  });
  const good = readings.filter((r) => r.calls.length > 0 || r.texts.length > 0);
  if (good.length > 0) return noise ? join(good) : join(readings);
  // Stray quotes can hide where a value ends; then all of it is one value, or nothing is.
  const whole = values.length > 1 || noise ? readJson(source.trim(), context.budget) : undefined;
  const call = whole && markedCalls(whole.value, whole.repairs, context);
  return call ?? unread(text, values.length > 0 ? 'its JSON cannot be read' : 'it holds no JSON');
}

/** Reads the arguments of a call whose name stood before them. `text` starts at the brace. */
export function readJsonArguments(
  name: string,
  text: string,
  context: ReadContext,
): Reading | undefined {
  const [first] = splitValues(text).values;
  const json = first && readJson(first.text, context.budget);
  return json && calls({ name, arguments: json.value, repairs: json.repairs });
}

/** `{{"name":…}}`: templates that escape braces teach models to double them. */
function peelBraces(text: string): { source: string; peeled: boolean } {
  const doubled = /^(?:\{\s{0,8}){1,16}(?=\{)/.exec(text);
  return doubled
    ? { source: text.slice(doubled[0].length), peeled: true }
    : { source: text, peeled: false };
}

function markedCalls(
  value: JsonValue,
  repairs: readonly string[],
  context: ReadContext,
  wrapping = 0,
): Reading | undefined {
  if (wrapping > MAX_WRAPPING) return undefined;
  const inner = (v: JsonValue): Reading | undefined =>
    markedCalls(v, repairs, context, wrapping + 1);
  if (Array.isArray(value)) {
    return joinAll(value.map(inner), repairs.includes(CUT_SHORT));
  }
  if (!isRecord(value) || isDefinition(value)) return undefined;
  const message = messageText(value);
  if (message !== undefined) return { calls: [], texts: [message], unread: [] };
  const plain = namedCall(value, repairs);
  if (plain && ARGUMENT_KEYS.some((key) => Object.hasOwn(value, key))) return calls(plain);
  for (const key of ['tool_calls', 'calls', 'tool_call', 'function_call', 'function'] as const) {
    const wrapped = getOwn(value, key);
    if (typeof wrapped === 'object' && wrapped !== null) return inner(wrapped);
  }
  const call = plain ?? keyedCall(value, repairs, context);
  return call ? calls(call) : undefined;
}

/** What tools are listed with, written back by a model that lists them: nothing is called. */
const isDefinition = (value: JsonRecord): boolean =>
  typeof getOwn(value, 'description') === 'string' &&
  typeof asRecord(getOwn(value, 'parameters'))?.['type'] === 'string';

/** Every one of a list must be readable, but for the last where the text was cut short in it. */
function joinAll(found: readonly (Reading | undefined)[], cut: boolean): Reading | undefined {
  const whole = cut && found.length > 1 && !found.at(-1) ? found.slice(0, -1) : found;
  const read = whole.filter((r) => r !== undefined);
  return read.length > 0 && read.length === whole.length ? join(read) : undefined;
}

/** `{"name":…,"arguments":…}`, and the arguments beside the name where a model forgot to nest them. */
function namedCall(value: JsonRecord, repairs: readonly string[]): RawCall | undefined {
  const nameKey = NAME_KEYS.find((key) => typeof getOwn(value, key) === 'string');
  const name = nameKey && getOwn(value, nameKey);
  if (!nameKey || typeof name !== 'string') return undefined;
  const key = ARGUMENT_KEYS.find((k) => Object.hasOwn(value, k));
  if (key) return { name, arguments: getOwn(value, key), repairs: [...repairs] };
  const beside: JsonRecord = {};
  for (const k of Object.keys(value)) {
    const v = value[k];
    if (k !== nameKey && !ENVELOPE_KEYS.has(k) && v !== undefined) setOwn(beside, k, v);
  }
  const flat = Object.keys(beside).length > 0;
  return {
    name,
    arguments: flat ? beside : undefined,
    repairs: flat ? [...repairs, 'read the arguments beside the name'] : [...repairs],
  };
}

/** `{"search":{"q":"x"}}`: the tool's name as the only key. */
function keyedCall(
  value: JsonRecord,
  repairs: readonly string[],
  context: ReadContext,
): RawCall | undefined {
  const [key, ...more] = Object.keys(value);
  if (key === undefined || more.length > 0 || !context.toolNames?.has(key)) return undefined;
  const args = getOwn(value, key);
  return isRecord(args)
    ? { name: key, arguments: args, repairs: [...repairs, 'read the only key as the name'] }
    : undefined;
}

function messageText(value: JsonRecord): string | undefined {
  const text = getOwn(value, 'text') ?? getOwn(value, 'content');
  return getOwn(value, 'type') === 'message' && typeof text === 'string' ? text : undefined;
}

/**
 * Reads JSON that no marker announces. It counts only when every bit of it is a call or a message:
 * JSON that merely talks about a call, or any other data with a `name`, is prose.
 * `knownOnly`: only offered names count, for JSON that is not the whole reply.
 */
export function readUnmarkedJson(
  text: string,
  context: ReadContext,
  knownOnly: boolean,
): Reading | undefined {
  const { values, noise } = splitValues(text);
  if (noise || values.length === 0) return undefined;
  const readings: Reading[] = [];
  for (const segment of values) {
    const json = readJson(segment.text, context.budget);
    const reading = json && unmarkedCalls(json.value, json.repairs, context, knownOnly);
    if (reading) readings.push(reading);
    // A last one that was cut before it could be told takes nothing from those before it.
    else if (segment.complete || readings.length === 0) return undefined;
  }
  return join(readings);
}

function unmarkedCalls(
  value: JsonValue,
  repairs: readonly string[],
  context: ReadContext,
  knownOnly: boolean,
  wrapping = 0,
): Reading | undefined {
  if (wrapping > MAX_WRAPPING) return undefined;
  const inner = (v: JsonValue): Reading | undefined =>
    unmarkedCalls(v, repairs, context, knownOnly, wrapping + 1);
  if (Array.isArray(value)) {
    return joinAll(value.map(inner), repairs.includes(CUT_SHORT));
  }
  if (!isRecord(value)) return undefined;
  const message = messageText(value);
  if (message !== undefined && !knownOnly) return { calls: [], texts: [message], unread: [] };
  const list = getOwn(value, 'tool_calls');
  if (Array.isArray(list) && Object.keys(value).every((k) => LIST_KEYS.has(k))) {
    const reading = inner(list);
    const content = getOwn(value, 'content');
    return reading && typeof content === 'string'
      ? join([{ calls: [], texts: [content], unread: [] }, reading])
      : reading;
  }
  for (const key of ['function', 'function_call', 'tool_call']) {
    const wrapped = asRecord(getOwn(value, key));
    if (wrapped && others(value, [key]).length === 0) return inner(wrapped);
  }
  const other = namedCall(value, repairs);
  const name = getOwn(value, 'name');
  if (typeof name !== 'string') {
    // Other names for the name and the arguments: a call where it can be nothing else.
    const names = [...NAME_KEYS, ...ARGUMENT_KEYS];
    const whole = other && isRecord(other.arguments) && others(value, names).length === 0;
    const has = ARGUMENT_KEYS.some((k) => Object.hasOwn(value, k));
    return whole && has && context.toolNames?.has(other.name) ? calls(other) : undefined;
  }
  const key = ['arguments', 'parameters'].find((k) => Object.hasOwn(value, k));
  const typed = CALL_TYPES.has(String(getOwn(value, 'type')));
  if (others(value, ['name', key ?? '']).length > 0 || !(typed || key)) return undefined;
  const args = key && getOwn(value, key);
  const known = isOffered(context, name);
  if (!known && (knownOnly || !(typed || isRecord(args) || typeof args === 'string')))
    return undefined;
  return calls({ name, arguments: args, repairs: [...repairs] });
}

const LIST_KEYS = new Set(['tool_calls', 'content', 'role', 'type']);
const others = (value: JsonRecord, keys: readonly string[]): string[] =>
  Object.keys(value).filter((k) => !keys.includes(k) && !ENVELOPE_KEYS.has(k));
