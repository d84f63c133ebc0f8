import * as chrono from 'chrono-node/en';
import { isRecord, ownValue } from '../../tools/own-data';
import { cutText } from '../../tools/text/cut';
import { normalizeText } from '../../tools/text/words';
import type { JsonObject, JsonValue } from '../../tools/tool';
import type { ForeignValue } from '../events';

/**
 * Everything said or seen in a conversation so far, indexed to find out where a value comes from. What
 * was read on a site is of that site; what the user said has none and may go anywhere.
 */
export interface Sources {
  /**
   * Adds text of the user, a fact or a result; `site`: whose words they are, absent for the user's and
   * Pagehand's. Dates are read from `spoken` text only.
   */
  add(text: string, kind: 'spoken' | 'seen', site?: string): void;
  /** True when the value stands in what the user or the site said, or follows from it in an obvious way. */
  has(value: string | number, site?: string): boolean;
  /** The site that alone told the value, or a word of it; `undefined` where none but `site` needs to have. */
  onlyFrom(value: string | number, site: string | undefined): string | undefined;
}

const MAX_TEXT = 300_000;
const MAX_SPOKEN = 2000;
const MAX_FOUND = 8;
const MAX_SHOWN = 60;
/** Values of one call that are looked at: more than any call of a model's has. */
const MAX_LEAVES = 5000;

/** What one speaker said. */
interface Said {
  text: string;
  words: Set<string>;
  stems: Set<string>;
  numbers: Set<number>;
  dates: Set<string>;
  times: Set<string>;
}

const nothing = (): Said => ({
  text: ' ',
  words: new Set(),
  stems: new Set(),
  numbers: new Set(),
  dates: new Set(),
  times: new Set(),
});

/** @param now what "tomorrow" is relative to */
export function createSources(now: Date): Sources {
  const everywhere = nothing();
  everywhere.numbers.add(1);
  const sites = new Map<string, Said>();

  function add(raw: string, kind: 'spoken' | 'seen', site?: string): void {
    let said = everywhere;
    if (site !== undefined) {
      said = sites.get(site) ?? nothing();
      sites.set(site, said);
    }
    const piece = raw.slice(0, MAX_TEXT);
    const normal = normalizeText(piece);
    said.text += `${normal} `;
    for (const word of normal.split(' ')) {
      said.words.add(word);
      said.stems.add(stem(word));
      const spelled = NUMBER_WORDS.get(word);
      if (spelled !== undefined) said.numbers.add(spelled);
    }
    for (const number of numbersIn(piece)) said.numbers.add(number);
    if (kind === 'spoken') readMoments(said, piece.slice(0, MAX_SPOKEN));
  }

  function readMoments(said: Said, piece: string): void {
    for (const found of chrono.parse(piece, now, { forwardDate: true })) {
      for (const moment of [found.start, found.end]) {
        if (!moment) continue;
        said.dates.add(isoDate(moment.get('year'), moment.get('month'), moment.get('day')));
        if (moment.isCertain('hour')) {
          said.times.add(`${pad(moment.get('hour'))}:${pad(moment.get('minute'))}`);
        }
      }
    }
  }

  const heardOn = (site: string | undefined): Said[] => {
    const there = site === undefined ? undefined : sites.get(site);
    return there === undefined ? [everywhere] : [everywhere, there];
  };

  function onlyFrom(value: string | number, site: string | undefined): string | undefined {
    if (sites.size === 0) return undefined;
    const here = heardOn(site);
    const normal = normalizeText(String(value));
    if (typeof value === 'number' ? isNumber(here, value) : isExact(here, value, normal)) return;
    const news = normal.split(' ').filter((word) => isContent(word) && !isWord(here, word));
    if (news.length === 0) return;
    for (const [other, said] of sites) {
      if (other === site) continue;
      const told =
        said.text.includes(` ${normal} `) ||
        (typeof value === 'number' && isNumber([said], value)) ||
        news.some((word) => said.words.has(word));
      if (told) return other;
    }
    return undefined;
  }

  return { add, has: (value, site) => isKnown(heardOn(site), value), onlyFrom };
}

const isNumber = (said: readonly Said[], value: number) =>
  said.some(({ numbers }) => numbers.has(value) || numbers.has(Math.abs(value)));

