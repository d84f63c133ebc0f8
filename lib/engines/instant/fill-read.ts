import type { SlotReading, ToolReading, Words } from '../../reader/read';
import type { JsonValue } from '../../tools/tool';
import { assignDates } from './assign-dates';
import { assignNumbers } from './assign-numbers';
import { type Clock, datesIn, type Moment, writeMoment } from './dates';
import { choicesIn, takeExactChoices } from './enums';
import type { Filled, Give } from './fill';
import type { Known } from './known';
import type { NumberFound } from './numbers';
import { POSITION } from './phrases';
import { takeCodes, takeCued, takePatterns } from './said';
import { freeText, isFree, quotedSpans, type Scan, scanOf, take } from './scan';
import type { Slot } from './slots';
import { isStopWord, type Word, wordsOf } from './words';

/** The request and what was said before it, nearest first: where the words of a reading stand. */
type Texts = readonly string[];

/** What a reading says of an argument that the product knows. */
interface Said {
  slot: Slot;
  read: SlotReading;
}

/**
 * The arguments that a reading gives a tool. The reader says which words belong to which argument; what
 * they are as a date, a number or a choice is worked out here, and no two arguments take the same words,
 * so that no value can be invented. What is typed and left over is then given to arguments still empty.
 */
export function fillRead(
  known: Known,
  reading: ToolReading,
  texts: Texts,
  clock: Clock | undefined,
): Filled {
  const scan = scanOf((texts[0] ?? '').slice(0, 2000));
  const values = new Map<Slot, JsonValue>();
  const phrases: string[] = [];
  const said: Said[] = reading.slots
    .flatMap((read) => {
      const slot = known.slots.find((s) => samePath(s.path, read.slot.path));
      return slot ? [{ slot, read }] : [];
    })
    .sort((a, b) => b.read.sure - a.read.sure);
  const meant = said.filter(({ read }) => read.kind !== 'none');
  const open = (): Slot[] => known.slots.filter((s) => !values.has(s));
  const give: Give = (slot, value) => {
    if (!values.has(slot)) values.set(slot, slot.many && !Array.isArray(value) ? [value] : value);
  };

  const isMeant = (slot: Slot): boolean => meant.some((s) => s.slot === slot);
  // What the request names itself: "name: Tom", "the subject is …".
  takeCued(scan, open(), give);
  // What its form shows: addresses, numbers to call, codes.
  takePatterns(
    scan,
    open().filter((s) => s.required || isMeant(s)),
    give,
  );
  takeCodes(
    scan,
    open().filter((s) => s.kind === 'ref'),
    give,
    known,
  );
  for (const { slot, read } of meant) {
    if (values.has(slot)) continue;
    const value = settled(slot, read);
    if (value !== undefined) give(slot, value);
    if (read.kind === 'result') phrases.push(...read.words.map((w) => w.text));
    if (value !== undefined || read.kind === 'result') for (const w of read.words) use(scan, w);
  }
  const moments = known.slots.filter((s) => MOMENTS.has(s.kind));
  const ranges = moments.some((s) => s.words.some((w) => END.test(w)));
  const beginningsFirst = meant.toSorted(
    (a, b) =>
      Number(a.slot.words.some((w) => END.test(w))) - Number(b.slot.words.some((w) => END.test(w))),
  );
  for (const { slot, read } of beginningsFirst)
    if (!values.has(slot) && MOMENTS.has(slot.kind)) {
      const moment = momentOf(slot, read.words, texts, scan, clock, ranges);
      if (moment !== undefined) give(slot, moment);
    }
  const hinted = (slot: Slot, n: NumberFound): number =>
    meant.some(
      (s) =>
        s.slot === slot &&
        s.read.words.some((w) => w.part === 0 && w.start < n.end && n.start < w.end),
    )
      ? HINT
      : 0;
  assignNumbers(
    scan,
    open().filter((s) => s.kind === 'number'),
    give,
    hinted,
  );
  for (const { slot, read } of meant) {
    if (values.has(slot)) continue;
    const value = worded(slot, read, texts, scan);
    if (value !== undefined) give(slot, value);
    else if (slot.kind === 'ref' && read.kind !== 'result')
      phrases.push(...read.words.map((w) => w.text));
  }
  // What nobody took and can only mean one thing.
  for (const slot of open()) {
    if (slot.kind !== 'enum' && slot.kind !== 'enums') continue;
    const exact = takeExactChoices(scan, slot);
    const [first] = exact;
    if (first !== undefined) give(slot, slot.many ? exact : first);
  }
  assignDates(scan, open(), clock, give);
  for (const { slot, read } of said) {
    if (values.has(slot) || !slot.required || read.likely === undefined) continue;
    if (slot.choices.includes(read.likely)) give(slot, read.likely);
  }

  const missing = known.slots.filter((s) => s.required && !values.has(s));
  const about = [...values].flatMap(([s, v]) =>
    s.kind === 'text' && typeof v === 'string' ? [v] : [],
  );
  const phrase = phrases.join(' ');
  return {
    values,
    missing,
    phrase,
    about: phrase !== '' ? phrase : about.join(' '),
    evidence: 1,
    left: leftOver(scan, known, reading, clock),
  };
}

