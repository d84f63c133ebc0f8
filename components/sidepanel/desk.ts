import { type ReadonlySignal, signal } from '@preact/signals';
import type { HostClient, HostMethod, HostResults, hostMethods } from '../../lib/messages/host-api';
import { MisfitError } from '../../lib/messages/misfit';
import { Settings } from '../../lib/settings/settings';
import { tellError } from '../said';
import { t } from '../text';
import type { PanelState } from './state';

/** What everything that the panel can do works with: its state, and the host to ask. */
export interface Desk {
  state: ReadonlySignal<PanelState>;
  set: (patch: Partial<PanelState>) => void;
  /** Runs to its end by itself; what goes wrong is shown. */
  run: (work: () => Promise<unknown>) => void;
  /** Asks the host, until the panel closes or the signal aborts. */
  request: <M extends HostMethod>(
    method: M,
    params: Parameters<(typeof hostMethods)[M]['parse']>[0] & object,
    signal?: AbortSignal,
  ) => Promise<HostResults[M]>;
  /** Runs for the shown tab, where there is one. */
  withTab: (work: (tabId: number) => Promise<unknown>) => void;
  withConversation: (work: (conversationId: string, tabId: number) => Promise<unknown>) => void;
}

export function createDesk(host: HostClient, closing: AbortSignal): Desk {
  const state = signal<PanelState>({
    tab: null,
    conversation: null,
    events: [],
    turns: [],
    status: null,
    catalog: null,
    engines: null,
    importing: null,
    settings: Settings.parse({}),
    history: [],
    next: new Map(),
    tabTitles: new Map(),
    problem: null,
  });
  const set = (patch: Partial<PanelState>) => {
    state.value = { ...state.value, ...patch };
  };
  const fail = (error: unknown) => {
    if (closing.aborted || (error instanceof DOMException && error.name === 'AbortError')) return;
    set({ problem: error instanceof MisfitError ? t('misfit') : tellError(error) });
  };
  const run: Desk['run'] = (work) => {
    work().catch(fail);
  };
  return {
    state,
    set,
    run,
    request: (method, params, signal) =>
      host.request(method, params as never, signal ? AbortSignal.any([closing, signal]) : closing),
    withTab: (work) => {
      const { tab } = state.value;
      if (tab) run(() => work(tab.id));
    },
    withConversation: (work) => {
      const { tab, conversation } = state.value;
      if (tab && conversation) run(() => work(conversation.id, tab.id));
    },
  };
}