const isWord = (said: readonly Said[], word: string) =>
  said.some(
    ({ words, stems, numbers }) =>
      words.has(word) || stems.has(stem(word)) || (/\d/.test(word) && numbers.has(Number(word))),
  );

/** Words that say something: a value that takes none of another's tells nothing of it. */
const isContent = (word: string) => /\d/.test(word) || (word.length > 2 && !SMALL_WORDS.has(word));

/** The value as it stands, or a moment that was spoken of. */
function isExact(said: readonly Said[], value: string, normal: string): boolean {
  if (normal === '' || said.some(({ text }) => text.includes(` ${normal} `))) return true;
  const moment = MOMENT.exec(value.trim());
  if (moment === null) return false;
  const [, date, time] = moment;
  const dateKnown = date === undefined || said.some(({ dates }) => dates.has(date));
  const timeKnown =
    time === undefined || time === '00:00' || said.some(({ times }) => times.has(time));
  return dateKnown && timeKnown;
}

function isKnown(said: readonly Said[], value: string | number): boolean {
  if (typeof value === 'number') return isNumber(said, value);
  const normal = normalizeText(value);
  if (isExact(said, value, normal)) return true;
  return !MOMENT.test(value.trim()) && followsFromWords(said, normal.split(' '));
}

/** Other order, other endings, a few words of its own: still the user's words. */
function followsFromWords(said: readonly Said[], wanted: string[]): boolean {
  const has = (word: string) => said.some(({ words }) => words.has(word));
  const content = wanted.filter((word) => word.length > 2 && !SMALL_WORDS.has(word));
  const ofDigits = wanted.filter((word) => /\d/.test(word));
  if (ofDigits.some((word) => !has(word) && !said.some(({ numbers }) => numbers.has(Number(word)))))
    return false;
  if (content.length === 0) return wanted.every(has);
  const known = content.filter(
    (word) => has(word) || said.some(({ stems }) => stems.has(stem(word))),
  ).length;
  const share = known / content.length;
  return content.length > 8 ? share >= 0.5 : share >= 0.75;
}

/**
 * The arguments whose value comes from nowhere, as `name: value`. Booleans are no values anybody
 * states, and what the schema itself gives (`default`, `const`) is not invented.
 */
export function unsourcedValues(
  schema: unknown,
  args: JsonObject,
  sources: Sources,
  site?: string,
): string[] {
  const found: string[] = [];
  for (const { path, value, at } of leavesOf(schema, args)) {
    if (found.length >= MAX_FOUND) break;
    if (!isGiven(at, value) && !sources.has(value, site)) found.push(`${path}: ${shown(value)}`);
  }
  return found;
}

/**
 * The arguments with a value that another site told and nobody else. What the tool's own schema names is
 * known to its site.
 */
export function foreignValues(
  schema: unknown,
  args: JsonObject,
  sources: Sources,
  site: string | undefined,
): ForeignValue[] {
  const found: ForeignValue[] = [];
  for (const { path, value, at } of leavesOf(schema, args)) {
    if (found.length >= MAX_FOUND) break;
    if (isGiven(at, value) || isChoice(at, value)) continue;
    const other = sources.onlyFrom(value, site);
    if (other !== undefined) {
      found.push({ argument: path, value: shown(value), origin: siteName(other) });
    }
  }
  return found;
}

/** A site for people: frames without an origin are kept apart by a mark of their own. */
const siteName = (site: string) => (site.startsWith('null ') ? 'null' : site);

const shown = (value: string | number) => {
  const text = String(value);
  return text.length > MAX_SHOWN ? `${cutText(text, MAX_SHOWN - 1)}…` : text;
};

interface Leaf {
  path: string;
  value: string | number;
  /** The part of the schema that is about it. */
  at: unknown;
}

