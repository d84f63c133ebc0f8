import { parseStrict } from '../calls/json';
import { say } from '../said/say';
import { isRecord, ownValue, type UnknownRecord } from '../tools/own-data';
import { cutText } from '../tools/text/cut';
import { cleanText } from '../tools/text/untrusted';

/** What a model gets to read of one result, in characters: enough for a step, little for a window. */
const RESULT_LIMIT = 600;
/** Longest error of a tool told to a model. */
const ERROR_LIMIT = 160;
/** Longer JSON is not taken apart: it is shown as text, head and tail. */
const MAX_PARSED = 4_000_000;
const MAX_NODES = 3000;

/** A result as the loop goes on with it. */
export interface ReadResult {
  /** What the tool means by it, parsed where it is JSON; a string otherwise. */
  value: unknown;
  /** The tool's words for what went wrong; absent where nothing did. */
  error?: string;
}

/**
 * Reads what a tool gave back: JSON text, plain text, the envelope of MCP, or an error told as the whole
 * of the result. `null`, `""` and the word `undefined` are results too: the tool ran and said nothing.
 */
export function readResult(value: string | null): ReadResult {
  if (value === null || value.trim() === 'undefined') return { value: null };
  return readValue(parseJson(value));
}

function readValue(value: unknown): ReadResult {
  const parts = isRecord(value) ? partsOf(value) : undefined;
  if (!isRecord(value) || parts === undefined) return withError(value, statedFailure(value));
  const structured = ownValue(value, 'structuredContent');
  const inner =
    typeof structured === 'object' && structured !== null ? structured : contentOf(parts);
  const error = statedFailure(inner);
  if (ownValue(value, 'isError') !== true) return withError(inner, error);
  return withError(inner, error ?? cutError(textOf(parts)));
}

const withError = (value: unknown, error: string | undefined): ReadResult =>
  error === undefined ? { value } : { value, error };

/** The parts of an MCP result, none where only its `structuredContent` says it; absent where it is none. */
function partsOf(result: UnknownRecord): readonly UnknownRecord[] | undefined {
  const content = ownValue(result, 'content');
  const structured = ownValue(result, 'structuredContent');
  if (content === undefined && typeof structured === 'object' && structured !== null) return [];
  if (!Array.isArray(content)) return undefined;
  const parts = content.filter(isRecord);
  const typed = parts.every((part) => typeof ownValue(part, 'type') === 'string');
  return typed && parts.length === content.length ? parts.slice(0, MAX_NODES) : undefined;
}

const textOf = (parts: readonly UnknownRecord[]): string => parts.map(partText).join('\n');

function partText(part: UnknownRecord): string {
  const resource = ownValue(part, 'resource');
  const holder = isRecord(resource) ? resource : part;
  const text = ownValue(holder, 'text');
  if (typeof text === 'string') return text;
  const uri = ownValue(holder, 'uri');
  const type = String(ownValue(part, 'type'));
  if (typeof uri !== 'string') return `[${type}]`;
  const name = ownValue(holder, 'title') ?? ownValue(holder, 'name');
  return typeof name === 'string' ? `${name}: ${uri}` : `[${type} ${uri}]`;
}

