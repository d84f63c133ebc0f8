import { type JsonRecord, type JsonValue, setOwn } from './json';
import {
  atCut,
  type Cursor,
  ended,
  newCursor,
  peek,
  readLiteral,
  readString,
  separate,
  skip,
  take,
  takeDeclared,
  takeMatch,
  Unreadable,
} from './literal';
import { readPythonic } from './pythonic';
import { type CallBody, type RawCall, type ReadContext, type Reading, unread } from './raw-call';
import type { Slot } from './result';

const NAME = /\w[\w./:-]*?(?=\s{0,8}\{)/y;
const KEY = /[^\s:{}[\],"']{1,256}(?=\s{0,16}:)/y;
const MEMBER = /[^\s:{}[\],"'<|]{1,256}\s{0,16}:(?!\/)/y;
const QUOTES = ['<|"|>', '<escape>'] as const;
const MAX_DEPTH = 64;

/**
 * Reads `call:NAME{key:value,…}`, the markup of the Gemma family: bare keys, text between special
 * quote tokens, numbers and true/false bare. Ordinary quotes are read too.
 */
export function readBraceCalls(body: CallBody, context: ReadContext): Reading | undefined {
  const { text } = body;
  const head = /^\s*call\s{0,8}:\s{0,8}/i.exec(text)?.[0];
  if (head === undefined) return undefined;
  // `call:name(key="value")`: the mark of one family before the form of another.
  if (/^\w[\w./:-]{0,255}\s{0,8}\(/.test(text.slice(head.length))) {
    return readPythonic(text.slice(head.length), context);
  }
  const cursor = newCursor(text);
  const found: RawCall[] = [];
  try {
    for (;;) {
      skip(cursor);
      while (take(cursor, ',') || take(cursor, ';')) skip(cursor);
      if (cursor.at >= text.length) return { calls: found, texts: [], unread: [] };
      takeMatch(cursor, /call\s{0,8}:\s{0,8}/iy);
      const name = takeMatch(cursor, NAME);
      if (name === undefined) throw new Unreadable('a tool name and "{" are missing');
      skip(cursor);
      const form: Form = { closed: body.closed, slots: context.slots?.get(name) };
      const args = readBraces(cursor, 0, form);
      found.push({
        name,
        arguments: args,
        repairs: cursor.cut ? ['closed a call that was cut short'] : [],
      });
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...unread(text.trim(), error.message), calls: found };
  }
}

interface Form {
  /** The call's own end was there, so a text that never ends is one whose quote is missing. */
  closed: boolean;
  /** The tool's arguments, at the top. */
  slots?: readonly Slot[] | undefined;
}

function readBraces(cursor: Cursor, depth: number, form: Form): JsonRecord {
  cursor.at++;
  const record: JsonRecord = {};
  for (;;) {
    skip(cursor);
    if (ended(cursor, '}')) return record;
    const key =
      (depth === 0 ? takeDeclared(cursor, form.slots, ':') : undefined) ??
      readQuoted(cursor) ??
      readString(cursor) ??
      takeMatch(cursor, KEY);
    skip(cursor);
    if (key === undefined) {
      if (!/^[^:{}[\],]{0,256}$/.test(cursor.text.slice(cursor.at, cursor.at + 257))) {
        throw new Unreadable('a key is missing');
      }
      cursor.at = cursor.text.length;
      continue;
    }
    if (atCut(cursor)) continue;
    if (!take(cursor, ':')) throw new Unreadable(`":" is missing after ${JSON.stringify(key)}`);
    skip(cursor);
    if (atCut(cursor)) continue;
    setOwn(record, key, readValue(cursor, depth + 1, form));
    skip(cursor);
    if (!beginsMember(cursor)) separate(cursor, '}');
  }
}

function readValue(cursor: Cursor, depth: number, form: Form): JsonValue {
  if (depth > MAX_DEPTH) throw new Unreadable('it is nested too deeply');
  skip(cursor);
  const start = cursor.at;
  const wasCut = cursor.cut;
  const quoted = readQuoted(cursor);
  if (quoted !== undefined) {
    if (endsValue(cursor, form, start)) return quoted;
    // Quote tokens out of step: this one opened nothing that was closed.
    cursor.at = start;
    cursor.cut = wasCut;
    return readBare(cursor);
  }
  if (peek(cursor) === '{') return readBraces(cursor, depth, form);
  if (peek(cursor) === '[') {
    cursor.at++;
    const list: JsonValue[] = [];
    for (;;) {
      skip(cursor);
      if (ended(cursor, ']')) return list;
      list.push(readValue(cursor, depth + 1, form));
      separate(cursor, ']');
    }
  }
  try {
    const value = readLiteral(cursor, depth);
    skip(cursor);
    if (',}]'.includes(peek(cursor)) || beginsMember(cursor)) return value;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
  cursor.at = start;
  return readBare(cursor);
}

/** Whether a text that just ended can have ended here. */
function endsValue(cursor: Cursor, form: Form, start: number): boolean {
  const { text, at, cut } = cursor;
  if (cut) return !form.closed && !/^[^{}]*\}+\s*$/.test(text.slice(start));
  skip(cursor);
  const ends = cursor.at >= text.length || ',}]'.includes(peek(cursor)) || beginsMember(cursor);
  cursor.at = at;
  return ends;
}

/** A comma is missing: the next key stands here. */
function beginsMember(cursor: Cursor): boolean {
  MEMBER.lastIndex = cursor.at;
  return MEMBER.test(cursor.text);
}

/** Small models forget the quote tokens, or one of a pair: up to the next separator it is text. */
function readBare(cursor: Cursor): string {
  for (const quote of QUOTES) take(cursor, quote);
  const bare = takeMatch(cursor, /[^,{}[\]\n]+/y)?.trim();
  if (bare === undefined) throw new Unreadable('a value is missing');
  const closing = QUOTES.find((quote) => bare.endsWith(quote));
  const text = closing === undefined ? bare : bare.slice(0, -closing.length).trimEnd();
  if (QUOTES.some((quote) => text.includes(quote))) {
    throw new Unreadable('its quote tokens do not match');
  }
  return text;
}

/** Text between two equal quote tokens; nothing in it is an escape. */
function readQuoted(cursor: Cursor): string | undefined {
  const quote = QUOTES.find((q) => take(cursor, q));
  if (quote === undefined) return undefined;
  const end = cursor.text.indexOf(quote, cursor.at);
  cursor.cut ||= end < 0;
  const value = cursor.text.slice(cursor.at, end < 0 ? undefined : end);
  cursor.at = end < 0 ? cursor.text.length : end + quote.length;
  return value;
}