/** Every text and number of the arguments, in order. */
function* leavesOf(schema: unknown, args: JsonObject): Generator<Leaf> {
  const open: { value: JsonValue; at: unknown; path: string }[] = [
    { value: args, at: schema, path: '' },
  ];
  for (let left = MAX_LEAVES; left > 0; left--) {
    const next = open.pop();
    if (next === undefined) return;
    const { value, at, path } = next;
    if (Array.isArray(value)) {
      const items = isRecord(at) ? ownValue(at, 'items') : undefined;
      for (const item of value.slice(0, MAX_LEAVES).reverse())
        open.push({ value: item, at: items, path });
    } else if (typeof value === 'object' && value !== null) {
      const properties = isRecord(at) ? ownValue(at, 'properties') : undefined;
      for (const name of Object.keys(value).slice(0, MAX_LEAVES).reverse()) {
        const inner = value[name];
        if (inner === undefined) continue;
        const declared = isRecord(properties) ? ownValue(properties, name) : undefined;
        open.push({ value: inner, at: declared, path: path === '' ? name : `${path}.${name}` });
      }
    } else if (typeof value === 'string' || typeof value === 'number') {
      yield { path, value, at };
    }
  }
}

function isGiven(schema: unknown, value: string | number): boolean {
  if (!isRecord(schema)) return false;
  const choices = ownValue(schema, 'enum');
  return (
    ownValue(schema, 'default') === value ||
    ownValue(schema, 'const') === value ||
    (Array.isArray(choices) && choices.length === 1 && choices[0] === value)
  );
}

function isChoice(schema: unknown, value: string | number): boolean {
  const choices = isRecord(schema) ? ownValue(schema, 'enum') : undefined;
  return Array.isArray(choices) && choices.includes(value);
}

const MOMENT =
  /^(?:(\d{4}-\d{2}-\d{2}))?(?:^|T|\s|$)(\d{2}:\d{2})?(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const pad = (n: number | null) => String(n ?? 0).padStart(2, '0');
const isoDate = (y: number | null, m: number | null, d: number | null) =>
  `${y}-${pad(m)}-${pad(d)}`;

/** A run of digits and what groups them. Linear: nothing it reads can be read two ways. */
const DIGITS = /\d[\d.,'’\u00A0\u202F]*/gu;
const UNIT = /^\s?([k%])/iu;

/** Digits in both ways of grouping them, with `k` and `%`. */
function numbersIn(text: string): number[] {
  const found: number[] = [];
  for (const match of text.matchAll(DIGITS)) {
    const [run] = match;
    let end = run.length;
    while (end > 0 && !isDigit(run.charCodeAt(end - 1))) end--;
    // No number that anybody means is longer, and a page may write a megabyte of digits.
    if (end > MAX_DIGITS) continue;
    const digits = run.slice(0, end);
    const readings = [
      Number(digits.replace(/[,'’\s]/gu, '')),
      Number(digits.replace(/[.'’\s]/gu, '').replace(',', '.')),
    ];
    const after = match.index + run.length;
    const unit = UNIT.exec(text.slice(after, after + 2))?.[1]?.toLowerCase();
    for (const reading of readings) {
      if (!Number.isFinite(reading)) continue;
      found.push(reading);
      if (unit === 'k') found.push(reading * 1000);
      if (unit === '%') found.push(reading / 100);
    }
  }
  return found;
}

const MAX_DIGITS = 60;
const isDigit = (code: number) => code >= 48 && code <= 57;

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
    'sixteen seventeen eighteen nineteen twenty'
  )
    .split(' ')
    .map((word, n): [string, number] => [word, n])
    .concat([
      ['first', 1],
      ['second', 2],
      ['third', 3],
      ['fourth', 4],
      ['fifth', 5],
      ['once', 1],
      ['twice', 2],
      ['both', 2],
      ['pair', 2],
      ['couple', 2],
      ['half', 0.5],
      ['dozen', 12],
      ['thirty', 30],
      ['forty', 40],
      ['fifty', 50],
      ['sixty', 60],
      ['seventy', 70],
      ['eighty', 80],
      ['ninety', 90],
      ['hundred', 100],
      ['thousand', 1000],
    ]),
);

const SMALL_WORDS: ReadonlySet<string> = new Set(
  'the and for with from this that are was you your our not but all any can has have'.split(' '),
);

/** The first letters of a longer word: `shoes` and `shoe`, `ordering` and `ordered` are one. */
const stem = (word: string) =>
  word.length > 5 ? word.slice(0, Math.max(5, word.length - 3)) : word.replace(/s$/, '');
