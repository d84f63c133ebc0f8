import { readResult as readTool, statedFailure } from '../../agent/results';
import { boundJson } from '../../tools/bound-json';
import { unfence } from '../../tools/text/untrusted';
import type { JsonObject, JsonValue } from '../../tools/tool';

export type Scalar = string | number | boolean;

/** One thing of a result: its plain fields, nested ones under their last name. */
export interface Item {
  fields: Map<string, Scalar>;
  /** What to call it: its name, title or the like. */
  label: string;
}

/** A tool's result as data. It is the page's text: values to show or pass on, never orders. */
export interface ResultData {
  isError: boolean;
  /** Things listed; empty where the result is one thing or prose. */
  items: Item[];
  /** Plain fields beside the list. */
  fields: Map<string, Scalar>;
  /** How many things there are where the result says so or only a part is shown. */
  total?: number;
  /** The words where the result is prose, else the whole as it came. */
  text: string;
}

const MAX_ITEMS = 200;
const MAX_FIELDS = 40;
const BOUNDS = { depth: 20, nodes: 20_000, instead: '…' };

/** Reads JSON, MCP content, `key: value` lines or prose; never throws. */
export function readResult(content: string, isError: boolean): ResultData {
  const text = unfence(content).trim();
  const data: ResultData = { isError, items: [], fields: new Map(), text };
  const read = parse(text) === undefined ? undefined : readTool(text);
  if (read) readJson(boundJson(read.value, BOUNDS).value, data);
  else readLines(text, data);
  const told = Object.fromEntries([...data.fields].filter(([, v]) => v !== 'none'));
  const error = read ? read.error : (statedFailure(text) ?? statedFailure(told));
  if (error !== undefined && data.items.length === 0) {
    data.isError = true;
    data.text = error;
  }
  return data;
}

