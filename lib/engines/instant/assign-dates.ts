import { addDays, type Clock, type DateFound, datesIn, type Moment, writeMoment } from './dates';
import { freeText, type Scan, take } from './scan';
import type { Slot } from './slots';

const END =
  /^(?:end|ends|until|to|return|returning|checkout|out|till|finish|arrival|before|latest)$/;
const MOMENT: ReadonlySet<Slot['kind']> = new Set(['date', 'time', 'datetime']);
const isEnd = (slot: Slot): boolean => slot.words.some((w) => END.test(w));

/** Gives dates and times to the arguments that take them: a start, an end, a time of day. */
export function assignDates(
  scan: Scan,
  slots: readonly Slot[],
  clock: Clock | undefined,
  give: (slot: Slot, value: string) => void,
): void {
  const moments = slots.filter((s) => MOMENT.has(s.kind));
  if (moments.length === 0) return;
  const ranges = moments.length > 1 && moments.some(isEnd);
  const found = datesIn(freeText(scan), clock, ranges);
  const open = new Set(moments);
  const put = (slot: Slot | undefined, moment: Moment): boolean => {
    const value = slot && writeMoment(slot, moment, clock);
    if (!slot || !value) return false;
    give(slot, value);
    open.delete(slot);
    return true;
  };
  const next = (kinds: Slot['kind'][], end: boolean): Slot | undefined => {
    const fitting = [...open].filter((s) => kinds.includes(s.kind) && isEnd(s) === end);
    return fitting.find((s) => s.required) ?? fitting[0];
  };
  let start: string | undefined;
  for (const [i, d] of joined(found, scan.text).entries()) {
    const end = d.ending && (i > 0 || start !== undefined) && [...open].some(isEnd);
    let used = false;
    const place = (moment: Moment, atEnd: boolean): void => {
      const any = (kinds: Slot['kind'][]) =>
        next(kinds, atEnd) ?? (atEnd || i > 0 ? undefined : next(kinds, !atEnd));
      if (put(any(['datetime']), moment)) {
        used = true;
        return;
      }
      if (moment.date && put(any(['date']) ?? (i > 0 ? next(['date'], true) : undefined), moment))
        used = true;
      if (moment.time && put(any(['time']), moment)) used = true;
    };
    place(d.from, end);
    if (!start && d.from.date) start = d.from.date;
    if (d.to) place({ ...d.to, date: d.to.date ?? d.from.date }, true);
    if (used) takeWithLead(scan, d);
  }
  nights(scan, start, next(['date'], true), give);
}

/** "on Friday at 7pm" is one moment even where it was read as two. */
function joined(found: DateFound[], text: string): DateFound[] {
  const out: DateFound[] = [];
  for (const d of found) {
    const last = out.at(-1);
    const gap = last ? text.slice(last.end, d.start) : '';
    const close = /^[\s,]*(?:at|on|@|from|around|by)?[\s]*$/i.test(gap);
    if (
      last &&
      close &&
      !last.to &&
      Boolean(last.from.date) !== Boolean(d.from.date) &&
      Boolean(last.from.time) !== Boolean(d.from.time)
    ) {
      last.from = { ...last.from, ...d.from };
      if (d.to) last.to = d.to;
      last.end = d.end;
    } else out.push({ ...d });
  }
  // A day in one place and a time in another are still one moment.
  const [a, b] = out;
  if (out.length === 2 && a && b && !a.to && !b.to && !b.ending) {
    if (a.from.date && !a.from.time && b.from.time && !b.from.date) b.from.date = a.from.date;
    else if (b.from.date && !b.from.time && a.from.time && !a.from.date) a.from.date = b.from.date;
  }
  return out;
}

/** "from the 3rd for two nights": the end is said, as a length. */
function nights(
  scan: Scan,
  start: string | undefined,
  slot: Slot | undefined,
  give: (slot: Slot, value: string) => void,
): void {
  if (!start || !slot) return;
  const match =
    /\b(?:for\s+)?(a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\s+(nights?|days?|weeks?)\b/i.exec(
      freeText(scan),
    );
  if (!match?.[1] || !match[2]) return;
  const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  const said = match[1].toLowerCase();
  const count = /^\d/.test(said) ? Number(said) : Math.max(1, words.indexOf(said) + 1);
  give(slot, addDays(start, match[2].toLowerCase().startsWith('week') ? count * 7 : count));
  take(scan, match.index, match.index + match[0].length);
}

const LEAD =
  /\b(?:on|at|for|from|by|in|until|till|starting|beginning|leaving|departing|returning|return|coming back|back|due|to|between|and|arriving|checking in|checking out|due on|through|since|after|before|as of)\s*$/i;

function takeWithLead(scan: Scan, d: DateFound): void {
  let start = d.start;
  for (let i = 0; i < 3; i++) {
    const lead = LEAD.exec(freeText(scan).slice(0, start));
    if (!lead) break;
    start = lead.index;
  }
  take(scan, start, d.end);
}
