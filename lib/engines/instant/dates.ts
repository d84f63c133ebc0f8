import * as chrono from 'chrono-node/en';
import type { Span } from './scan';
import type { Slot } from './slots';
import { periodsIn, spokenMoments } from './time-words';

/** Wall-clock parts; what was not said is absent. */
export interface Moment {
  date?: string;
  time?: string;
}
export interface DateFound extends Span {
  from: Moment;
  to?: Moment;
  /** The words before it make it an end: "until Friday", "back on Sunday". */
  ending: boolean;
}

/** Now, where the user is, from the facts. */
export interface Clock {
  now: Date;
  timeZone?: string;
}

const ISO_DATE = /\b(\d{4})-(\d{2})-(\d{2})\b/;
const HOURS = /\b(\d{1,2}):(\d{2})\b/;

/**
 * The clock that the facts state, as a local `Date` whose wall-clock parts are those of the user.
 * `undefined` when no fact names a date: then no relative date can be read.
 */
export function clockOf(facts: Record<string, string>): Clock | undefined {
  let date: RegExpExecArray | null = null;
  let time: RegExpExecArray | null = null;
  let spoken: Date | null = null;
  let timeZone: string | undefined;
  for (const [key, value] of Object.entries(facts)) {
    const name = key.toLowerCase();
    if (/zone/.test(name)) timeZone = value.trim().split(/\s/)[0];
    else if (/date|today|now|time/.test(name)) {
      date ??= ISO_DATE.exec(value);
      time ??= HOURS.exec(value.replace(ISO_DATE, ''));
      if (!date && /date|today|now/.test(name)) spoken ??= chrono.parseDate(value);
    }
  }
  const hours = time ? Number(time[1]) : 9;
  const minutes = time ? Number(time[2]) : 0;
  if (date) {
    return {
      now: new Date(Number(date[1]), Number(date[2]) - 1, Number(date[3]), hours, minutes),
      timeZone,
    };
  }
  if (!spoken) return undefined;
  spoken.setHours(hours, minutes, 0, 0);
  return { now: spoken, timeZone };
}

const pad = (n: number): string => String(n).padStart(2, '0');

type Parts = ReturnType<typeof chrono.parse>[number]['start'];

function momentOf(part: Parts): Moment {
  const moment: Moment = {};
  const dated = part.isCertain('day') || part.isCertain('weekday');
  if (dated) {
    moment.date = `${part.get('year')}-${pad(part.get('month') ?? 1)}-${pad(part.get('day') ?? 1)}`;
  }
  if (part.isCertain('hour')) {
    moment.time = `${pad(part.get('hour') ?? 0)}:${pad(part.get('minute') ?? 0)}`;
  }
  return moment;
}

const NO_DATE = /^(?:may|mar|sat|sun|second|now|\d{1,4}|at \d{1,2}|in|\d{1,2}\.\d{1,2})$/i;
const ENDING =
  /(?:until|till|through|back|return(?:ing)?|checking out|check[- ]?out|out|to|ending|ends?)(?:\s+(?:on|by|at))?\s*$/i;

const PAST = /\b(?:last|past|previous|ago|yesterday)\b/i;
const SINCE = /\b(?:since|after)\s*(?:the\s*)?$/i;

/** Dates and times in the text, relative to the clock; future ones unless the words look back. */
export function datesIn(text: string, clock: Clock | undefined, ranges = false): DateFound[] {
  const reference = clock?.now ?? new Date(2000, 0, 1, 9);
  const spoken = spokenMoments(text);
  let rest = text.replace(/\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/g, '$2/$1/$3');
  for (const s of spoken)
    rest = rest.slice(0, s.start) + ' '.repeat(s.end - s.start) + rest.slice(s.end);
  const out: DateFound[] = spoken.flatMap((s) => {
    const from: Moment = s.time ? { time: s.time } : {};
    if (s.day !== undefined) from.date = nextDay(s.day, reference);
    const ending = ENDING.test(text.slice(0, s.start));
    return [{ value: s.text, start: s.start, end: s.end, from, ending }];
  });
  // Long gaps, where words were taken out, make the library miss the end of a range before them.
  rest = rest.replace(/ {3,}/g, (gap) => ` ${'|'.repeat(gap.length - 2)} `);
  if (ranges) {
    for (const p of periodsIn(rest, reference)) {
      rest = rest.slice(0, p.start) + ' '.repeat(p.end - p.start) + rest.slice(p.end);
      out.push({
        ...p,
        value: p.text,
        from: { date: iso(p.from) },
        to: { date: iso(p.to) },
        ending: false,
      });
    }
  }
  for (const r of chrono.parse(rest, reference, { forwardDate: true })) {
    if (NO_DATE.test(r.text.trim())) continue;
    const lead = text.slice(0, r.index);
    const back = PAST.test(r.text) || SINCE.test(lead);
    const [past] = back ? chrono.parse(r.text, reference, { forwardDate: false }) : [];
    const found = foundOf(
      past ? { ...past, start: past.start, end: past.end, index: r.index, text: r.text } : r,
      lead,
    );
    if (found) out.push(found);
  }
  return out.sort((a, b) => a.start - b.start);
}

