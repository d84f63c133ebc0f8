import { isExact, isRecord, type JsonRecord, type JsonValue, setOwn } from './json';

/** A place in a text that is being read. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** The text ended inside something that was closed for it. */
  cut: boolean;
  /** Whose escapes strings hold. */
  readonly escapes: 'json' | 'python';
}

export const newCursor = (text: string, escapes: Cursor['escapes'] = 'python'): Cursor => ({
  text,
  at: 0,
  cut: false,
  escapes,
});

/** Why a literal could not be read; thrown inside this folder only, and always caught there. */
export class Unreadable extends Error {}

const MAX_DEPTH = 64;

export function peek(cursor: Cursor): string {
  return cursor.text.charAt(cursor.at);
}

/** Skips whitespace and comments. */
export function skip(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    const c = text.charAt(cursor.at);
    if (c !== '' && (/\s/.test(c) || c === '\ufeff')) cursor.at++;
    else if (c === '#' || text.startsWith('//', cursor.at)) {
      const end = text.indexOf('\n', cursor.at);
      cursor.at = end < 0 ? text.length : end;
    } else if (text.startsWith('/*', cursor.at)) {
      const end = text.indexOf('*/', cursor.at + 2);
      cursor.at = end < 0 ? text.length : end + 2;
    } else return;
  }
}

export function take(cursor: Cursor, token: string): boolean {
  if (!cursor.text.startsWith(token, cursor.at)) return false;
  cursor.at += token.length;
  return true;
}

/** Reads what the sticky pattern matches here. */
export function takeMatch(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (!found) return undefined;
  cursor.at += found[0].length;
  return found[0];
}

/**
 * One of the declared argument names, as it is written, before `mark`: names may hold what no
 * identifier does.
 */
export function takeDeclared(
  cursor: Cursor,
  slots: readonly { name: string }[] | undefined,
  mark: string,
): string | undefined {
  let longest: string | undefined;
  for (const { name } of slots ?? []) {
    if (name.length <= (longest?.length ?? 0) || !cursor.text.startsWith(name, cursor.at)) continue;
    let end = cursor.at + name.length;
    while (cursor.text.charAt(end) === ' ') end++;
    if (cursor.text.startsWith(mark, end)) longest = name;
  }
  if (longest !== undefined) cursor.at += longest.length;
  return longest;
}

const IDENTIFIER = /[A-Za-z_][\w-]*/y;
const NUMBER = /[+-]?(?:(?:0|[1-9]\d*(?:_\d+)*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['None', null],
  ['null', null],
]);

/** Reads one Python or JSON literal: text, number, True/None, list, tuple, dict. Never an expression. */
export function readLiteral(cursor: Cursor, depth = 0): JsonValue {
  if (depth > MAX_DEPTH) throw new Unreadable('it is nested too deeply');
  skip(cursor);
  const text = readString(cursor);
  if (text !== undefined) return text;
  const c = peek(cursor);
  if (c === '[' || c === '(') return readList(cursor, c === '[' ? ']' : ')', depth);
  if (c === '{') return readDict(cursor, depth);
  const number = takeMatch(cursor, NUMBER);
  if (number !== undefined) {
    const digits = number.replaceAll('_', '');
    const value = Number(digits);
    if (!Number.isFinite(value)) throw new Unreadable(`${number} is too large a number`);
    return isExact(digits) ? value : digits;
  }
  const start = cursor.at;
  const word = takeMatch(cursor, IDENTIFIER);
  const value = word === undefined ? undefined : WORDS.get(word);
  if (value === undefined || '.([{'.includes(peek(cursor) || ' ')) {
    const shown = cursor.text.slice(start, start + 24).split(/[\n,)\]}]/, 1)[0] ?? '';
    throw new Unreadable(`${JSON.stringify(shown)} is not a plain value`);
  }
  return value;
}

function readList(cursor: Cursor, close: string, depth: number): JsonValue {
  cursor.at++;
  const list: JsonValue[] = [];
  for (;;) {
    skip(cursor);
    if (ended(cursor, close)) return list;
    list.push(readLiteral(cursor, depth + 1));
    separate(cursor, close);
  }
}

