import type { EngineDescription, LoadProgress } from '../../lib/agent/engine';
import type { AgentEvent, Budget, EndReason } from '../../lib/agent/events';
import type { TranscriptTurn } from '../../lib/agent/transcript';
import type { CatalogView, ConversationInfo, HostStatus } from '../../lib/messages/host-api';
import { type Settings, type SiteSettings, siteSettings } from '../../lib/settings/settings';
import type { EmptyReason } from '../chat/EmptyState';

export const PANEL_VIEWS = ['chat', 'tools', 'log', 'history'] as const;
export type PanelView = (typeof PANEL_VIEWS)[number];

/** Everything the side panel shows. One object, replaced on every change. */
export interface PanelState {
  tab: { id: number; title: string; url: string } | null;
  conversation: ConversationInfo | null;
  events: readonly AgentEvent[];
  turns: readonly TranscriptTurn[];
  status: HostStatus | null;
  catalog: CatalogView | null;
  engines: EngineDescription[] | null;
  /** Copying of model files the user picked, while it goes on. */
  importing: LoadProgress | null;
  settings: Settings;
  history: readonly ConversationInfo[];
  /** By conversation: the message that waits for the answer to the one before. */
  next: ReadonlyMap<string, string>;
  /** Titles of tabs that the model is busy with or that wait for it. */
  tabTitles: ReadonlyMap<number, string>;
  /** Why the last request did not work, in words, until it is dismissed. */
  problem: string | null;
}

/** Whether a turn of the shown conversation runs or waits. */
export function isBusy(state: PanelState): boolean {
  const id = state.conversation?.id;
  if (id === undefined) return false;
  const { status } = state;
  const last = state.turns.at(-1);
  return (
    status?.busy?.conversationId === id ||
    status?.queue.some((waiting) => waiting.conversationId === id) === true ||
    // Between the request and the host's first status.
    (last !== undefined && last.end === undefined)
  );
}

/** The tab the model works for, when that is another one than the shown one. */
export function busyElsewhere(state: PanelState): string | null {
  const busy = state.status?.busy;
  if (!busy || busy.tabId === state.tab?.id) return null;
  return state.tabTitles.get(busy.tabId) ?? null;
}

/** Where the shown conversation stands in the line for the model, 1 being next. */
export function placeInLine(state: PanelState): number | undefined {
  const id = state.conversation?.id;
  const at = state.status?.queue.findIndex(({ conversationId }) => conversationId === id) ?? -1;
  return at < 0 ? undefined : at + 1;
}

/** A turn that the shown conversation is not the one of, and that the user should know of. */
export interface Elsewhere {
  /** `working` is told only of the shown tab: of another one the composer's note tells. */
  what: 'approval' | 'question' | 'working';
  tabId: number;
  conversationId: string;
  /** Title of its tab, where that is another one and is known. */
  title?: string;
}
export function elsewhere(state: PanelState): Elsewhere | null {
  const { tab, conversation, status, tabTitles } = state;
  const busy = status?.busy;
  if (!busy || !tab || !conversation || busy.conversationId === conversation.id) return null;
  const { tabId, conversationId } = busy;
  const isHere = tabId === tab.id;
  if (!busy.waitsFor && !isHere) return null;
  return {
    what: busy.waitsFor ?? 'working',
    tabId,
    conversationId,
    title: isHere ? undefined : tabTitles.get(tabId),
  };
}

export function emptyReason(state: PanelState): EmptyReason {
  if (!state.catalog) return state.tab ? 'connecting' : 'no-page';
  if (state.catalog.empty) return state.catalog.empty.reason;
  if (state.catalog.catalog.tools.length === 0) return 'no-tools';
  return state.settings.engine === 'instant' ? 'no-model' : 'ready';
}

/** The budget of the newest step, else what the page's tools alone would take. */
export function currentBudget(state: PanelState): Budget | null {
  for (const turn of state.turns.toReversed()) {
    const budget = turn.steps.findLast((step) => step.budget)?.budget;
    if (budget) return budget;
  }
  return state.catalog?.budget ?? null;
}

/** Origin of the shown page, under which its settings are kept; `null` where it has none. */
export function pageOrigin(state: PanelState): string | null {
  const url = state.catalog?.catalog.url ?? state.tab?.url ?? '';
  try {
    const { origin } = new URL(url);
    return origin === 'null' ? null : origin;
  } catch {
    return null;
  }
}

export function currentSite(state: PanelState): SiteSettings {
  return siteSettings(state.settings, pageOrigin(state) ?? '');
}

/** What a screen reader is told, in one sentence that changes only when the turn's state does. */
export type Announcement =
  | 'idle'
  | 'working'
  | 'approval'
  | 'question'
  | 'answered'
  | 'stopped'
  | 'denied'
  | 'asked'
  | 'failed';

/** Ends that are no failure, by their reason. */
const ENDS: Partial<Record<EndReason, Announcement>> = {
  answered: 'answered',
  stopped: 'stopped',
  denied: 'denied',
  asked: 'asked',
};

export function announcement(turns: readonly TranscriptTurn[]): Announcement {
  const turn = turns.at(-1);
  if (!turn) return 'idle';
  if (turn.end) return ENDS[turn.end.reason] ?? 'failed';
  const last = turn.items.at(-1);
  if (last?.kind === 'call' && last.call.state === 'awaiting-approval') return 'approval';
  if (last?.kind === 'question' && last.question.state === 'open') return 'question';
  return 'working';
}