/** Data where the text is JSON or ends in it; words said before the data are its `message`. */
function contentOf(parts: readonly UnknownRecord[]): unknown {
  const text = textOf(parts);
  const whole = parseJson(text);
  if (typeof whole !== 'string') return whole;
  const at = /\n[ \t]*(?=[[{])/.exec(text);
  const data = at ? parseJson(text.slice(at.index)) : undefined;
  const message = text.slice(0, at?.index ?? 0).trim();
  if (Array.isArray(data)) return { message, items: data };
  return isRecord(data) ? { message, ...data } : text;
}

/** Beside these a failure says nothing: what else stands in a result is data. */
const TOLD_OF_FAILURE =
  /^(?:error|is_?error|success|ok|status|message|reason|details?|hint|type|(?:error_?|status_?)?code)$/i;

/**
 * The error a result states. It counts where the result is about nothing else: an `error` said first,
 * alone or beside `ok: false`, or a failed state with its words. A record with an id and a failed
 * state is data: the tool did tell about it.
 */
export function statedFailure(value: unknown): string | undefined {
  if (typeof value === 'string') return statedError(value);
  if (!isRecord(value)) return undefined;
  const names = Object.keys(value).slice(0, MAX_NODES);
  const alone = names.every(
    (name) => TOLD_OF_FAILURE.test(name) || isNothing(ownValue(value, name)),
  );
  const error = ownValue(value, 'error');
  const message = ownValue(value, 'message');
  const denied = ownValue(value, 'success') === false || ownValue(value, 'ok') === false;
  const flagged = ownValue(value, 'isError') === true;
  if (!(alone || denied || flagged || names[0] === 'error')) return undefined;
  if (typeof error === 'string' && error.trim() !== '') {
    return cutError(
      typeof message === 'string' && message !== error ? `${error}: ${message}` : error,
    );
  }
  if (isRecord(error)) {
    const inner = ownValue(error, 'message');
    return cutError(typeof inner === 'string' ? inner : lines(error, ERROR_LIMIT));
  }
  const status = ownValue(value, 'status');
  const failed = error === true || denied || status === 'error' || status === 'failed';
  if (!flagged && !(alone && failed)) return undefined;
  const reason = ownValue(value, 'reason');
  if (typeof message === 'string') return cutError(message);
  return cutError(typeof reason === 'string' ? reason : lines(value, ERROR_LIMIT));
}

const isNothing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** One line that begins by saying that it is an error. */
function statedError(text: string): string | undefined {
  const stated = /^error(?::| -) *(\S[^\n]*)$/i.exec(text.trim());
  return stated?.[1] === undefined ? undefined : cutError(stated[1]);
}

/** What is said of a failure without a word. */
export const SILENT = say('tool-silent');

/** An error in one line a model can take in. */
export function cutError(text: string): string {
  const flat = cleanText(text).replace(/\s+/g, ' ').trim();
  if (flat === '') return SILENT.text;
  return flat.length > ERROR_LIMIT ? `${cutText(flat, ERROR_LIMIT - 1)}…` : flat;
}

export interface RenderOptions {
  /** Most characters; default 600. */
  limit?: number;
  /** Names of the fields to keep, wherever they stand; all where absent or where none is found. */
  fields?: readonly string[];
}

/** How much of a value each try shows; the first that fits is taken. */
const TRIES = [
  { items: 7, text: 200, fields: 24, depth: 4 },
  { items: 7, text: 80, fields: 12, depth: 3 },
  { items: 5, text: 60, fields: 8, depth: 3 },
  { items: 4, text: 48, fields: 6, depth: 2 },
  { items: 3, text: 40, fields: 5, depth: 2 },
  { items: 2, text: 32, fields: 4, depth: 2 },
  { items: 1, text: 24, fields: 3, depth: 1 },
] as const;
type Detail = { items: number; text: number; fields: number; depth: number };

/**
 * A result as `key: value` lines, which small models read better than JSON. Cut where it hurts
 * least: lists to their first entries and a count, long texts to head and tail, many fields to the
 * first ones with those that identify a thing in front.
 */
export function renderResult(value: unknown, options: RenderOptions = {}): string {
  const limit = Math.max(0, options.limit ?? RESULT_LIMIT);
  const kept = options.fields === undefined ? value : pickFields(value, options.fields);
  if (kept === null || kept === undefined) return 'done';
  if (kept === '') return 'done (empty text)';
  if (Array.isArray(kept) && kept.length === 0) return 'empty list';
  if (typeof kept === 'string') return cutMiddle(cleanText(kept).trim(), limit);
  return lines(kept, limit);
}

function lines(value: unknown, limit: number): string {
  let text = '';
  for (const detail of TRIES) {
    text = renderNode(value, detail, { left: MAX_NODES }, '', 0).join('\n');
    if (text.length <= limit) return text === '' ? 'empty object' : text;
  }
  return cutText(text, Math.max(0, limit - 1)).concat('…');
}

interface Bound {
  left: number;
}

/** Lines of an object or a list; a scalar is one line. */
function renderNode(
  value: unknown,
  detail: Detail,
  bound: Bound,
  path: string,
  depth: number,
): string[] {
  if (--bound.left < 0) return [];
  if (Array.isArray(value)) return renderList(value, detail, bound, path, depth);
  if (!isRecord(value))
    return [path === '' ? inline(value, detail) : `${path}: ${inline(value, detail)}`];
  const out: string[] = [];
  const names = fieldOrder(value);
  for (const name of names.slice(0, detail.fields)) {
    const inner = ownValue(value, name);
    const at = path === '' ? label(name) : `${path}.${label(name)}`;
    if (typeof inner === 'object' && inner !== null && depth < detail.depth) {
      const nested = renderNode(inner, detail, bound, at, depth + 1);
      out.push(...(nested.length > 0 ? nested : [`${at}: none`]));
    } else {
      out.push(`${at}: ${inline(inner, detail)}`);
    }
  }
  const left = names.length - detail.fields;
  if (left > 0) out.push(`${path === '' ? '' : `${path}: `}(${left} more fields)`);
  return out;
}

function renderList(
  list: readonly unknown[],
  detail: Detail,
  bound: Bound,
  path: string,
  depth: number,
): string[] {
  if (list.length === 0) return [`${path}: none`];
  const out: string[] =
    path === '' ? [] : [`${path}: ${list.length === 1 ? '1 entry' : `${list.length} entries`}`];
  if (path === '' && list.length > detail.items) out.push(`${list.length} entries`);
  if (list.every((item) => typeof item !== 'object' || item === null)) {
    const shown = list.slice(0, detail.items * 2).map((item) => inline(item, detail));
    const left = list.length - shown.length;
    const text = shown.join(', ') + (left > 0 ? ` and ${left} more` : '');
    return [path === '' ? text : `${path}: ${text}`];
  }
  for (const [at, item] of list.slice(0, detail.items).entries()) {
    if (--bound.left < 0) break;
    out.push(`${at + 1}. ${flat(item, detail, depth + 1)}`);
  }
  const left = list.length - detail.items;
  if (left > 0) out.push(`(${left} more not shown)`);
  return out;
}

/** One entry of a list on one line. */
function flat(item: unknown, detail: Detail, depth: number): string {
  if (!isRecord(item)) return inline(item, detail);
  const names = fieldOrder(item);
  const parts = names.slice(0, Math.min(detail.fields, 8)).map((name) => {
    const inner = ownValue(item, name);
    if (isRecord(inner) && depth < detail.depth)
      return `${label(name)}: {${flat(inner, detail, depth + 1)}}`;
    return `${label(name)}: ${inline(inner, detail)}`;
  });
  return parts.join(', ');
}

function inline(value: unknown, detail: Detail): string {
  if (typeof value === 'string') return cutMiddle(oneLineOf(value), detail.text);
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    const scalars = value.every((item) => typeof item !== 'object' || item === null);
    if (!scalars) return value.length === 1 ? '1 entry' : `${value.length} entries`;
    const shown = value.slice(0, 5).map((item) => inline(item, { ...detail, text: 24 }));
    return shown.join(', ') + (value.length > 5 ? ` and ${value.length - 5} more` : '');
  }
  if (isRecord(value)) return Object.keys(value).length === 0 ? 'none' : '{…}';
  return value === null || value === undefined ? 'none' : String(value);
}

const oneLineOf = (text: string) => cleanText(text).replace(/\s+/g, ' ').trim();
const label = (name: string) => cutText(oneLineOf(name), 40);

/** Names that tell one thing from another; a model needs them to act on what it found. */
const IDENTIFYING =
  /^(?:id|key|slug|sku|code|number|ref|reference|name|title|label|subject|price|total|status|date|time|url)$|(?:_id|Id|ID|_key|_code)$/;

function fieldOrder(value: UnknownRecord): string[] {
  const names = Object.keys(value).slice(0, MAX_NODES);
  const first = names.filter((name) => IDENTIFYING.test(name));
  return first.length === 0 ? names : [...first, ...names.filter((name) => !first.includes(name))];
}

/**
 * Head and tail of a text, at most `max` characters, with a word on what was left out; whole where it
 * fits. Cuts between sentences where one ends near, else between words, and never inside a link.
 */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 60) return max < 1 ? '' : `${headOf(text, max - 1)}…`;
  const mark = ` … [${text.length} characters left out] … `;
  const room = Math.max(0, max - mark.length);
  const head = headOf(text, Math.ceil(room * 0.7));
  const tail = tailOf(text, room - Math.ceil(room * 0.7));
  const left = text.length - head.length - tail.length;
  return [head, `… [${left} characters left out] …`, tail].filter((part) => part !== '').join(' ');
}

