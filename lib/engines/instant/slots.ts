import type { CompactTool, JsonObject, JsonSchema, JsonValue } from '../../tools/tool';
import { identifierWords, stem, wordsOf } from './words';

export type SlotKind =
  | 'enum'
  | 'enums'
  | 'boolean'
  | 'number'
  | 'date'
  | 'time'
  | 'datetime'
  | 'email'
  | 'url'
  | 'phone'
  | 'postcode'
  | 'address'
  | 'ref'
  | 'body'
  | 'text'
  | 'list'
  | 'other';

/** One argument of a tool, as the rules that fill it see it. */
export interface Slot {
  /** Where it goes: `['address', 'city']` for an argument inside an object. */
  path: string[];
  /** The last of the path. */
  name: string;
  words: string[];
  stems: string[];
  /** Lower-cased description, `''` where there is none. */
  about: string;
  aboutStems: Set<string>;
  kind: SlotKind;
  integer: boolean;
  /** Declared as a number, whatever it means: an id may be one. */
  numeric: boolean;
  format?: string;
  maxLength?: number;
  /** Takes a list of addresses, dates and so on. */
  many: boolean;
  choices: JsonValue[];
  minimum?: number;
  maximum?: number;
  required: boolean;
}

const MAX_SLOTS = 40;
const MAX_DEPTH = 3;

const isObject = (v: unknown): v is JsonObject =>
  typeof v === 'object' && v !== null && !Array.isArray(v);

/** The arguments of a tool in declared order; objects inside are opened up to three levels. */
export function slotsOf(tool: CompactTool): Slot[] {
  const out: Slot[] = [];
  collect(tool.parameters, [], true, out, 0);
  return out;
}

function collect(schema: JsonSchema, path: string[], needed: boolean, out: Slot[], depth: number) {
  const properties = schema['properties'];
  if (!isObject(properties) || depth > MAX_DEPTH) return;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const [name, declared] of Object.entries(properties)) {
    if (out.length >= MAX_SLOTS) return;
    const property = isObject(declared) ? declared : {};
    const must = needed && required.includes(name);
    if (typeOf(property) === 'object' && isObject(property['properties'])) {
      collect(property, [...path, name], must, out, depth + 1);
    } else {
      out.push(slotOf(name, [...path, name], property, must));
    }
  }
}

function typeOf(schema: JsonObject): string {
  const type = schema['type'];
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) {
    const first = type.find((t) => typeof t === 'string' && t !== 'null');
    if (typeof first === 'string') return first;
  }
  return isObject(schema['properties']) ? 'object' : '';
}

function slotOf(name: string, path: string[], schema: JsonObject, required: boolean): Slot {
  const type = typeOf(schema);
  const item = type === 'array' && isObject(schema['items']) ? schema['items'] : undefined;
  const about = typeof schema['description'] === 'string' ? schema['description'] : '';
  const words = identifierWords(name);
  const choices = choicesOf(item ?? schema);
  const slot: Slot = {
    path,
    name,
    words,
    stems: words.map(stem),
    about: about.toLowerCase(),
    aboutStems: new Set(wordsOf(about).map((w) => w.stem)),
    kind: 'text',
    integer: typeOf(item ?? schema) === 'integer',
    numeric: /^(?:number|integer)$/.test(typeOf(item ?? schema)),
    many: item !== undefined,
    choices,
    required,
  };
  if (typeof schema['maxLength'] === 'number') slot.maxLength = schema['maxLength'];
  if (typeof schema['format'] === 'string') slot.format = schema['format'];
  if (typeof schema['minimum'] === 'number') slot.minimum = schema['minimum'];
  if (typeof schema['maximum'] === 'number') slot.maximum = schema['maximum'];
  slot.kind = kindOf(slot, item ? typeOf(item) : type, item !== undefined);
  return slot;
}

function choicesOf(schema: JsonObject): JsonValue[] {
  const declared = schema['enum'];
  return Array.isArray(declared) ? declared.slice(0, 200) : [];
}

const has = (slot: Slot, pattern: RegExp): boolean => slot.words.some((w) => pattern.test(w));

const REF = /^(?:id|ids|slug|sku|uuid|guid|ref|reference|handle|iban|isbn|key|token)$/;
const BODY =
  /^(?:body|message|text|content|comment|comments|note|notes|reason|remark|remarks|instructions|reply|answer)$/;

/** True for a slot that names a thing the page knows by a key of its own. */
export function isReference(slot: Slot): boolean {
  const last = slot.words.at(-1) ?? '';
  if (REF.test(last)) return true;
  if (/^(?:number|no|code)$/.test(last) && slot.words.length > 1) {
    return !/^(?:promo|coupon|discount|voucher|gift|phone|postal|zip|pin|country|currency)$/.test(
      slot.words[0] ?? '',
    );
  }
  return /\b(?:id|slug|sku|identifier) (?:of|from|as|returned|shown)\b|^(?:the )?\S* ?(?:id|slug)\b/.test(
    slot.about,
  );
}

function kindOf(slot: Slot, type: string, many: boolean): SlotKind {
  if (slot.choices.length > 0) return many ? 'enums' : 'enum';
  if (type === 'boolean') return many ? 'other' : 'boolean';
  if (type === 'number' || type === 'integer') return isReference(slot) ? 'ref' : 'number';
  if (type === 'object' || type === 'array' || type === 'null') return 'other';
  return textKind(slot, many);
}

function textKind(slot: Slot, many: boolean): SlotKind {
  const about = slot.about;
  const dated = has(
    slot,
    /^(?:date|day|departure|due|deadline|checkin|checkout|birthday|dob|arrival|when|since|until|start|end|starts|ends|from|to|after|before|return|depart|in|out)$/,
  );
  const timed = has(slot, /^(?:time|hour|datetime|timestamp|when|at|start|end|starts|ends)$/);
  if (
    has(slot, /^(?:datetime|timestamp)$/) ||
    /date[- ]?time|date and time|iso[- ]?8601 (?:date )?and time|t\s?hh:mm/.test(about)
  )
    return 'datetime';
  if (
    has(slot, /^(?:date|dob|birthday|deadline|due|checkin|checkout)$/) ||
    (/yyyy-mm-dd|\bdate\b/.test(about) && dated)
  )
    return 'date';
  if (has(slot, /^check$/) && has(slot, /^(?:in|out)$/)) return 'date';
  if (has(slot, /^time$/) || (/hh:mm|24[- ]hour|\btime of day\b/.test(about) && timed))
    return 'time';
  if (has(slot, /^when$/)) return 'datetime';
  if (has(slot, /^day$/)) return 'date';
  if (isReference(slot)) return 'ref';
  if (has(slot, /^(?:email|emails)$/) || /\be-?mail address/.test(about)) return 'email';
  if (has(slot, /^(?:url|uri|link|website|href)$/)) return 'url';
  if (has(slot, /^(?:phone|mobile|tel|telephone)$/)) return 'phone';
  if (has(slot, /^(?:postcode|zip|zipcode|postal)$/)) return 'postcode';
  if (has(slot, /^address$/) && !/\bcity\b.*\bor\b|\bdistrict\b/.test(about)) return 'address';
  if (many) return 'list';
  if (BODY.test(slot.words.at(-1) ?? '')) return 'body';
  return 'text';
}
