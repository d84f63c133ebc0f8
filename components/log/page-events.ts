import type { PageEvent, PageEventType } from '../../lib/page/inspector/event';
import { formatDuration, formatNumber, type MessageKey, t } from '../text';
import { asJson } from '../value/as-json';
import { oneLine } from '../value/one-line';
import { placeText } from './Places';

/** What the page did by itself, beside the groups of the agent's events. */
export const PAGE_GROUPS = ['own-call', 'own-tool'] as const;
export type PageGroup = (typeof PAGE_GROUPS)[number];

const GROUPS: Record<PageEventType, PageGroup> = {
  'page-watched': 'own-tool',
  'page-tool-registered': 'own-tool',
  'page-tool-removed': 'own-tool',
  'page-tool-changed': 'own-tool',
  'page-call': 'own-call',
  'page-left-out': 'own-call',
};

const TITLES: Record<PageEventType, MessageKey> = {
  'page-watched': 'evPageWatched',
  'page-tool-registered': 'evPageRegistered',
  'page-tool-removed': 'evPageRemoved',
  'page-tool-changed': 'evPageChanged',
  'page-call': 'evPageCall',
  'page-left-out': 'evPageLeftOut',
};

const OUTCOMES = {
  result: 'outcomeResult',
  error: 'outcomeError',
  cancelled: 'outcomeCancelled',
  gone: 'outcomeGone',
} as const satisfies Record<string, MessageKey>;

export const isPageEvent = (event: { type: string }): event is PageEvent =>
  Object.hasOwn(GROUPS, event.type);

export const pageGroupOf = (event: PageEvent): PageGroup => GROUPS[event.type];

export function pageTitleOf(event: PageEvent): string {
  if (event.type === 'page-call' && event.by === 'other') return t('evOtherCall');
  if (event.type === 'page-tool-registered' && event.found) return t('evPageFound');
  return t(TITLES[event.type]);
}

/** What the page's event says in one short line, the tool first. */
export function pageLineOf(event: PageEvent): string {
  switch (event.type) {
    case 'page-watched':
      return oneLine(`${t(event.late ? 'watchedLate' : 'watchedEarly')} ${event.url}`, 120);
    case 'page-tool-registered': {
      const [place] = event.places;
      return oneLine(
        `${event.tool}: ${place ? `${placeText(place)} ` : ''}${event.description}`,
        120,
      );
    }
    case 'page-tool-removed':
      return event.tool;
    case 'page-tool-changed':
      return oneLine(`${event.tool}: ${event.changes.map(({ field }) => field).join(', ')}`, 120);
    case 'page-call':
      return callLine(event);
    case 'page-left-out':
      return formatNumber(event.count);
  }
}

function callLine(call: Extract<PageEvent, { type: 'page-call' }>): string {
  const { end, args } = call;
  const asked = `${call.tool}${args ? ` ${oneLine(jsonOf(args.text), 60)}` : ''}`;
  if (!end) return oneLine(args ? `${asked} …` : asked, 120);
  const time = end.ms === undefined ? '' : `${formatDuration(end.ms)} `;
  const said = end.said && end.outcome !== 'cancelled' ? `: ${end.said.text}` : '';
  return oneLine(`${asked} → ${time}${t(OUTCOMES[end.outcome])}${said}`, 160);
}

/** A text that was JSON before it was cut, as a value where it still is. */
export function jsonOf(text: string): ReturnType<typeof asJson> {
  try {
    return asJson(JSON.parse(text));
  } catch {
    return text;
  }
}

export function outcomeOf(end: { outcome: keyof typeof OUTCOMES }): string {
  return t(OUTCOMES[end.outcome]);
}