const LINK = /(?:https?:\/\/|mailto:)\S+/g;
const SENTENCE_END = /[.!?。！？](?=\s|$)|\n/g;

/** The place nearest to `at`, on the side of the smaller piece, where no link is cut in two. */
function outsideLink(text: string, at: number, side: 'before' | 'behind'): number {
  for (const link of text.matchAll(LINK)) {
    if (link.index >= at) break;
    const end = link.index + link[0].length;
    if (at < end) return side === 'before' ? link.index : end;
  }
  return at;
}

/** The first characters of a text, at most `max`, up to the end of a sentence where that keeps half of them. */
export function headOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = cutText(text, outsideLink(text, max, 'before'));
  const end = [...text.slice(0, cut.length + 1).matchAll(SENTENCE_END)].findLast(
    (found) => found.index < cut.length,
  );
  if (end && end.index * 2 >= cut.length) return cut.slice(0, end.index + 1).trimEnd();
  const word = /\s/.test(text.charAt(cut.length)) ? cut.length : cut.lastIndexOf(' ');
  return (word * 2 >= cut.length ? cut.slice(0, word) : cut).trimEnd();
}

function tailOf(text: string, max: number): string {
  const start = outsideLink(text, text.length - max, 'behind');
  const cut = text.slice(start).replace(/^[\uDC00-\uDFFF]/, '');
  const end = /[.!?。！？]\s+(?=\S)/.exec(cut);
  const from = end ? end.index + end[0].length : 0;
  return from * 2 <= cut.length ? cut.slice(from).trimStart() : cut;
}