/** That the reader holds a number for an argument's weighs as much as a unit that is its name. */
const HINT = 3.5;
const MOMENTS: ReadonlySet<Slot['kind']> = new Set(['date', 'time', 'datetime']);

const samePath = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, i) => key === b[i]);

const use = (scan: Scan, words: Words): void => {
  if (words.part === 0) take(scan, words.start, words.end);
};

/** What needs no words of its own: a choice, yes, no. */
function settled(slot: Slot, read: SlotReading): JsonValue | undefined {
  if (read.kind === 'yes' || read.kind === 'no')
    return slot.kind === 'boolean' ? read.kind === 'yes' : undefined;
  if (read.kind !== 'choice') return undefined;
  const chosen = read.choices.filter((c) => slot.choices.length === 0 || slot.choices.includes(c));
  return slot.many ? (chosen.length > 0 ? chosen : undefined) : chosen[0];
}

/** A value that stands in words as it is. */
function worded(slot: Slot, read: SlotReading, texts: Texts, scan: Scan): JsonValue | undefined {
  const words = read.words.flatMap((w) => free(w, scan, texts));
  if (words.length === 0) return undefined;
  const taken = (value: JsonValue | undefined): JsonValue | undefined => {
    if (value !== undefined) for (const w of words) use(scan, w);
    return value;
  };
  switch (slot.kind) {
    case 'enum':
    case 'enums': {
      const hits = words.flatMap((w) => choicesIn(scanOf(w.text), slot).map((h) => h.choice));
      return taken(slot.many ? (hits.length > 0 ? hits : undefined) : hits[0]);
    }
    case 'ref':
      return taken(keyIn(slot, words, texts));
    case 'number':
    case 'boolean':
    case 'other':
    case 'email':
    case 'url':
      return undefined;
    case 'phone':
      return words.some((w) => /\d.*\d.*\d/.test(w.text))
        ? taken(clean(words[0]?.text ?? ''))
        : undefined;
    case 'date':
    case 'time':
    case 'datetime':
      return hasFormat(slot) ? undefined : taken(clean(words[0]?.text ?? ''));
    default: {
      const list = words.flatMap((w) => clean(w.text) ?? []);
      if (slot.many) return taken(list.length > 0 ? list : undefined);
      const text = fitting(slot, joined(words, texts));
      return taken(
        text !== undefined && slot.words.some((w) => LOOKS.test(w)) ? sought(text) : text,
      );
    }
  }
}

/** The part of the words that nothing has used, without links at its ends. */
function free(words: Words, scan: Scan, texts: Texts): Words[] {
  if (words.part !== 0) return [words];
  let { start, end } = words;
  const text = texts[0] ?? '';
  while (start < end && (scan.used[start] || /[\s,;]/.test(text[start] ?? ''))) start++;
  while (end > start && (scan.used[end - 1] || /[\s,;]/.test(text[end - 1] ?? ''))) end--;
  if (start >= end || !isFree(scan, start, end)) {
    const gap = scan.used.indexOf(true, start);
    if (start >= end || gap <= start) return [];
    end = gap;
  }
  return [{ ...words, start, end, text: text.slice(start, end) }];
}

/** Words of one text that stand in pieces: what stands between belongs to them where it is little. */
function joined(words: readonly Words[], texts: Texts): string | undefined {
  const [first] = words;
  if (!first) return undefined;
  let end = first.end;
  for (const w of words) if (w.part === first.part && w.start - end < 8 && w.end > end) end = w.end;
  return clean((texts[first.part] ?? '').slice(first.start, end));
}

const LOOKS = /^(?:query|q|search|keywords?|terms?|what)$/;
/** "The cheapest boots" are found among boots. */
const sought = (text: string): string => {
  const plain = text.replace(POSITION, ' ').replace(/\s+/g, ' ').trim();
  return plain === '' ? text : plain;
};

/** A text too long for its argument, or not of its pattern, is not passed on where a word of it is. */
function fitting(slot: Slot, text: string | undefined): string | undefined {
  if (text === undefined || slot.maxLength === undefined || text.length <= slot.maxLength)
    return text;
  const short = wordsOf(text).filter(
    (w) => w.end - w.start <= (slot.maxLength ?? 0) && !isStopWord(w.text),
  );
  const [only] = short;
  return short.length === 1 && only ? text.slice(only.start, only.end) : text;
}