interface Read {
  index: number;
  text: string;
  start: Parts;
  end?: Parts | null;
}

function foundOf(r: Read, lead: string): DateFound | undefined {
  const from = momentOf(r.start);
  if (!from.date && !from.time) return undefined;
  const found: DateFound = {
    value: r.text,
    start: r.index,
    end: r.index + r.text.length,
    from,
    ending: ENDING.test(lead),
  };
  if (r.end) found.to = momentOf(r.end);
  return found;
}

const iso = (d: Date): string => `${d.getFullYear()}-${pad(d.getMonth() + 1)}-${pad(d.getDate())}`;

/** The next such day of a month, today included. */
function nextDay(day: number, now: Date): string {
  for (let month = now.getMonth(); ; month++) {
    const date = new Date(now.getFullYear(), month, day);
    if (date.getDate() === day && (month > now.getMonth() || day >= now.getDate())) {
      return iso(date);
    }
  }
}

/** `2026-12-01` plus days. */
export function addDays(date: string, days: number): string {
  const m = ISO_DATE.exec(date);
  if (!m) return date;
  const d = new Date(Date.UTC(Number(m[1]), Number(m[2]) - 1, Number(m[3]) + days));
  return d.toISOString().slice(0, 10);
}

/** How far the zone is from UTC at that wall-clock moment, as `+01:00`; `''` where unknown. */
function offsetOf(date: string, time: string, timeZone: string | undefined): string {
  if (!timeZone) return '';
  try {
    const utc = new Date(`${date}T${time}:00Z`);
    const name = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
      .formatToParts(utc)
      .find((p) => p.type === 'timeZoneName')?.value;
    if (name === 'GMT') return 'Z';
    return /^GMT([+-]\d\d:\d\d)$/.exec(name ?? '')?.[1] ?? '';
  } catch {
    return '';
  }
}

const is12h = (slot: Slot): boolean => /\d\s?(?:am|pm)\b/.test(slot.about);

/** The moment in the form the argument asks for; `undefined` when a part of it was not said. */
export function writeMoment(
  slot: Slot,
  moment: Moment,
  clock: Clock | undefined,
): string | undefined {
  if (slot.kind === 'time') {
    if (!moment.time || !is12h(slot)) return moment.time;
    const [h = 0, m = 0] = moment.time.split(':').map(Number);
    return `${h % 12 || 12}:${pad(m)} ${h < 12 ? 'AM' : 'PM'}`;
  }
  if (slot.kind === 'date') return moment.date;
  if (!moment.time) return undefined;
  const date = moment.date ?? nextDateFor(moment.time, clock);
  if (!date) return undefined;
  if (/t\s?hh:mm(?!:)/.test(slot.about)) return `${date}T${moment.time}`;
  if (/yyyy-mm-dd hh:mm/.test(slot.about)) return `${date} ${moment.time}`;
  return `${date}T${moment.time}:00${offsetOf(date, moment.time, clock?.timeZone)}`;
}

/** A time alone means the next time the clock shows it. */
function nextDateFor(time: string, clock: Clock | undefined): string | undefined {
  if (!clock) return undefined;
  const { now } = clock;
  const today = `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
  return time > `${pad(now.getHours())}:${pad(now.getMinutes())}` ? today : addDays(today, 1);
}