/** Keeps the named fields wherever they stand; gives the value itself when none is there. */
export function pickFields(value: unknown, fields: readonly string[]): unknown {
  const bound = { left: MAX_NODES * 4 };
  const picked = pick(value, new Set(fields), bound, 0);
  return picked === undefined ? value : picked;
}

function pick(value: unknown, fields: ReadonlySet<string>, bound: Bound, depth: number): unknown {
  if (--bound.left < 0 || depth > 8) return undefined;
  if (Array.isArray(value)) {
    const kept = value.map((item) => pick(item, fields, bound, depth + 1));
    return kept.some((item) => item !== undefined)
      ? kept.filter((item) => item !== undefined)
      : undefined;
  }
  if (!isRecord(value)) return undefined;
  const kept: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    const inner = ownValue(value, name);
    const part = fields.has(name) ? inner : pick(inner, fields, bound, depth + 1);
    if (part !== undefined) kept.push([name, part]);
  }
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** The text as JSON where it is an object, a list or a scalar in JSON; else the text. */
function parseJson(text: string): unknown {
  if (text.length > MAX_PARSED) return text;
  const first = text.trimStart()[0];
  if (first === undefined || !'{["-0123456789tfn'.includes(first)) return text;
  // Digits that a number cannot hold stay text: an id must not change on its way to the model.
  const value = parseStrict(text);
  return value === undefined ? text : value;
}