function readDict(cursor: Cursor, depth: number): JsonValue {
  cursor.at++;
  const record: JsonRecord = {};
  for (;;) {
    skip(cursor);
    if (ended(cursor, '}')) return record;
    const key = readString(cursor) ?? takeMatch(cursor, IDENTIFIER) ?? takeMatch(cursor, NUMBER);
    if (key === undefined) throw new Unreadable('a dict key is missing');
    skip(cursor);
    if (atCut(cursor)) continue;
    if (!take(cursor, ':')) throw new Unreadable(`":" is missing after ${JSON.stringify(key)}`);
    skip(cursor);
    if (atCut(cursor)) continue;
    const value = readLiteral(cursor, depth + 1);
    setOwn(record, key, value);
    skipRepeats(cursor, value, depth);
    separate(cursor, '}');
  }
}

/** `{…}{…}`: small models write the same object again, letter by letter; another one is no value. */
function skipRepeats(cursor: Cursor, value: JsonValue, depth: number): void {
  if (!isRecord(value)) return;
  for (skip(cursor); peek(cursor) === '{'; skip(cursor)) {
    const again = readLiteral(cursor, depth + 1);
    if (!cursor.cut && JSON.stringify(again) !== JSON.stringify(value))
      throw new Unreadable('two objects stand for one value');
  }
}

/** At the closing bracket, or at the end of a text that was cut short. */
export function ended(cursor: Cursor, close: string): boolean {
  return take(cursor, close) || atCut(cursor);
}

export function atCut(cursor: Cursor): boolean {
  if (cursor.at < cursor.text.length) return false;
  cursor.cut = true;
  return true;
}

export function separate(cursor: Cursor, close: string): void {
  skip(cursor);
  if (take(cursor, ',') || peek(cursor) === close || atCut(cursor)) return;
  throw new Unreadable(`"," or "${close}" is missing`);
}

const STRING_START = /([rRbBuU]{0,2})("""|'''|"|'|`)/y;

/** Reads a quoted text with its escapes; `undefined` when none begins here. f-strings are refused. */
export function readString(cursor: Cursor): string | undefined {
  if (/[fF]/.test(peek(cursor)) && /["']/.test(cursor.text.charAt(cursor.at + 1))) {
    throw new Unreadable('f-strings are not plain values');
  }
  STRING_START.lastIndex = cursor.at;
  const found = STRING_START.exec(cursor.text);
  if (!found) return undefined;
  cursor.at += found[0].length;
  const raw = /r/i.test(found[1] ?? '');
  const quote = found[2] ?? '"';
  let value = '';
  let from = cursor.at;
  while (cursor.at < cursor.text.length) {
    if (cursor.text.startsWith(quote, cursor.at)) {
      value += cursor.text.slice(from, cursor.at);
      cursor.at += quote.length;
      return value;
    }
    if (peek(cursor) === '\\' && cursor.at + 1 < cursor.text.length) {
      if (raw) cursor.at += 2;
      else {
        value += cursor.text.slice(from, cursor.at) + readEscape(cursor);
        from = cursor.at;
      }
    } else cursor.at++;
  }
  cursor.cut = true;
  return value + cursor.text.slice(from).replace(/\\$/, '');
}

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['/', '/'],
  ['\n', ''],
]);
const JSON_CODE = /\\u([0-9a-fA-F]{4})/y;
const CODE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|u\{([0-9a-fA-F]{1,6})\})/y;

/**
 * An escape the language does not know keeps its backslash, and so do Python's bell, vertical tab and
 * zero, and in spoiled JSON a backspace or form feed before a letter: `\alpha`, `\vec`, `\frac` and
 * `C:\bin` are what was meant.
 */
function readEscape(cursor: Cursor): string {
  const pattern = cursor.escapes === 'json' ? JSON_CODE : CODE;
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  const code = Number.parseInt(found?.[1] ?? found?.[2] ?? found?.[3] ?? found?.[4] ?? '', 16);
  if (found && code <= 0x10ffff) {
    cursor.at += found[0].length;
    // A lone half of a surrogate pair is joined to its other half by plain concatenation.
    return code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
  }
  const c = cursor.text.charAt(cursor.at + 1);
  cursor.at += 2;
  const isWord = (c === 'b' || c === 'f') && /[A-Za-z]/.test(peek(cursor));
  if (isWord && cursor.escapes === 'json') return `\\${c}`;
  return SIMPLE.get(c) ?? `\\${c}`;
}
