import { type JsonRecord, type JsonValue, parseStrict, setOwn } from './json';
import { readJsonArguments } from './json-calls';
import { toType } from './p-format';
import { type CallBody, calls, type ReadContext, type Reading, unread } from './raw-call';

const OPENER = /^<(?:function|invoke)(?:=|\s+name\s*=\s*)["']?([^"'>\s]{1,256})/i;
const PARAMETER =
  /<parameter(?:=|\s{1,8}name\s{0,8}=\s{0,8})["']?([^"'>\n]{1,256}?)["']?\s{0,8}>/gi;
/** Where a value ends when its own end tag was forgotten. */
const VALUE_END = /<\/parameter>|\n\s{0,16}<\/(?:function|invoke)>|\n\s{0,16}<parameter[=\s]/gi;

/**
 * Reads `<function=NAME><parameter=KEY>text</parameter>…</function>`, its attribute spelling, and
 * `<function=NAME>{JSON}</function>`. Values carry no types: they are read by the tool's slot where
 * it is known, else as JSON where they are a number, true/false/null, list or object.
 */
export function readXmlCall(body: CallBody, context: ReadContext): Reading | undefined {
  const name = OPENER.exec(body.opener)?.[1];
  if (name === undefined) return undefined;
  const text = body.text.trim();
  if (text === '') return calls({ name, arguments: undefined, repairs: closing(body) });
  if (text.startsWith('{')) {
    return readJsonArguments(name, text, context) ?? unread(text, 'its arguments cannot be read');
  }
  if (!/^<parameter[=\s]/i.test(text)) return unread(text, 'its parameters cannot be read');
  const args: JsonRecord = {};
  const repairs = closing(body);
  const slots = context.slots?.get(name);
  PARAMETER.lastIndex = 0;
  for (let found = PARAMETER.exec(text); found; found = PARAMETER.exec(text)) {
    const key = found[1] ?? '';
    const from = PARAMETER.lastIndex;
    VALUE_END.lastIndex = from;
    const end = VALUE_END.exec(text);
    if (end?.[0].toLowerCase() !== '</parameter>') {
      repairs.push(`closed the parameter "${key}"`);
    }
    const written = text.slice(from, end?.index);
    const type = slots?.find((slot) => slot.name === key);
    const known = type && type.type !== 'unknown';
    setOwn(args, key, known ? toType(trimLine(written), type.type) : untyped(trimLine(written)));
    PARAMETER.lastIndex = end?.index ?? text.length;
  }
  return calls({ name, arguments: args, repairs });
}

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