/** Without the quotation marks around it and the full stop behind it. */
const clean = (text: string): string | undefined => {
  const bare = text
    .trim()
    .replace(/^["“”'‘’«]+/, '')
    .replace(/["“”’»]+$/, '')
    .replace(/[.,;!?]+$/, '')
    .trim();
  return bare === '' ? undefined : bare;
};

const CODE = /^#?(?=[^\s]*\d)[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u;

/** A key that the request says outright: with a digit in it, in quotation marks, or called one. */
function keyIn(slot: Slot, words: readonly Words[], texts: Texts): JsonValue | undefined {
  const keys = words.flatMap((w): JsonValue[] => {
    const text = clean(w.text)?.replace(/^(?:#|(?:id|no\.?|nr\.?|number)\s+)/i, '');
    if (text === undefined) return [];
    const whole = texts[w.part] ?? '';
    const named =
      quotedSpans(whole).some((q) => q.start <= w.start && w.end <= q.end) ||
      /\b(?:id|key|slug|ref|reference|token|code)\s*(?:is|of|:|=)?\s*$/i.test(
        whole.slice(Math.max(0, w.start - 24), w.start),
      );
    if (!named && !CODE.test(text)) return [];
    if (!slot.numeric) return [text];
    const n = Number(text);
    return Number.isSafeInteger(n) ? [n] : [];
  });
  return slot.many ? (keys.length > 0 ? keys : undefined) : keys[0];
}

const hasFormat = (slot: Slot): boolean =>
  slot.format !== undefined || /yyyy|hh:mm|iso[- ]?8601/.test(slot.about);

const END =
  /^(?:end|ends|until|to|return|returning|inbound|checkout|out|till|finish|before|latest|back)$/;
/** Characters before and behind the words that say what they are: "at 7", "the 3rd". */
const AROUND = 16;

/** The moment the words name; of a range an argument for an end gets the end. */
function momentOf(
  slot: Slot,
  words: readonly Words[],
  texts: Texts,
  scan: Scan,
  clock: Clock | undefined,
  ranges: boolean,
): string | undefined {
  const isEnd = slot.words.some((w) => END.test(w));
  for (const w of words) {
    const whole = texts[w.part] ?? '';
    const found = datesIn(whole, clock, ranges).filter(
      (d) => d.start < w.end + AROUND && w.start - AROUND < d.end,
    );
    const near = found.filter((d) => d.start < w.end && w.start < d.end);
    const moment: Moment = {};
    const used = near.length > 0 ? near : found;
    for (const d of used) {
      const part = isEnd && d.to ? { ...d.from, ...d.to } : d.from;
      moment.date ??= part.date;
      moment.time ??= part.time;
    }
    if (slot.kind === 'datetime' && (!moment.date || !moment.time))
      for (const d of datesIn(whole, clock)) {
        moment.date ??= d.from.date;
        moment.time ??= d.from.time;
      }
    const written =
      writeMoment(slot, moment, clock) ??
      (slot.kind === 'datetime' && !hasFormat(slot) ? moment.date : undefined);
    if (written === undefined) continue;
    // The day of a beginning is no end as well, unless the words name a stretch of time.
    if (isEnd && w.part === 0 && used.every((d) => !d.to && !isFree(scan, d.start, d.end)))
      continue;
    if (w.part === 0) for (const d of used) take(scan, d.start, d.end);
    return written;
  }
  return undefined;
}

/**
 * Words that no argument took: those the reader tells as a condition, and numbers, days and names that it
 * may have overlooked.
 */
function leftOver(
  scan: Scan,
  known: Known,
  reading: ToolReading,
  clock: Clock | undefined,
): string[] {
  const text = scan.text;
  const told = reading.left
    .filter((w) => isFree(scan, w.start, w.end))
    .filter((w) => wordsOf(w.text).some((x) => !isStopWord(x.text)));
  const spans: { start: number; end: number }[] = [...told];
  const covered = (start: number, end: number): boolean =>
    !isFree(scan, start, end) || spans.some((s) => start < s.end && s.start < end);
  const takesMoments = known.slots.some((s) => MOMENTS.has(s.kind));
  for (const d of datesIn(freeText(scan), clock))
    if (!covered(d.start, d.end) && !(takesMoments && d.from.time === undefined && !d.from.date))
      spans.push({ start: d.start, end: d.end });
  const chosen = new Set(
    reading.slots.flatMap((s) => s.choices.flatMap((c) => wordsOf(String(c)).map((w) => w.stem))),
  );
  const own = (w: Word): boolean =>
    known.nameStems.includes(w.stem) ||
    known.aboutStems.has(w.stem) ||
    known.slotStems.has(w.stem) ||
    chosen.has(w.stem);
  for (const [i, w] of wordsOf(text).entries()) {
    if (covered(w.start, w.end) || isStopWord(w.text) || own(w)) continue;
    const first = i === 0 || /[.!?\n]\s*$/.test(text.slice(0, w.start));
    const name =
      !first && /^\p{Lu}\p{Ll}/u.test(text.slice(w.start)) && !/^I['’]/.test(text.slice(w.start));
    if (/^\d/.test(w.text) || name) spans.push({ start: w.start, end: w.end });
  }
  // Neighbours are one thing: "Le Petit Bistro".
  const ordered = spans.sort((a, b) => a.start - b.start);
  const out: { start: number; end: number }[] = [];
  for (const s of ordered) {
    const last = out.at(-1);
    if (last && /^[\s.,:-]?$/.test(text.slice(last.end, s.start))) last.end = s.end;
    else out.push({ ...s });
  }
  return out.map((s) => text.slice(s.start, s.end));
}
