import { isRecord, type JsonRecord, type JsonValue, setOwn } from './json';
import {
  atCut,
  type Cursor,
  ended,
  newCursor,
  readLiteral,
  separate,
  skip,
  take,
  takeDeclared,
  takeMatch,
  Unreadable,
} from './literal';
import type { RawCall, ReadContext, Reading } from './raw-call';
import { unread } from './raw-call';
import type { Slot } from './result';

const NAME = /\w[\w./:-]*/y;
const KEY = /[\p{L}_][\p{L}\p{M}\p{N}_-]{0,255}(?=\s{0,16}=(?!=))/uy;
const PREFIX = /(?:await\s{1,8}|[A-Za-z_]\w{0,63}\s{0,8}=\s{0,8}(?=\w))/y;

/**
 * Reads `[f(a=1), g(b='x')]`, also without the list, on lines of their own, or inside `print(…)`.
 * Values are literals; nothing is ever evaluated. `undefined` where the text does not begin so.
 */
export function readPythonic(text: string, context: ReadContext): Reading | undefined {
  if (
    !/^\s*(?:\[\s*)?(?:[A-Za-z_]\w{0,63}\s{0,8}=\s{0,8}|await\s{1,8})?\w[\w./:-]*\s{0,8}\(/.test(
      text,
    )
  ) {
    return undefined;
  }
  const cursor = newCursor(text);
  const found: RawCall[] = [];
  try {
    skip(cursor);
    const listed = take(cursor, '[');
    for (;;) {
      skip(cursor);
      while (take(cursor, ',') || take(cursor, ';')) skip(cursor);
      if (listed && take(cursor, ']')) break;
      if (atCut(cursor)) break;
      found.push(readCall(cursor, context));
    }
    skip(cursor);
    if (cursor.at < text.length) throw new Unreadable('text follows the call');
    if (listed && cursor.cut) found.at(-1)?.repairs.push('closed a call that was cut short');
    return { calls: found, texts: [], unread: [] };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const rest = unread(text.trim(), error.message);
    return { ...rest, calls: found };
  }
}

function readCall(cursor: Cursor, context: ReadContext): RawCall {
  takeMatch(cursor, PREFIX);
  const written = takeMatch(cursor, NAME);
  if (written === undefined) throw new Unreadable('a tool name is missing');
  skip(cursor);
  if (!take(cursor, '(')) throw new Unreadable(`"(" is missing after ${written}`);
  if (written === 'print' && !context.toolNames?.has('print')) {
    skip(cursor);
    const call = readCall(cursor, context);
    skip(cursor);
    if (!take(cursor, ')')) atCut(cursor);
    return call;
  }
  const name = written.replace(/^default_api\./, '');
  const repairs = name === written ? [] : ['dropped "default_api."'];
  const args = readArguments(cursor, name, context, repairs);
  if (cursor.cut) repairs.push('closed a call that was cut short');
  return { name, arguments: args, repairs };
}

function readArguments(
  cursor: Cursor,
  name: string,
  context: ReadContext,
  repairs: string[],
): JsonRecord {
  const args: JsonRecord = {};
  const seen = new Set<string>();
  let position = 0;
  const slots = context.slots?.get(name);
  const put = (key: string, value: JsonValue): void => {
    if (seen.has(key)) throw new Unreadable(`${key} is given twice`);
    seen.add(key);
    // None at the top is how Python leaves an optional argument out.
    if (value !== null) setOwn(args, key, value);
  };
  for (;;) {
    takeMatch(cursor, /\s+/y);
    // Before anything else: a name may begin with what opens a comment or closes the call.
    const declared = takeDeclared(cursor, slots, '=');
    if (declared === undefined) skip(cursor);
    if (declared === undefined && ended(cursor, ')')) return args;
    if (declared === undefined && take(cursor, '**')) {
      const value = readLiteral(cursor);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw new Unreadable('** needs a dict');
      }
      for (const [key, inner] of Object.entries(value)) put(key, inner);
    } else {
      const key = declared ?? takeMatch(cursor, KEY);
      if (key !== undefined) {
        skip(cursor);
        cursor.at++;
        skip(cursor);
        if (atCut(cursor)) return args;
        put(key, readLiteral(cursor));
      } else {
        const value = cutWord(cursor) ? undefined : readLiteral(cursor);
        if (value === undefined) return args;
        if (seen.size > position) throw new Unreadable('a value without a name follows named ones');
        if (position === 0 && isArguments(value, slots)) {
          for (const [inner, given] of Object.entries(value)) put(inner, given);
          position = Number.POSITIVE_INFINITY;
          repairs.push('read the only value as the arguments');
          separate(cursor, ')');
          continue;
        }
        const slot = slots?.[position];
        if (!slot) throw new Unreadable(`argument ${position + 1} of ${name} has no name`);
        position++;
        put(slot.name, value);
        repairs.push(`read argument ${position} as "${slot.name}"`);
      }
    }
    separate(cursor, ')');
  }
}

/** `f({"q": "x"})`: one dict of declared arguments, where the first argument takes no object. */
function isArguments(value: JsonValue, slots: readonly Slot[] | undefined): value is JsonRecord {
  const [first] = slots ?? [];
  if (!isRecord(value) || first === undefined || Object.keys(value).length === 0) return false;
  const takesObject =
    first.type === undefined || first.type === 'object' || first.type === 'unknown';
  return !takesObject && Object.keys(value).every((key) => slots?.some(({ name }) => name === key));
}

/** A name or word that the end of the text cut off: nothing of it can be kept. */
function cutWord(cursor: Cursor): boolean {
  const rest = cursor.text.slice(cursor.at, cursor.at + 65);
  if (cursor.at + rest.length < cursor.text.length || !/^\w+\s*$/.test(rest)) return false;
  if (!/^[A-Za-z_]/.test(rest)) return false;
  cursor.at = cursor.text.length;
  cursor.cut = true;
  return true;
}