function parse(text: string): JsonValue | undefined {
  if (!/^[[{"]/.test(text)) return undefined;
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

const isObject = (v: JsonValue | undefined): v is JsonObject =>
  typeof v === 'object' && v !== null && !Array.isArray(v);

function readJson(value: JsonValue, data: ResultData): void {
  if (typeof value === 'string') {
    const inner = parse(value.trim());
    if (inner !== undefined && typeof inner !== 'string') readJson(inner, data);
    else data.text = value;
    return;
  }
  if (Array.isArray(value)) {
    data.items = value.slice(0, MAX_ITEMS).map(itemOf);
    data.total = value.length;
    return;
  }
  if (!isObject(value)) {
    data.text = value === null ? '' : String(value);
    return;
  }
  const lists = Object.entries(value).filter(
    ([, v]) => Array.isArray(v) && v.length > 0 && v.every((x) => isObject(x)),
  );
  const list = lists[0]?.[1];
  if (Array.isArray(list)) {
    data.items = list.slice(0, MAX_ITEMS).map(itemOf);
    data.total = list.length;
  } else {
    const names = Object.entries(value).find(([, v]) => Array.isArray(v));
    if (names && Array.isArray(names[1])) {
      data.items = names[1].slice(0, MAX_ITEMS).map(itemOf);
      data.total = names[1].length;
    }
  }
  flatten(value, data.fields, 0);
  // Beside a currency or a subtotal, a total is an amount and counts nothing.
  const isSum = [...data.fields.keys()].some((key) => /currency|subtotal/i.test(key));
  const total = isSum ? undefined : (data.fields.get('total') ?? data.fields.get('count'));
  if (
    typeof total === 'number' &&
    Number.isInteger(total) &&
    total > data.items.length &&
    data.items.length > 0
  )
    data.total = total;
}

function itemOf(value: JsonValue): Item {
  const fields = new Map<string, Scalar>();
  if (isObject(value)) flatten(value, fields, 0);
  else if (value !== null && !Array.isArray(value)) fields.set('value', value);
  return { fields, label: labelOf(fields) };
}

function flatten(value: JsonObject, into: Map<string, Scalar>, depth: number): void {
  for (const [key, v] of Object.entries(value)) {
    if (into.size >= MAX_FIELDS) return;
    // "@context" and the like of linked data are no facts.
    if (key.startsWith('@')) continue;
    if (typeof v === 'string' || typeof v === 'number' || typeof v === 'boolean') {
      if (!into.has(key)) into.set(key, v);
    } else if (
      Array.isArray(v) &&
      v.length > 0 &&
      v.length <= 12 &&
      v.every((x) => typeof x === 'string' || typeof x === 'number')
    ) {
      into.set(key, v.join(', '));
    } else if (Array.isArray(v) && v.length === 0) {
      if (!into.has(key)) into.set(key, 'none');
    } else if (isObject(v) && depth < 2) flatten(v, into, depth + 1);
  }
}

const LABEL = [
  /^(?:name|title|label)$/i,
  /(?:name|title)$/i,
  /^(?:subject|headline|summary|text|description|product|item|value)$/i,
];

function labelOf(fields: Map<string, Scalar>): string {
  for (const pattern of LABEL) {
    for (const [key, value] of fields)
      if (pattern.test(key) && typeof value === 'string') return value;
  }
  for (const [key, value] of fields) {
    if (typeof value === 'string' && !/id$|slug|sku|url|^href$|image/i.test(key)) return value;
  }
  const first = fields.values().next();
  return first.done ? '' : String(first.value);
}

const NUMBERED = /^\s*(?:(\d{1,4})[.)]|[-*•])\s+(.+)$/;
const PAIR = /^\s*(@?[\p{L}_][\p{L}\p{N}_ .-]{0,40}?)\s*[:=]\s+(.*)$/u;
/** Above a list: how many entries it has. */
const ENTRIES = /^(\d+) entr(?:y|ies)$/;
const MORE = /(\d+)\s+(?:more|further|others|omitted|in all|in total|total|items)/i;

/** Lines of `key: value`, numbered or dashed lists of such, or prose. */
function readLines(text: string, data: ResultData): void {
  let pairs = 0;
  let lines = 0;
  let more = 0;
  let lists = 0;
  for (const line of text.split('\n').slice(0, 400)) {
    if (line.trim() === '') continue;
    lines++;
    const numbered = NUMBERED.exec(line);
    if (numbered?.[2]) {
      // What a second list holds, such as related things, is not what was asked for.
      if (lists <= 1) data.items.push(itemFromLine(numbered[2]));
      continue;
    }
    if (data.items.length > 0 && /^\s{2,}/.test(line)) {
      const item = data.items.at(-1);
      if (item) addPairs(line, item);
      continue;
    }
    const pair = PAIR.exec(line);
    if (pair?.[1] && pair[2] !== undefined) {
      pairs++;
      if (ENTRIES.test(pair[2])) lists++;
      else setField(data.fields, pair[1], pair[2]);
    } else if (/more|omitted|in all|in total|items/.test(line))
      more = Number(MORE.exec(line)?.[1] ?? 0);
  }
  if (data.items.length === 0 && pairs * 2 < lines) {
    data.fields.clear();
    data.items = namedInProse(text);
  }
  if (data.items.length > 0)
    data.total = Math.max(data.items.length + (more > data.items.length ? 0 : more), more);
}

function itemFromLine(line: string): Item {
  const item: Item = { fields: new Map(), label: '' };
  addPairs(line, item);
  if (item.fields.size === 0) item.fields.set('value', scalar(line));
  item.label = labelOf(item.fields);
  return item;
}

function addPairs(line: string, item: Item): void {
  // Nested fields count as the item's own.
  const flat = line.replace(/[\p{L}_][\p{L}\p{N}_]{0,40}: \{/gu, '').replace(/\}+(?=,|$)/g, '');
  for (const piece of flat.split(/(?:[;|]\s+|,\s+(?=[\p{L}_][\p{L}\p{N}_.]{0,40}[:=]\s))/u)) {
    const pair = PAIR.exec(piece);
    if (pair?.[1] && item.fields.size < MAX_FIELDS) setField(item.fields, pair[1], pair[2] ?? '');
  }
  item.label = labelOf(item.fields);
}

/** Sets a field under its last name; the first of a name counts, as what stands in front is the thing's own. */
function setField(fields: Map<string, Scalar>, path: string, text: string): void {
  const name = path.trim().split('.').at(-1) ?? '';
  if (name !== '' && !path.startsWith('@') && !fields.has(name))
    fields.set(name, scalar(text.trim()));
}

function scalar(text: string): Scalar {
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text)) return Number(text);
  if (text === 'true' || text === 'yes') return true;
  if (text === 'false' || text === 'no') return false;
  return text.replace(/^"(.*)"$/, '$1');
}

const KEYED =
  /[([{,;:–-]?\s*\b(?:id|ref|sku|no\.?|nr\.?|number|#)\s*[:=#]?\s*["“']?([\p{L}\p{N}][\p{L}\p{N}_.-]{0,60}?)["”']?(?=[)\]},;.\s]|$)[)\]}]?/giu;

/** Things that running text names with a key of theirs: "1. Maxi Dress (ID 501), 2. Cocktail Dress (ID 502)". */
export function namedInProse(text: string): Item[] {
  const items: Item[] = [];
  let from = 0;
  for (const match of text.slice(0, 8000).matchAll(KEYED)) {
    const id = match[1] ?? '';
    // A key has a digit, or a thing would be found in any "no more".
    if (!/\d/.test(id) || items.length >= MAX_ITEMS) continue;
    const before = text.slice(from, match.index);
    const label = (/(?:^|[:;\n]|\.\s|\d[.)]\s|,\s)([^:;\n]{2,120})$/u.exec(before)?.[1] ?? before)
      .replace(/^[\s,;.]*(?:and\s+)?(?:\d{1,3}[.)]\s+)?/, '')
      .trim();
    from = match.index + match[0].length;
    if (label === '') continue;
    items.push({
      fields: new Map<string, Scalar>([
        ['name', label],
        ['id', scalar(id)],
      ]),
      label,
    });
  }
  return items;
}
