import type { JsonObject, JsonValue } from '../tools/tool';
import type { Piece } from './wordpiece';

/** The marks of the vocabulary that part a tool's text; training/reader/encode.py has the same. */
const CLS = 101;
const TOOL = 1;
const ARGUMENT = 2;
const NEEDED = 3;
const OPTION = 4;
const EARLIER = 5;

const MAX_REQUEST = 64;
const MAX_EARLIER = 48;
const MAX_TOOL = 224;
const MAX_ARGUMENTS = 16;
const MAX_OPTIONS = 16;

/** What the reader needs of a tool. */
export interface ReadableTool {
  name: string;
  description?: string;
  inputSchema?: JsonObject;
}

/** An argument of a tool: a leaf of its schema. */
export interface ReadableSlot {
  path: string[];
  needed: boolean;
  type: string;
  /** The values it may take, with their words; empty where any. */
  choices: { value: JsonValue; words: string }[];
}

/** Where a choice stands: its mark at `at`, its words the `words` tokens after it. */
export interface OptionTokens {
  at: number;
  words: number;
  choice: number;
}

/** A tool as tokens. */
export interface ToolTokens {
  ids: number[];
  slots: (ReadableSlot & { at: number; options: OptionTokens[] })[];
}

/** A token of a request: `part` 0 is the request, 1 and up what was said before it, nearest first. */
export interface Mark {
  part: number;
  start: number;
  end: number;
}

/** A request as tokens; `marks[i]` is `undefined` for a token that stands for no words. */
export interface RequestTokens {
  ids: number[];
  marks: (Mark | undefined)[];
}

export type Cut = (text: string) => Piece[];

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `addToCart`, `add_to_cart` and `cart.add` in words. */
export function identifierText(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9\u00c0-\uffff]+/g, ' ')
    .trim()
    .toLowerCase();
}

function typeOf(schema: JsonObject): string {
  let type = schema['type'];
  if (Array.isArray(type)) type = type.find((t) => t !== 'null') ?? 'string';
  if (type === undefined) {
    for (const key of ['anyOf', 'oneOf'])
      for (const option of listOf(schema[key]))
        if (isObject(option) && option['type'] !== undefined && option['type'] !== 'null')
          return typeOf(option);
    type = 'properties' in schema ? 'object' : 'string';
  }
  if (type === 'array') return 'list';
  const format = schema['format'];
  if (type === 'string' && typeof format === 'string' && FORMATS.has(format)) return format;
  return String(type);
}
const FORMATS = new Set(['date', 'time', 'date-time', 'email', 'uri']);
const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

function choicesOf(schema: JsonObject): ReadableSlot['choices'] {
  const items = schema['items'];
  const item = schema['type'] === 'array' && isObject(items) ? items : schema;
  if (Array.isArray(item['enum']))
    return item['enum']
      .filter((value) => !isObject(value) && !Array.isArray(value))
      .map((value) => ({ value, words: identifierText(String(value)) || String(value) }));
  for (const key of ['oneOf', 'anyOf']) {
    const options = listOf(item[key]);
    if (options.length > 0 && options.every((o) => isObject(o) && 'const' in o))
      return options.filter(isObject).map((o) => {
        const value = o['const'] ?? null;
        const title = o['title'];
        return {
          value,
          words: typeof title === 'string' && title ? title : identifierText(String(value)),
        };
      });
  }
  return [];
}

/** The leaves of an input schema, in its order. */
export function slotsOf(
  schema: JsonObject | undefined,
  path: readonly string[] = [],
  needed = true,
): (ReadableSlot & { schema: JsonObject })[] {
  const properties = schema?.['properties'];
  if (!isObject(properties)) return [];
  const required = new Set(listOf(schema?.['required']));
  return Object.entries(properties).flatMap(([name, value]) => {
    const sub = isObject(value) ? value : {};
    const must = needed && required.has(name);
    const here = [...path, name];
    const type = typeOf(sub);
    const inner = sub['properties'];
    if (type === 'object' && isObject(inner) && Object.keys(inner).length > 0 && path.length < 3)
      return slotsOf(sub, here, must);
    return [{ path: here, needed: must, type, choices: choicesOf(sub), schema: sub }];
  });
}

const plain = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value.split(/\s+/).filter(Boolean).join(' ') : '';

/** A tool as tokens: its name and description, then its arguments, the required ones first, with their choices. */
export function toolTokens(tool: ReadableTool, cut: Cut): ToolTokens {
  const ids: number[] = [TOOL, ...take(cut, identifierText(tool.name), 12)];
  const about = plain(tool.description);
  if (about !== '') ids.push(...take(cut, `: ${about}`, 40));
  const out: ToolTokens = { ids, slots: [] };
  const slots = slotsOf(tool.inputSchema);
  const ordered = [...slots.filter((s) => s.needed), ...slots.filter((s) => !s.needed)];
  for (const { schema, ...slot } of ordered.slice(0, MAX_ARGUMENTS)) {
    let part = [
      slot.needed ? NEEDED : ARGUMENT,
      ...take(cut, `${identifierText(slot.path.join(' '))} ( ${slot.type} )`, 14),
    ];
    const title = plain(schema['description'] ?? schema['title']);
    if (title !== '') part.push(...take(cut, title, 18));
    let options: OptionTokens[] = [];
    if (slot.choices.length <= MAX_OPTIONS)
      for (const [choice, { words }] of slot.choices.entries()) {
        const pieces = take(cut, words, 6);
        options.push({ at: part.length, words: pieces.length, choice });
        part.push(OPTION, ...pieces);
      }
    const [first] = options;
    if (first && ids.length + part.length > MAX_TOOL) {
      part = part.slice(0, first.at);
      options = [];
    }
    if (ids.length + part.length > MAX_TOOL) continue;
    const at = ids.length;
    out.slots.push({ ...slot, at, options: options.map((o) => ({ ...o, at: at + o.at })) });
    ids.push(...part);
  }
  return out;
}

const take = (cut: Cut, text: string, most: number): number[] =>
  cut(text.slice(0, 1000))
    .slice(0, most)
    .map((p) => p.id);

/** A request as tokens, with what was said before it, nearest first. */
export function requestTokens(
  request: string,
  earlier: readonly string[],
  cut: Cut,
): RequestTokens {
  const own = cut(request).slice(0, MAX_REQUEST);
  const ids = [CLS, ...own.map((p) => p.id)];
  const marks: RequestTokens['marks'] = [
    undefined,
    ...own.map(({ start, end }) => ({ part: 0, start, end })),
  ];
  let room = MAX_EARLIER;
  for (const [i, text] of earlier.entries()) {
    const pieces = cut(text).slice(0, Math.max(0, room - 1));
    if (pieces.length === 0) break;
    room -= pieces.length + 1;
    ids.push(EARLIER, ...pieces.map((p) => p.id));
    marks.push(undefined, ...pieces.map(({ start, end }) => ({ part: i + 1, start, end })));
  }
  return { ids, marks };
}
