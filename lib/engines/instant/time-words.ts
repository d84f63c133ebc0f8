import { numberWord } from './words';

/** A time of day or a day of the month that people say and the date library does not read. */
export interface SpokenMoment {
  start: number;
  end: number;
  text: string;
  time?: string;
  /** Day of the month, 1 to 31. */
  day?: number;
}

const HOUR = '(\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)';
const PART = '(in the (?:morning|afternoon|evening)|at night|am\\b|pm\\b|a\\.m\\.|p\\.m\\.)';
const TIMES = new RegExp(
  [
    `\\b(half past|quarter past|a quarter past|quarter to|a quarter to)\\s+${HOUR}\\b(?:\\s*${PART})?`,
    `\\b${HOUR}(?::(\\d\\d))?\\s*(?:o['’]?clock)(?:\\s*${PART})?`,
    `\\b${HOUR}(?::(\\d\\d))?\\s+(in the (?:morning|afternoon|evening)|at night)`,
    `(?<=\\bat\\s)${HOUR}\\b(?!\\s*[:.]?\\d)(?:\\s*${PART})?`,
  ].join('|'),
  'gi',
);
const DAY =
  /(?<=\b(?:on|until|till|by|from|to|back|for|since)\s)the\s+(\d{1,2})(?:st|nd|rd|th)\b(?!\s+(?:of\b|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|one\b))/gi;

const pad = (n: number): string => String(n).padStart(2, '0');

/** "half past ten in the evening", "at seven", "on the 14th". */
export function spokenMoments(text: string): SpokenMoment[] {
  const out: SpokenMoment[] = [];
  for (const m of text.matchAll(TIMES)) {
    const at = { start: m.index, end: m.index + m[0].length, text: m[0] };
    // "at 7" and "at 7 pm" are the date library's; words are not.
    if (m[10] !== undefined && /^\d/.test(m[10])) continue;
    const hour = m[2] ?? m[4] ?? m[7] ?? m[10] ?? '';
    const part = m[3] ?? m[6] ?? m[9] ?? m[11] ?? '';
    const minute = Number(m[5] ?? m[8] ?? 0);
    const time = timeOf(hour, minute, m[1], part || partOfDay(text));
    if (time !== undefined) out.push({ ...at, time });
  }
  for (const m of text.matchAll(DAY)) {
    const day = Number(m[1]);
    if (day >= 1 && day <= 31) {
      out.push({ start: m.index, end: m.index + m[0].length, text: m[0], day });
    }
  }
  return out.sort((a, b) => a.start - b.start);
}

/** "tomorrow evening at seven": the part of the day may stand elsewhere. */
const partOfDay = (text: string): string =>
  /\b(?:evening|tonight)\b/i.test(text) ? 'pm' : /\bafternoon\b/i.test(text) ? 'pm' : '';

function timeOf(
  said: string,
  minute: number,
  shift: string | undefined,
  part: string,
): string | undefined {
  let hour = /^\d/.test(said) ? Number(said) : (numberWord(said.toLowerCase()) ?? -1);
  if (hour < 0 || hour > 24 || minute > 59) return undefined;
  if (/afternoon|evening|night|p\.?m/i.test(part) && hour < 12) hour += 12;
  if (/morning|a\.?m/i.test(part) && hour === 12) hour = 0;
  let minutes = hour * 60 + minute;
  if (shift && /half/i.test(shift)) minutes += 30;
  else if (shift && /to$/i.test(shift)) minutes -= 15;
  else if (shift) minutes += 15;
  return `${pad(Math.floor(minutes / 60) % 24)}:${pad(minutes % 60)}`;
}

const PERIOD = /\b(this|last|next|past)\s+(week|month|year)\b/gi;

/** Whole weeks (from Monday), months and years: "this month", "last week". */
export function periodsIn(
  text: string,
  now: Date,
): { start: number; end: number; text: string; from: Date; to: Date }[] {
  return [...text.matchAll(PERIOD)].map((m) => {
    const shift = /next/i.test(m[1] ?? '') ? 1 : /this/i.test(m[1] ?? '') ? 0 : -1;
    const [from, to] = span(m[2]?.toLowerCase() ?? '', shift, now);
    return { start: m.index, end: m.index + m[0].length, text: m[0], from, to };
  });
}

function span(unit: string, shift: number, now: Date): [Date, Date] {
  const [y, m, d] = [now.getFullYear(), now.getMonth(), now.getDate()];
  if (unit === 'year') return [new Date(y + shift, 0, 1), new Date(y + shift, 11, 31)];
  if (unit === 'month') return [new Date(y, m + shift, 1), new Date(y, m + shift + 1, 0)];
  const monday = d - ((now.getDay() + 6) % 7) + 7 * shift;
  return [new Date(y, m, monday), new Date(y, m, monday + 6)];
}
