import { sameThing } from './meanings';
import type { Item, ResultData, Scalar } from './results';
import type { Slot } from './slots';
import { almostSame, identifierWords, isStopWord, ordinal, stem, wordsOf } from './words';

/** The item a phrase means, several that it may mean, or nothing. */
export type Reference =
  | { kind: 'one'; item: Item }
  | { kind: 'several'; items: Item[] }
  | { kind: 'none' };

const LOWEST =
  /\b(?:cheapest|lowest|least expensive|cheaper|smallest|shortest|fastest|quickest|nearest|closest|earliest|soonest|first available|next available|oldest|fewest|lightest)\b/i;
const HIGHEST =
  /\b(?:most expensive|priciest|dearest|highest|biggest|largest|longest|best|top|latest|newest|most recent|last|strongest|heaviest|farthest)\b/i;
const MEASURES: [RegExp, RegExp][] = [
  [/cheap|expensive|pric|dear/i, /price|cost|fare|amount|total|rate$/i],
  [/short|fast|quick|long/i, /duration|minutes|time|length|stops/i],
  [/near|close|far/i, /distance|km|miles|meters|metres/i],
  [
    /early|earliest|soon|latest|newest|recent|oldest|available|last/i,
    /date|time|when|start|depart|created|posted|sent|received|slot/i,
  ],
  [/best|top|highest|lowest/i, /rating|score|stars|votes|price/i],
  [/big|small|large/i, /size|area|capacity/i],
];

/** Which item of a result the words mean; `own` are words that name the kind of thing, not one of it. */
export function refer(phrase: string, data: ResultData, own: ReadonlySet<string>): Reference {
  const items = withoutDenied(phrase, data.items);
  if (items.length === 0) return { kind: 'none' };
  const words = wordsOf(phrase);
  const best = bestMatches(phrase, items, own);
  const pool = best.length > 0 ? best : items;
  const extreme = extremeOf(phrase, pool);
  if (extreme) return { kind: 'one', item: extreme.item };
  for (const w of words) {
    const n = ordinal(w.text);
    if (n === undefined || /\blast (?:week|month|year|night)\b/i.test(phrase)) continue;
    const item = n > 0 ? items[n - 1] : items.at(-1);
    if (item) return { kind: 'one', item };
  }
  const [first] = pool;
  if (pool.length === 1 && first) return { kind: 'one', item: first };
  return best.length > 0 || !hasContent(phrase, own)
    ? { kind: 'several', items: pool }
    : { kind: 'several', items };
}

const contentWords = (phrase: string, own: ReadonlySet<string>) =>
  wordsOf(phrase).filter(
    (w) => !isStopWord(w.text) && !own.has(w.stem) && ![...own].some((o) => sameThing(o, w.stem)),
  );

export const hasContent = (phrase: string, own: ReadonlySet<string>): boolean =>
  contentWords(phrase, own).length > 0;

/** The items most of the words fit; empty when none fits any. */
export function bestMatches(
  phrase: string,
  items: readonly Item[],
  own: ReadonlySet<string>,
): Item[] {
  const words = contentWords(phrase, own);
  if (words.length === 0) return [];
  let top = 0;
  const scored = items.map((item) => {
    const label = wordsOf(item.label);
    const rest = [...item.fields.values()].flatMap((v) =>
      typeof v === 'string' ? wordsOf(v.slice(0, 300)) : [],
    );
    let score = 0;
    for (const w of words) {
      if (label.some((x) => x.stem === w.stem)) score += 1;
      else if (label.some((x) => almostSame(x.text, w.text))) score += 0.9;
      else if (rest.some((x) => x.stem === w.stem)) score += 0.7;
      else if ([...item.fields.values()].some((v) => String(v).toLowerCase() === w.text))
        score += 0.7;
    }
    // Of "cap" and "cap with ear flaps", the name that says no more than was asked.
    if (score > 0) score += 0.2 * (score / Math.max(label.length, 1));
    top = Math.max(top, score);
    return { item, score };
  });
  if (top === 0) return [];
  return scored.filter((s) => s.score > top - 0.05).map((s) => s.item);
}

/** "not the red one": items that the ruled-out words fit are no candidates. */
function withoutDenied(phrase: string, items: readonly Item[]): Item[] {
  const denied = [
    ...phrase.matchAll(
      /\b(?:not|except|but not|other than|instead of)\s+(?:the\s+|a\s+|an\s+)?([\p{L}\p{N} -]{2,40}?)(?=$|[,.;]|\s(?:one|ones|to|in|and|but)\b)/giu,
    ),
  ].flatMap((m) => wordsOf(m[1] ?? ''));
  if (denied.length === 0) return [...items];
  const kept = items.filter((item) => {
    const text = [...item.fields.values()].map(String).join(' ');
    const stems = new Set(wordsOf(text).map((w) => w.stem));
    return !denied.filter((w) => !isStopWord(w.text)).some((w) => stems.has(w.stem));
  });
  return kept.length > 0 ? kept : [];
}

