import type { AgentEvent, EventType } from '../../lib/agent/events';
import type { PageEvent } from '../../lib/page/inspector/event';
import { textOf } from '../../lib/said/said';
import { tell } from '../said';
import { formatBytes, formatDuration, formatNumber, type MessageKey, t } from '../text';
import { asJson } from '../value/as-json';
import { oneLine } from '../value/one-line';
import { isPageEvent, type PageGroup, pageGroupOf, pageLineOf, pageTitleOf } from './page-events';

export const LOG_GROUPS = ['turn', 'page', 'tools', 'model', 'call', 'problem'] as const;
/** What an event is about; the log filters by it. */
export type LogGroup = (typeof LOG_GROUPS)[number] | PageGroup;

/** The agent's events, and what the page did by itself. */
export type LoggedEvent = AgentEvent | PageEvent;

const GROUPS: Record<EventType, LogGroup> = {
  'turn-started': 'turn',
  'turn-queued': 'turn',
  'step-started': 'turn',
  'turn-ended': 'turn',
  'brief-updated': 'turn',
  'catalog-collected': 'page',
  'page-navigated': 'page',
  'tools-advertised': 'tools',
  'tools-chosen': 'tools',
  'tool-searched': 'tools',
  'deferred-tool-call': 'tools',
  'prompt-sent': 'model',
  text: 'model',
  'model-replied': 'model',
  'reply-problems': 'problem',
  'engine-failed': 'problem',
  notice: 'problem',
  'call-invalid': 'problem',
  'call-proposed': 'call',
  'approval-asked': 'call',
  'approval-answered': 'call',
  'call-started': 'call',
  'call-finished': 'call',
  'question-asked': 'call',
  'question-answered': 'call',
};

const TITLES: Record<EventType, MessageKey> = {
  'turn-started': 'evTurnStarted',
  'turn-queued': 'evTurnQueued',
  'step-started': 'evStepStarted',
  'turn-ended': 'evTurnEnded',
  'brief-updated': 'evBriefUpdated',
  'catalog-collected': 'evCatalogCollected',
  'page-navigated': 'evPageNavigated',
  'tools-advertised': 'evToolsAdvertised',
  'tools-chosen': 'evToolsChosen',
  'tool-searched': 'evToolSearched',
  'deferred-tool-call': 'evDeferredToolCall',
  'prompt-sent': 'evPromptSent',
  text: 'evText',
  'model-replied': 'evModelReplied',
  'reply-problems': 'evReplyProblems',
  'engine-failed': 'evEngineFailed',
  notice: 'evNotice',
  'call-invalid': 'evCallInvalid',
  'call-proposed': 'evCallProposed',
  'approval-asked': 'evApprovalAsked',
  'approval-answered': 'evApprovalAnswered',
  'call-started': 'evCallStarted',
  'call-finished': 'evCallFinished',
  'question-asked': 'evQuestionAsked',
  'question-answered': 'evQuestionAnswered',
};

export function groupOf(event: LoggedEvent): LogGroup {
  if (isPageEvent(event)) return pageGroupOf(event);
  if (event.type === 'call-finished' && !event.ok) return 'problem';
  return GROUPS[event.type];
}

export function titleOf(event: LoggedEvent): string {
  if (isPageEvent(event)) return pageTitleOf(event);
  return t(TITLES[event.type]);
}

/** The tool of each call, by the call's id: most events of a call bear the id alone. */
export function callNames(events: readonly AgentEvent[]): ReadonlyMap<string, string> {
  return new Map(
    events.flatMap((event): [string, string][] => {
      if (event.type === 'call-proposed') return [[event.callId, event.tool.name]];
      return event.type === 'call-invalid' ? [[event.callId, event.name]] : [];
    }),
  );
}

