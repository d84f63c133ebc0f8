import type { AgentEvent } from '../../lib/agent/events';
import type {
  CatalogView,
  ConversationInfo,
  Preview,
  RunToolResult,
} from '../../lib/messages/host-api';
import { EMPTY_PAGE_LOG, type PageLog } from '../../lib/page/inspector/event';
import type { SavedInput } from '../../lib/settings/saved-inputs';
import { Settings } from '../../lib/settings/settings';
import type { JsonObject } from '../../lib/tools/tool';
import type { ReplayedCase } from './replay';

export const DEVTOOLS_VIEWS = ['tools', 'run', 'ask', 'readiness', 'log', 'evals'] as const;
export type DevtoolsView = (typeof DEVTOOLS_VIEWS)[number];

/** One run by hand, kept for as long as the panel is open. */
export interface RunRecord {
  id: number;
  at: number;
  toolName: string;
  arguments: JsonObject;
  result: RunToolResult;
}

export type Asking =
  | { state: 'idle' }
  | { state: 'running'; ask: string }
  | { state: 'done'; ask: string; preview: Preview };

export type Replaying =
  | { state: 'idle' }
  | { state: 'running'; done: number; total: number }
  | { state: 'done'; cases: ReplayedCase[] };

export interface DevtoolsState {
  tabId: number;
  catalog: CatalogView | null;
  conversation: ConversationInfo | null;
  events: readonly AgentEvent[];
  /** What the page itself did while the panel is open. */
  page: PageLog;
  settings: Settings;
  runs: readonly RunRecord[];
  saved: readonly SavedInput[];
  asking: Asking;
  replaying: Replaying;
  problem: string | null;
}

export function initialState(tabId: number): DevtoolsState {
  return {
    tabId,
    catalog: null,
    conversation: null,
    events: [],
    page: EMPTY_PAGE_LOG,
    settings: Settings.parse({}),
    runs: [],
    saved: [],
    asking: { state: 'idle' },
    replaying: { state: 'idle' },
    problem: null,
  };
}
