import { type JsonRecord, type JsonValue, parseStrict, setOwn } from './json';
import { calls, type RawCall, type ReadContext, type Reading, unread } from './raw-call';
import type { Slot } from './result';

const CALL = /^\s*(\w[\w./:-]*)\[/;

/**
 * Reads `name[0|value|1|value]`: argument numbers and values in turn, `\` escaping `|`, `]` and
 * itself. An empty value leaves the argument out, or takes it back; the last of a number wins.
 * Several calls stand on lines of their own.
 */
export function readPFormat(text: string, context: ReadContext): Reading | undefined {
  if (!CALL.test(text)) return undefined;
  const found: RawCall[] = [];
  let rest = text;
  while (rest.trim() !== '') {
    const head = CALL.exec(rest);
    const name = head?.[1];
    if (!head || name === undefined) {
      return { ...unread(rest.trim(), 'text follows the call'), calls: found };
    }
    const { tokens, end, cut } = readTokens(rest, head[0].length);
    const args = readSlots(name, tokens, context.slots?.get(name), cut);
    if (typeof args === 'string') return { ...unread(rest.trim(), args), calls: found };
    found.push({ name, arguments: args, repairs: cut ? ['closed a call that was cut short'] : [] });
    rest = rest.slice(end).replace(/^\s*[,;]?/, '');
  }
  return calls(...found);
}

function readTokens(text: string, start: number): { tokens: string[]; end: number; cut: boolean } {
  const tokens: string[] = [];
  let token = '';
  for (let i = start; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === '\\' && i + 1 < text.length) {
      token += text.charAt(++i);
    } else if (c === '|') {
      tokens.push(token);
      token = '';
    } else if (c === ']') {
      if (tokens.length > 0 || token.trim() !== '') tokens.push(token);
      return { tokens, end: i + 1, cut: false };
    } else token += c;
  }
  if (tokens.length % 2 === 1) tokens.push(token);
  return { tokens, end: text.length, cut: true };
}

/** The arguments, or what is wrong with them. */
function readSlots(
  name: string,
  tokens: readonly string[],
  slots: readonly Slot[] | undefined,
  cut: boolean,
): JsonRecord | string {
  if (tokens.length % 2 === 1) return 'every value needs its number before it';
  const given = new Map<string, JsonValue>();
  for (let i = 0; i + 1 < tokens.length; i += 2) {
    const number = tokens[i]?.trim() ?? '';
    const text = tokens[i + 1] ?? '';
    const slot = /^\d{1,4}$/.test(number) ? slots?.[Number(number)] : undefined;
    if (!slot) {
      const many = slots?.length ?? 0;
      return `${JSON.stringify(number.slice(0, 20))} is not one of the argument numbers of ${name}${many > 0 ? ` (0 to ${many - 1})` : ''}`;
    }
    if (text === '') given.delete(slot.name);
    else given.set(slot.name, toType(text, slot.type));
  }
  const args: JsonRecord = {};
  for (const [key, value] of given) setOwn(args, key, value);
  return cut && tokens.length === 0 ? {} : args;
}

/** Reads the text as the declared type; text that does not fit stays text, for validation to name. */
export function toType(text: string, type: string | undefined): JsonValue {
  const trimmed = text.trim();
  switch (type) {
    case 'integer':
    case 'number': {
      const value = parseStrict(trimmed);
      return typeof value === 'number' && Number.isFinite(value) ? value : text;
    }
    case 'boolean':
      if (/^true$/i.test(trimmed)) return true;
      return /^false$/i.test(trimmed) ? false : text;
    case 'null':
      return /^(?:null|none)$/i.test(trimmed) ? null : text;
    case 'array':
    case 'object': {
      const value = parseStrict(trimmed);
      return typeof value === 'object' && value !== null ? value : text;
    }
    default:
      return text;
  }
}