/** A superlative before a number or a plural asks for several: "the latest messages". */
const OF_SEVERAL = /^\s+(?:\d+|few|[\p{L}-]*[^s\W]s)\b/u;
const AN_ORDINAL = /^(?:last|top)$/i;

/** The item that a superlative of the words singles out, with the field it is measured by. */
export function mostOf(
  phrase: string,
  data: ResultData,
  own: ReadonlySet<string>,
): { item: Item; field: string } | undefined {
  const said = LOWEST.exec(phrase) ?? HIGHEST.exec(phrase);
  if (!said || AN_ORDINAL.test(said[0])) return undefined;
  if (OF_SEVERAL.test(phrase.slice(said.index + said[0].length))) return undefined;
  const items = withoutDenied(phrase, data.items);
  const best = bestMatches(phrase, items, own);
  return extremeOf(phrase, best.length > 0 ? best : items);
}

function extremeOf(
  phrase: string,
  items: readonly Item[],
): { item: Item; field: string } | undefined {
  const low = LOWEST.exec(phrase);
  const high = low ? null : HIGHEST.exec(phrase);
  const word = (low ?? high)?.[0];
  if (!word) return undefined;
  const measure = MEASURES.find(([pattern]) => pattern.test(word))?.[1];
  if (!measure) return undefined;
  let best: { item: Item; field: string; values: number[] } | undefined;
  for (const item of items) {
    // A date and a time are compared together.
    const measured = [...item.fields].flatMap(([field, v]) => {
      const n =
        measure.test(field) && !/(?:id|slug|code)$/i.test(field) ? comparable(v) : undefined;
      return n === undefined ? [] : [{ field, n }];
    });
    const [first] = measured;
    if (!first) continue;
    const values = measured.map((m) => m.n);
    const order = best ? compare(values, best.values) : 0;
    if (!best || (low ? order < 0 : order > 0)) best = { item, field: first.field, values };
  }
  return best;
}

function compare(a: number[], b: number[]): number {
  for (const [i, x] of a.entries()) {
    const y = b[i];
    if (y === undefined || x !== y) return x - (y ?? 0);
  }
  return 0;
}

function comparable(value: Scalar): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return undefined;
  const clock = /^(\d{1,2}):(\d{2})$/.exec(value);
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]);
  const span = /^(?:(\d+)\s*h)?\s*(?:(\d+)\s*m(?:in)?)?$/i.exec(value);
  if (value !== '' && span && (span[1] || span[2]))
    return Number(span[1] ?? 0) * 60 + Number(span[2] ?? 0);
  const number = /^[^\d-]{0,4}(-?\d+(?:[.,]\d+)*)/.exec(value);
  const date = /\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(date)) return date;
  return number?.[1] ? amountOf(number[1]) : undefined;
}

/** The number of an amount as written: the last mark with one or two digits behind it is the decimal one. */
function amountOf(text: string): number {
  if (/^-?\d+\.\d+$/.test(text)) return Number(text);
  const decimal = /[.,](\d{1,2})$/.exec(text);
  const whole = decimal ? text.slice(0, decimal.index) : text;
  return Number(`${whole.replace(/[.,]/g, '')}${decimal ? `.${decimal[1]}` : ''}`);
}

/** The field of an item that an argument asks for: `product_id` is `id` or `productId`. */
export function fieldFor(slot: Slot, item: Item): Scalar | undefined {
  const want = slot.words.join(' ');
  const last = slot.words.at(-1) ?? '';
  const typed = (v: Scalar): Scalar | undefined => {
    if (!slot.integer) return v;
    return typeof v === 'number' ? v : undefined;
  };
  const entries = [...item.fields];
  for (const [key, value] of entries)
    if (identifierWords(key).join(' ') === want) return typed(value);
  for (const [key, value] of entries) {
    const words = identifierWords(key);
    if (words.length === 1 && words[0] === last) return typed(value);
  }
  const keyed = entries.filter(
    ([key]) =>
      /^(?:id|slug|sku|code|ref|reference|number|key|uuid)$/i.test(key) ||
      /(?:_id|Id|ID)$/.test(key),
  );
  const named = keyed.find(([key]) =>
    identifierWords(key).some((w) => slot.stems.includes(stem(w)) && !/^id$/.test(w)),
  );
  if (named) return typed(named[1]);
  const [only] = keyed;
  if (keyed.length === 1 && only) return typed(only[1]);
  const own = keyed.find(([key]) => /^id$/i.test(key));
  if (own && last !== 'slug') return typed(own[1]);
  return undefined;
}
