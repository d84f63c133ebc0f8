import * as chrono from 'chrono-node/en';
import { isRecord, ownValue } from '../../tools/own-data';
import { normalizeText } from '../../tools/text/words';
import type { JsonObject, JsonValue } from '../../tools/tool';

/** Everything said or seen in a conversation so far, indexed to find out where a value comes from. */
export interface Sources {
  /** Adds text of the user, a fact or a result. Dates are read from `spoken` text only. */
  add(text: string, kind: 'spoken' | 'seen'): void;
  /** True when the value stands in what was added, or follows from it in an obvious way. */
  has(value: string | number): boolean;
}

const MAX_TEXT = 300_000;
const MAX_SPOKEN = 2000;
const MAX_UNSOURCED = 8;
const MAX_LEAVES = 200;

/** @param now what "tomorrow" is relative to */
export function createSources(now: Date): Sources {
  const words = new Set<string>();
  const stems = new Set<string>();
  const numbers = new Set<number>([1]);
  const dates = new Set<string>();
  const times = new Set<string>();
  let text = ' ';

  function add(raw: string, kind: 'spoken' | 'seen'): void {
    const piece = raw.slice(0, MAX_TEXT);
    const normal = normalizeText(piece);
    text += `${normal} `;
    for (const word of normal.split(' ')) {
      words.add(word);
      stems.add(stem(word));
      const spelled = NUMBER_WORDS.get(word);
      if (spelled !== undefined) numbers.add(spelled);
    }
    for (const number of numbersIn(piece)) numbers.add(number);
    if (kind === 'spoken') readMoments(piece.slice(0, MAX_SPOKEN));
  }

  function readMoments(piece: string): void {
    for (const found of chrono.parse(piece, now, { forwardDate: true })) {
      for (const moment of [found.start, found.end]) {
        if (!moment) continue;
        dates.add(isoDate(moment.get('year'), moment.get('month'), moment.get('day')));
        if (moment.isCertain('hour')) {
          times.add(`${pad(moment.get('hour'))}:${pad(moment.get('minute'))}`);
        }
      }
    }
  }

  function has(value: string | number): boolean {
    if (typeof value === 'number') return numbers.has(value) || numbers.has(Math.abs(value));
    const normal = normalizeText(value);
    if (normal === '' || text.includes(` ${normal} `)) return true;
    const moment = MOMENT.exec(value.trim());
    if (moment !== null) {
      const [, date, time] = moment;
      const dateKnown = date === undefined || dates.has(date);
      return dateKnown && (time === undefined || times.has(time) || time === '00:00');
    }
    return followsFromWords(normal.split(' '));
  }

  /** Other order, other endings, a few words of its own: still the user's words. */
  function followsFromWords(wanted: string[]): boolean {
    const content = wanted.filter((word) => word.length > 2 && !SMALL_WORDS.has(word));
    const ofDigits = wanted.filter((word) => /\d/.test(word));
    if (ofDigits.some((word) => !words.has(word) && !numbers.has(Number(word)))) return false;
    if (content.length === 0) return wanted.every((word) => words.has(word));
    const known = content.filter((word) => words.has(word) || stems.has(stem(word))).length;
    const share = known / content.length;
    return content.length > 8 ? share >= 0.5 : share >= 0.75;
  }

  return { add, has };
}

/**
 * The arguments whose value comes from nowhere, as `name: value`. Booleans are no values anybody
 * states, and what the schema itself gives (`default`, `const`) is not invented.
 */
export function unsourcedValues(schema: unknown, args: JsonObject, sources: Sources): string[] {
  const found: string[] = [];
  let leaves = 0;

  function look(value: JsonValue, at: unknown, path: string): void {
    if (found.length >= MAX_UNSOURCED || ++leaves > MAX_LEAVES) return;
    if (Array.isArray(value)) {
      const items = isRecord(at) ? ownValue(at, 'items') : undefined;
      for (const item of value) look(item, items, path);
    } else if (typeof value === 'object' && value !== null) {
      const properties = isRecord(at) ? ownValue(at, 'properties') : undefined;
      for (const name of Object.keys(value)) {
        const inner = value[name];
        if (inner === undefined) continue;
        const declared = isRecord(properties) ? ownValue(properties, name) : undefined;
        look(inner, declared, path === '' ? name : `${path}.${name}`);
      }
    } else if (typeof value === 'string' || typeof value === 'number') {
      if (isGiven(at, value) || sources.has(value)) return;
      const text = String(value);
      found.push(`${path}: ${text.length > 60 ? `${text.slice(0, 59)}…` : text}`);
    }
  }

  look(args, schema, '');
  return found;
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

const MOMENT =
  /^(?:(\d{4}-\d{2}-\d{2}))?(?:^|T|\s|$)(\d{2}:\d{2})?(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const pad = (n: number | null) => String(n ?? 0).padStart(2, '0');
const isoDate = (y: number | null, m: number | null, d: number | null) =>
  `${y}-${pad(m)}-${pad(d)}`;

/** Digits in both ways of grouping them, with `k` and `%`. */
function numbersIn(text: string): number[] {
  const found: number[] = [];
  for (const match of text.matchAll(/(\d[\d.,'’\u00A0\u202F]*)(\s?[k%])?/giu)) {
    const digits = (match[1] ?? '').replace(/[.,'’\s]+$/u, '');
    const readings = [
      Number(digits.replace(/[,'’\s]/gu, '')),
      Number(digits.replace(/[.'’\s]/gu, '').replace(',', '.')),
    ];
    for (const reading of readings) {
      if (!Number.isFinite(reading)) continue;
      found.push(reading);
      const unit = match[2]?.trim().toLowerCase();
      if (unit === 'k') found.push(reading * 1000);
      if (unit === '%') found.push(reading / 100);
    }
  }
  return found;
}

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
