import { neutralise } from '../tools/text/untrusted';

/** What the turn knows about the moment and the place; everything but `now` may be missing. */
export interface FactsInput {
  now: Date;
  /** IANA name, for example `Europe/Berlin`; absent = the machine's. */
  timeZone?: string;
  /** BCP 47. */
  language?: string;
  /** Of the top document. Written by the page, so it is cut and cleaned. */
  title?: string;
  url?: string;
}

const MAX_VALUE = 120;

/**
 * Facts a model should always have, as `key: value` pairs in the order they are told. The address is
 * told without query and fragment, which may hold secrets. The time comes last because it alone
 * changes from turn to turn.
 */
export function factsOf(input: FactsInput): Record<string, string> {
  const parts = wallClock(input.now, input.timeZone);
  const facts: Record<string, string> = {};
  const title = oneLine(input.title ?? '');
  if (title !== '') facts['page title'] = title;
  const address = plainAddress(input.url);
  if (address !== undefined) facts['page address'] = address;
  if (input.language) facts['language'] = oneLine(input.language);
  facts['time zone'] = parts.timeZone;
  facts['date'] = `${parts.weekday} ${parts.date}`;
  facts['time'] = parts.time;
  return facts;
}

/** Origin and path of an address, or `undefined` where it has none worth telling. */
export function plainAddress(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, host, pathname } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return oneLine(`${protocol}//${host}${pathname}`);
}

/** A value that fits one line of a prompt, whoever wrote it. */
export function oneLine(text: string, max = MAX_VALUE): string {
  const flat = neutralise(text).replace(/\s+/g, ' ').trim();
  return flat.length > max ? `${flat.slice(0, max - 1).trimEnd()}…` : flat;
}

function wallClock(now: Date, timeZone: string | undefined) {
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const format = (wanted: string) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: wanted,
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).formatToParts(now);
  let parts: Intl.DateTimeFormatPart[];
  let used = zone;
  try {
    parts = format(zone);
  } catch {
    // An unknown zone is no reason to have no date.
    used = 'UTC';
    parts = format(used);
  }
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((p) => p.type === type)?.value ?? '';
  return {
    timeZone: used,
    weekday: part('weekday'),
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  };
}
