import { type JsonRecord, type JsonValue, parseStrict, setOwn } from './json';
import { readJsonArguments } from './json-calls';
import { toType } from './p-format';
import { type CallBody, calls, type ReadContext, type Reading, unread } from './raw-call';
import type { Slot } from './result';

const OPENER = /^<(?:function|invoke)(?:=|\s+name\s*=\s*)["']?([^"'>\s]{1,256})/i;
const PARAMETER =
  /<parameter(?:=|\s{1,8}name\s{0,8}=\s{0,8})["']?([^"'>\n]{1,256}?)["']?\s{0,8}>/gi;
/**
 * The end tag of a value is the one that something follows which may follow a value: the next
 * parameter, or the end of the call. Any other is text of the value.
 */
const VALUE_END =
  /<\/parameter>(?=\s{0,64}(?:<parameter[=\s]|(?:<\/(?:function|invoke)>\s{0,64})?$))/gi;
/** Where a value without its end tag ends. */
const CALL_END = /\n\s{0,16}<\/(?:function|invoke)>/gi;
const OPENER_LINE =
  /\n\s{0,16}<parameter(?:=|\s{1,8}name\s{0,8}=\s{0,8})["']?([^"'>\n]{1,256}?)["']?\s{0,8}>/gi;

/**
 * Reads `<function=NAME><parameter=KEY>text</parameter>…</function>`, its attribute spelling, and
 * `<function=NAME>{JSON}</function>`. Values carry no types: they are read by the tool's slot where
 * it is known, else as JSON where they are a number, true/false/null, list or object.
 */
export function readXmlCall(body: CallBody, context: ReadContext): Reading | undefined {
  const name = OPENER.exec(body.opener)?.[1];
  if (name === undefined) return readArgKeys(body, context);
  const text = body.text.trim();
  if (text === '') return calls({ name, arguments: undefined, repairs: closing(body) });
  if (text.startsWith('{')) {
    return readJsonArguments(name, text, context) ?? unread(text, 'its arguments cannot be read');
  }
  if (!/^<parameter[=\s]/i.test(text)) return unread(text, 'its parameters cannot be read');
  const args: JsonRecord = {};
  const repairs = closing(body);
  const slots = context.slots?.get(name);
  const endOf = valueEnds(text, slots);
  PARAMETER.lastIndex = 0;
  for (let found = PARAMETER.exec(text); found; found = PARAMETER.exec(text)) {
    const key = found[1] ?? '';
    const from = PARAMETER.lastIndex;
    const written = text.slice(from, endOf(from, key, args));
    const after = from + written.length;
    if (!/^<\/parameter>/i.test(text.slice(after, after + 12))) {
      repairs.push(`closed the parameter "${key}"`);
    }
    const type = slots?.find((slot) => slot.name === key);
    const known = type && type.type !== 'unknown';
    setOwn(args, key, known ? toType(trimLine(written), type.type) : untyped(trimLine(written)));
    PARAMETER.lastIndex = after;
  }
  return calls({ name, arguments: args, repairs });
}

const KEYED = /^\s*([\w./:-]{1,256})\s*(?=<arg_key>)/;
const KEY_AND_VALUE =
  /<arg_key>([^<]{1,256})<\/arg_key>\s{0,64}<arg_value>([\s\S]*?)<\/arg_value>(?=\s{0,64}(?:<arg_key>|$))/g;

/** `NAME<arg_key>KEY</arg_key><arg_value>text</arg_value>…`, as GLM writes it. */
function readArgKeys(body: CallBody, context: ReadContext): Reading | undefined {
  const name = KEYED.exec(body.text)?.[1];
  if (name === undefined) return undefined;
  const args: JsonRecord = {};
  const slots = context.slots?.get(name);
  for (const [, key = '', written = ''] of body.text.trim().matchAll(KEY_AND_VALUE)) {
    const type = slots?.find((slot) => slot.name === key)?.type;
    const known = type !== undefined && type !== 'unknown';
    setOwn(args, key, known ? toType(trimLine(written), type) : untyped(trimLine(written)));
  }
  return calls({ name, arguments: args, repairs: closing(body) });
}

/** Tells where values end, one after the other. */
function valueEnds(text: string, slots: readonly Slot[] | undefined) {
  const first = /<\/parameter>/gi;
  const next = {
    proper: indexes(text, VALUE_END),
    any: indexes(text, first),
    call: indexes(text, CALL_END),
  };
  const openers = [...text.matchAll(OPENER_LINE)];
  const after = (places: number[], from: number): number | undefined => {
    while ((places[0] ?? from) < from) places.shift();
    return places[0];
  };
  return (from: number, key: string, given: JsonRecord): number => {
    const end =
      after(next.proper, from) ?? after(next.any, from) ?? after(next.call, from) ?? text.length;
    while ((openers[0]?.index ?? from) < from) openers.shift();
    // The end tag is forgotten where another argument of the tool begins on a line of its own.
    for (const { index, 1: name = '' } of openers) {
      if (index >= end) break;
      const isOther =
        name !== key &&
        !Object.hasOwn(given, name) &&
        (slots === undefined || slots.some((slot) => slot.name === name));
      if (isOther && text.slice(from, index).trim() !== '') return index;
    }
    return end;
  };
}

const indexes = (text: string, pattern: RegExp): number[] =>
  [...text.matchAll(pattern)].map((found) => found.index);

const closing = (body: CallBody): string[] => (body.closed ? [] : ['closed an unclosed call']);

/** The format puts each value on lines of its own: one line break on each side is not the value's. */
const trimLine = (text: string): string => text.replace(/^\r?\n/, '').replace(/\r?\n$/, '');

function untyped(text: string): JsonValue {
  const value = parseStrict(text);
  if (value !== undefined && typeof value !== 'string') return value;
  if (text === 'True') return true;
  if (text === 'False') return false;
  return text === 'None' ? null : text;
}
