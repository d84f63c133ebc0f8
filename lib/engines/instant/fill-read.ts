import type { SlotReading, ToolReading, Words } from '../../reader/read';
import type { JsonValue } from '../../tools/tool';
import { type Clock, datesIn, type Moment, writeMoment } from './dates';
import { choicesIn } from './enums';
import type { Filled } from './fill';
import type { Known } from './known';
import { numbersIn } from './numbers';
import { scanOf } from './scan';
import type { Slot } from './slots';

/** The request and what was said before it, nearest first: where the words of a reading stand. */
type Texts = readonly string[];

/**
 * The arguments that a reading gives a tool. The reader says which words a value stands in; what they
 * are as a date, a number or a choice is worked out here, so no value can be invented.
 */
export function fillRead(
  known: Known,
  reading: ToolReading,
  texts: Texts,
  clock: Clock | undefined,
): Filled {
  const values = new Map<Slot, JsonValue>();
  const phrases: string[] = [];
  /** Words whose value could not be read: they count as left over. */
  const unread: string[] = [];
  for (const read of reading.slots) {
    if (read.kind === 'none') continue;
    const slot = known.slots.find((s) => samePath(s.path, read.slot.path));
    if (!slot) continue;
    if (read.kind === 'result') {
      for (const w of read.words) phrases.push(w.text);
      continue;
    }
    const value = valueFor(slot, read, texts, clock);
    if (value !== undefined) values.set(slot, value);
    else if (slot.kind === 'ref') for (const w of read.words) phrases.push(w.text);
    else for (const w of read.words) if (w.part === 0) unread.push(w.text);
  }
  const missing = known.slots.filter((s) => s.required && !values.has(s));
  const said = [...values].flatMap(([s, v]) =>
    s.kind === 'text' && typeof v === 'string' ? [v] : [],
  );
  const phrase = phrases.join(' ');
  return {
    values,
    missing,
    phrase,
    about: phrase !== '' ? phrase : said.join(' '),
    evidence: 1,
    left: [...reading.left.map((w) => w.text), ...unread],
  };
}

const samePath = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, i) => key === b[i]);

function valueFor(
  slot: Slot,
  read: SlotReading,
  texts: Texts,
  clock: Clock | undefined,
): JsonValue | undefined {
  if (read.kind === 'yes' || read.kind === 'no')
    return slot.kind === 'boolean' ? read.kind === 'yes' : undefined;
  if (read.kind === 'choice') {
    const chosen = read.choices.filter(
      (c) => slot.choices.length === 0 || slot.choices.includes(c),
    );
    if (chosen.length === 0) return undefined;
    return slot.many ? chosen : chosen[0];
  }
  const values = read.words.flatMap((w) => {
    const v = typed(slot, w, texts, clock);
    return v === undefined ? [] : Array.isArray(v) ? v : [v];
  });
  if (values.length === 0) return undefined;
  if (slot.many) return values;
  return slot.kind === 'text' || slot.kind === 'body' ? joined(read.words, texts) : values[0];
}

/** Words of one text that stand in pieces: what stands between belongs to them where it is little. */
function joined(words: readonly Words[], texts: Texts): string | undefined {
  const [first] = words;
  if (!first) return undefined;
  let end = first.end;
  for (const w of words) if (w.part === first.part && w.start - end < 8 && w.end > end) end = w.end;
  return clean((texts[first.part] ?? '').slice(first.start, end));
}

/** Without the quotation marks around it and the full stop behind it. */
const clean = (text: string): string | undefined => {
  const bare = text
    .trim()
    .replace(/^["“”'‘’«]+|["“”’»]+$/g, '')
    .replace(/[.,;!?]+$/, '')
    .trim();
  return bare === '' ? undefined : bare;
};

/** Characters before and behind the words that say what they are: "under 50", "at least 3". */
const AROUND = 24;
const CODE = /^#?(?=[\p{L}\p{N}._/-]*\d)[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u;
const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u;

function typed(
  slot: Slot,
  words: Words,
  texts: Texts,
  clock: Clock | undefined,
): JsonValue | JsonValue[] | undefined {
  const text = words.text;
  switch (slot.kind) {
    case 'number':
      return numberOf(slot, text);
    case 'date':
    case 'time':
    case 'datetime':
      return momentOf(slot, words, texts, clock) ?? (hasFormat(slot) ? undefined : clean(text));
    case 'enum':
    case 'enums':
      return choicesIn(scanOf(text), slot)[0]?.choice;
    case 'boolean':
    case 'other':
      return undefined;
    case 'ref': {
      const bare = clean(text)?.replace(/^(?:#|(?:id|no\.?|nr\.?|number)\s+)/i, '');
      if (bare === undefined || !(CODE.test(bare) || /["“'‘]/.test(text))) return undefined;
      if (!slot.numeric) return bare;
      const n = Number(bare);
      return Number.isSafeInteger(n) ? n : undefined;
    }
    case 'email':
      return EMAIL.exec(text)?.[0] ?? EMAIL.exec(texts[words.part] ?? '')?.[0];
    default:
      return clean(text);
  }
}

function numberOf(slot: Slot, text: string): number | undefined {
  const found = numbersIn(scanOf(text));
  const whole = found.filter((n) => !slot.integer || Number.isInteger(n.value));
  const [first] = whole.filter((n) => !n.article);
  return (first ?? whole[0])?.value;
}

const hasFormat = (slot: Slot): boolean =>
  slot.format !== undefined || /yyyy|hh:mm|iso[- ]?8601/.test(slot.about);

const END = /^(?:end|ends|until|to|return|returning|checkout|out|till|finish|before|latest)$/;

/** The moment the words name; a range gives its end to an argument for an end. */
function momentOf(
  slot: Slot,
  words: Words,
  texts: Texts,
  clock: Clock | undefined,
): string | undefined {
  const whole = texts[words.part] ?? words.text;
  const isEnd = slot.words.some((w) => END.test(w));
  const own = datesIn(words.text, clock, isEnd);
  // "at 7" and "the 3rd" need what stands before them.
  const wide =
    own.length > 0
      ? own
      : datesIn(whole.slice(Math.max(0, words.start - AROUND), words.end + AROUND), clock, isEnd);
  if (wide.length === 0) return undefined;
  const moment: Moment = {};
  for (const d of wide) {
    const part = isEnd && d.to ? { ...d.from, ...d.to } : d.from;
    moment.date ??= part.date;
    moment.time ??= part.time;
  }
  if (slot.kind === 'datetime' && (!moment.date || !moment.time)) {
    for (const d of datesIn(whole, clock)) {
      moment.date ??= d.from.date;
      moment.time ??= d.from.time;
    }
  }
  const written = writeMoment(slot, moment, clock);
  return written ?? (slot.kind === 'datetime' && !hasFormat(slot) ? moment.date : undefined);
}
