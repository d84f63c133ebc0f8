import type { AgentEvent } from '../../lib/agent/events';
import { addToTranscript, foldTranscript } from '../../lib/agent/transcript';
import type { CatalogView, HeardPush, Snapshot } from '../../lib/messages/host-api';
import { onceMore } from '../again';
import { t } from '../text';
import { unseen } from '../unseen';
import type { Desk } from './desk';
import type { PanelPorts, PanelTab } from './ports';
import type { PanelState } from './state';

/** Text arrives faster than anyone reads; it is drawn at most this often. */
const TEXT_INTERVAL_MS = 80;

export interface Follower {
  /** Shows the conversation, unless the tab was left while the host answered. */
  showIn: (tabId: number | undefined, snapshot: Snapshot) => void;
  /** Of the shown tab. */
  loadCatalog: () => void;
  refreshEngines: () => void;
  /** Asks anew for all there is about the shown tab. */
  reload: () => void;
}

/**
 * Keeps the state up with the active tab and with what the host pushes. Each tab has its own
 * conversation, and a reply that comes for a tab just left changes nothing.
 */
export function follow(
  desk: Desk,
  ports: Pick<PanelPorts, 'host' | 'followTab' | 'followSettings' | 'tabTitle'>,
  closing: AbortSignal,
): Follower {
  const { state, set, run, request } = desk;
  let visit = new AbortController();
  let look = async () => {};
  let pending: AgentEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (snapshot: Snapshot) => {
    pending = [];
    set({
      conversation: snapshot.conversation,
      events: snapshot.events,
      turns: foldTranscript(snapshot.events),
    });
    showStatus(snapshot.status);
  };
  const showIn: Follower['showIn'] = (tabId, snapshot) => {
    if (tabId === state.value.tab?.id) show(snapshot);
  };

  const showStatus = (status: NonNullable<PanelState['status']>) => {
    const before = state.value.status?.engine;
    set({ status });
    if (before && (before.state !== status.engine.state || before.model !== status.engine.model)) {
      if (state.value.engines) refreshEngines();
    }
    const others = [status.busy, ...status.queue].flatMap((user) => (user ? [user.tabId] : []));
    for (const id of new Set(others)) {
      if (id === state.value.tab?.id || state.value.tabTitles.has(id)) continue;
      run(async () => {
        const title = await ports.tabTitle(id);
        if (title !== undefined)
          set({ tabTitles: new Map([...state.value.tabTitles, [id, title]]) });
      });
    }
  };

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length === 0) return;
    const fresh = unseen(state.value.events, pending);
    pending = [];
    let turns = [...state.value.turns];
    for (const event of fresh) turns = addToTranscript(turns, event);
    set({ events: [...state.value.events, ...fresh], turns });
  };

  const onPush = (push: HeardPush) => {
    switch (push.push) {
      case 'events':
        if (push.conversationId !== state.value.conversation?.id) return;
        pending.push(...push.events);
        if (push.events.every((event) => event.type === 'text')) {
          timer ??= setTimeout(flush, TEXT_INTERVAL_MS);
        } else {
          flush();
        }
        return;
      case 'snapshot':
        showIn(push.snapshot.conversation.tabId, push.snapshot);
        return;
      case 'status':
        return showStatus(push.status);
      case 'catalog-changed':
        if (push.tabId === state.value.tab?.id) loadCatalog();
        return;
      case 'misfit':
        set({ problem: t('misfit') });
    }
  };

  const loadCatalog = () => run(look);
  const refreshEngines = () =>
    run(async () => {
      set({ engines: await request('describeEngines', {}) });
    });

  const enter = (tab: PanelTab | null) => {
    const before = state.value.tab;
    if (tab && before?.id === tab.id) {
      set({ tab });
      if (tab.url !== before.url) loadCatalog();
      return;
    }
    set({ tab, conversation: null, events: [], turns: [], catalog: null, problem: null });
    load(tab);
  };

  /** Asks for all there is about the tab; what was still on its way is for nobody. */
  const load = (tab: PanelTab | null) => {
    visit.abort();
    visit = new AbortController();
    const { signal } = visit;
    look = async () => {};
    if (!tab) return;
    look = onceMore(async () => {
      const catalog = await request('catalog', { tabId: tab.id }, signal);
      if (!signal.aborted) set({ catalog: sameTools(state.value.catalog, catalog) });
    });
    run(async () => {
      const snapshot = await request('watch', { tabId: tab.id }, signal);
      if (!signal.aborted) show(snapshot);
    });
    loadCatalog();
  };

  ports.host.onPush(onPush, closing);
  ports.followSettings((settings) => set({ settings }), closing);
  ports.followTab(enter, closing);
  closing.addEventListener('abort', () => clearTimeout(timer), { once: true });

  return { showIn, loadCatalog, refreshEngines, reload: () => load(state.value.tab) };
}

/** The catalog with the tools that did not change as they were: what shows them is not drawn again. */
function sameTools(before: CatalogView | null, catalog: CatalogView): CatalogView {
  const known = new Map(before?.listed.map((one) => [one.tool.key, one]));
  const listed = catalog.listed.map((one) => {
    const old = known.get(one.tool.key);
    return old && JSON.stringify(old) === JSON.stringify(one) ? old : one;
  });
  return { ...catalog, listed };
}