/** The event in one short line, beside its title; `names` as from {@link callNames}. */
export function lineOf(event: LoggedEvent, names: ReadonlyMap<string, string> = new Map()): string {
  if (isPageEvent(event)) return pageLineOf(event);
  const nameOf = (callId: string) => names.get(callId) ?? callId;
  switch (event.type) {
    case 'turn-started':
      return oneLine(`${event.engine}${event.model ? ` ${event.model}` : ''}: ${event.ask}`, 120);
    case 'turn-queued':
      return t('queued', event.position);
    case 'step-started':
      return formatNumber(event.step);
    case 'catalog-collected':
      return [
        t('logTools', event.tools, formatDuration(event.ms)),
        event.appeared.length > 0 ? `+ ${oneLine(event.appeared.join(', '))}` : '',
        event.vanished.length > 0 ? `− ${oneLine(event.vanished.join(', '))}` : '',
      ]
        .filter((part) => part !== '')
        .join(' ');
    case 'tools-advertised':
      return t('logAdvertised', event.direct, event.deferred, formatBytes(event.schemaBytes));
    case 'tools-chosen':
      return t(
        'logChosen',
        event.offered.length,
        event.left.length,
        formatBytes(event.budget.schemaBytes),
        formatNumber(event.budget.direct + event.budget.promoted + event.budget.manifest),
      );
    case 'prompt-sent':
      return t('logPrompt', event.dialect, formatNumber(event.tokens));
    case 'text':
      return oneLine(event.text, 120);
    case 'model-replied':
      return t(
        'logReplied',
        formatNumber(event.completionTokens),
        formatDuration(event.firstTokenMs),
        formatNumber(event.tokensPerSecond, { maximumFractionDigits: 1 }),
      );
    case 'reply-problems':
      return oneLine(event.errors.map(textOf).join(' '), 120);
    case 'call-proposed':
      return oneLine(`${event.tool.name} ${oneLine(asJson(event.arguments), 100)}`, 120);
    case 'call-invalid':
      return oneLine(`${event.name}: ${tell({ text: event.message, said: event.said })}`, 120);
    case 'approval-asked':
      return oneLine(`${nameOf(event.callId)} ${event.reason}`, 120);
    case 'approval-answered':
      return oneLine(
        `${nameOf(event.callId)} ${t(event.decision === 'allow' ? 'allow' : 'deny')} (${event.by})`,
        120,
      );
    case 'call-started':
      return oneLine(nameOf(event.callId), 120);
    case 'call-finished':
      return oneLine(
        `${nameOf(event.callId)} ${formatDuration(event.ms)} ${event.ok ? event.shown : tell({ text: event.error ?? '', said: event.said })}`,
        120,
      );
    case 'tool-searched':
      return oneLine(event.matched.join(', ') || '–', 120);
    case 'deferred-tool-call':
      return event.toolName;
    case 'question-asked':
    case 'notice':
      return oneLine(tell({ text: event.text, said: event.said }), 120);
    case 'question-answered':
      return oneLine(asJson(event.answer), 120);
    case 'page-navigated':
      return oneLine(event.url, 120);
    case 'engine-failed':
      return oneLine(`${event.engine}: ${tell({ text: event.message, said: event.said })}`, 120);
    case 'brief-updated':
      return oneLine(event.brief, 120);
    case 'turn-ended':
      return oneLine(`${event.reason} ${tell({ text: event.message, said: event.said })}`, 120);
  }
}

/** Both in the order they happened; each is nearly in order by itself. */
export function mergeLog(
  events: readonly AgentEvent[],
  page: readonly PageEvent[],
): readonly LoggedEvent[] {
  return page.length > 0 ? [...events, ...page].sort((a, b) => a.at - b.at) : events;
}

/** Events of the groups that hold every word of `search`, in title, line or content. */
export function filterLog(
  events: readonly LoggedEvent[],
  groups: ReadonlySet<LogGroup>,
  search: string,
): LoggedEvent[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return events.filter((event) => {
    if (!groups.has(groupOf(event))) return false;
    if (words.length === 0) return true;
    const text = `${titleOf(event)} ${JSON.stringify(event)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
