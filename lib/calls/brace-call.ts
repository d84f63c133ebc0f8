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
  takeMatch,
  Unreadable,
} from './literal';
import type { RawCall, Reading } from './raw-call';
import { unread } from './raw-call';

const NAME = /\w[\w./:-]*?(?=\s{0,8}\{)/y;
const KEY = /[^\s:{}[\],"']{1,256}(?=\s{0,16}:)/y;
const QUOTES = ['<|"|>', '<escape>'] as const;
const MAX_DEPTH = 64;

/**
 * Reads `call:NAME{key:value,…}`, the markup of the Gemma family: bare keys, text between special
 * quote tokens, numbers and true/false bare. Ordinary quotes are read too.
 */
export function readBraceCalls(text: string): Reading | undefined {
  if (!/^\s*call\s{0,8}:/i.test(text)) return undefined;
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
      const args = readBraces(cursor, 0);
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

function readBraces(cursor: Cursor, depth: number): JsonRecord {
  cursor.at++;
  const record: JsonRecord = {};
  for (;;) {
    skip(cursor);
    if (ended(cursor, '}')) return record;
    const key = readQuoted(cursor) ?? readString(cursor) ?? takeMatch(cursor, KEY);
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
    setOwn(record, key, readValue(cursor, depth + 1));
    separate(cursor, '}');
  }
}

function readValue(cursor: Cursor, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw new Unreadable('it is nested too deeply');
  skip(cursor);
  const quoted = readQuoted(cursor);
  if (quoted !== undefined) return quoted;
  if (peek(cursor) === '{') return readBraces(cursor, depth);
  if (peek(cursor) === '[') {
    cursor.at++;
    const list: JsonValue[] = [];
    for (;;) {
      skip(cursor);
      if (ended(cursor, ']')) return list;
      list.push(readValue(cursor, depth + 1));
      separate(cursor, ']');
    }
  }
  const start = cursor.at;
  try {
    const value = readLiteral(cursor, depth);
    skip(cursor);
    if (',}]'.includes(peek(cursor))) return value;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
  // Small models forget the quote tokens: up to the next separator it is text.
  cursor.at = start;
  const bare = takeMatch(cursor, /[^,{}[\]\n]+/y);
  if (bare === undefined) throw new Unreadable('a value is missing');
  return bare.trim();
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
