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
 * Reads what a tool gave back: JSON text, plain text, the `content` and `isError` of MCP, or an object
 * that carries an `error`. `null` and `""` are results too: the tool ran and said nothing.
 */
export function readResult(value: string | null): ReadResult {
  if (value === null) return { value: null };
  const parsed = parseJson(value);
  return isRecord(parsed) ? readObject(parsed) : { value: parsed };
}

function readObject(result: UnknownRecord): ReadResult {
  const content = ownValue(result, 'content');
  const isMcp =
    Array.isArray(content) &&
    content.every((part) => isRecord(part) && typeof ownValue(part, 'type') === 'string');
  if (isMcp) {
    const structured = ownValue(result, 'structuredContent');
    const inner =
      typeof structured === 'object' && structured !== null
        ? structured
        : parseJson(contentText(content));
    if (ownValue(result, 'isError') === true) {
      return { value: inner, error: cutError(errorIn(inner) ?? contentText(content)) };
    }
    const error = errorIn(inner);
    return error === undefined ? { value: inner } : { value: inner, error };
  }
  const error = errorIn(result);
  if (error !== undefined) return { value: result, error };
  if (ownValue(result, 'isError') === true) {
    return { value: result, error: cutError(lines(result, ERROR_LIMIT)) };
  }
  return { value: result };
}

function contentText(content: readonly unknown[]): string {
  const texts: string[] = [];
  for (const part of content.slice(0, MAX_NODES)) {
    if (!isRecord(part)) continue;
    const resource = ownValue(part, 'resource');
    const text = ownValue(isRecord(resource) ? resource : part, 'text');
    if (typeof text === 'string') texts.push(text);
    else texts.push(`[${String(ownValue(part, 'type'))}]`);
  }
  return texts.join('\n');
}

/** The error an object states: `{error}`, or a message beside `success: false` and its like. */
function errorIn(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const error = ownValue(value, 'error');
  const message = ownValue(value, 'message');
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
  const failed =
    error === true ||
    ownValue(value, 'success') === false ||
    ownValue(value, 'ok') === false ||
    status === 'error' ||
    status === 'failed';
  if (!failed) return undefined;
  const reason = ownValue(value, 'reason');
  if (typeof message === 'string') return cutError(message);
  return cutError(typeof reason === 'string' ? reason : lines(value, ERROR_LIMIT));
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

/** Head and tail of a text, with a word on what was left out; whole where it fits. */
export function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 60) return max < 1 ? '' : `${cutText(text, max - 1)}…`;
  const mark = ` … [${text.length - max} characters left out] … `;
  const room = Math.max(0, max - mark.length);
  const head = Math.ceil(room * 0.7);
  const tail = text.slice(text.length - (room - head)).replace(/^[\uDC00-\uDFFF]/, '');
  return `${cutText(text, head)}${mark}${tail}`;
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
  return parseStrict(text) ?? text;
}
