import { type ReadonlySignal, signal } from '@preact/signals';
import type { AgentEvent } from '../../lib/agent/events';
import { addToTranscript, foldTranscript } from '../../lib/agent/transcript';
import type {
  ConversationInfo,
  HeardPush,
  HostClient,
  HostMethod,
  HostResults,
  hostMethods,
  Snapshot,
} from '../../lib/messages/host-api';
import { MisfitError } from '../../lib/messages/misfit';
import { Settings, type SiteSettings, siteSettings } from '../../lib/settings/settings';
import type { PageTool } from '../../lib/tools/tool';
import type { ChatIntents } from '../chat/intents';
import type { HistoryIntents } from '../history/History';
import { createModelIntents, type ImportModel, type ModelIntents } from '../model/intents';
import { tellError } from '../said';
import { t } from '../text';
import type { ExposureChoice } from '../tools/exposure';
import { withExposure } from '../tools/site';
import { type Elsewhere, type PanelState, pageOrigin } from './state';

export interface PanelTab {
  id: number;
  title: string;
  url: string;
}

/** What the panel needs of the browser; the entry point gives the real ones, tests give fakes. */
export interface PanelPorts {
  host: HostClient;
  /** Calls back with the window's active tab, now and whenever that or its address changes. */
  followTab: (listener: (tab: PanelTab | null) => void, signal: AbortSignal) => void;
  tabTitle: (tabId: number) => Promise<string | undefined>;
  reloadTab: (tabId: number) => Promise<void>;
  /** Brings the tab, and its window, to the front. */
  showTab: (tabId: number) => Promise<void>;
  updateSettings: (change: (settings: Settings) => Settings) => Promise<Settings>;
  /** Calls back with the settings, now and on every change. */
  followSettings: (listener: (settings: Settings) => void, signal: AbortSignal) => void;
  importModel: ImportModel;
  /** Offers a text as a file. */
  save: (filename: string, text: string) => void;
}

export interface Panel {
  state: ReadonlySignal<PanelState>;
  chat: Omit<ChatIntents, 'openModels' | 'openTools'>;
  models: ModelIntents;
  history: HistoryIntents;
  setDefer: (defer: SiteSettings['defer']) => void;
  /** For the origin that offers the tool, which in a frame is not the page's. */
  setExposure: (tool: Pick<PageTool, 'name' | 'origin'>, exposure: ExposureChoice) => void;
  /** Shows a turn that waits, or works, elsewhere. */
  goTo: (elsewhere: Pick<Elsewhere, 'tabId' | 'conversationId'>) => void;
  newChat: () => void;
  exportTrace: () => void;
  refreshEngines: () => void;
  /** After the host could not be reached. */
  reconnect: () => void;
  dismissProblem: () => void;
}

/** Text arrives faster than anyone reads; it is drawn at most this often. */
const TEXT_INTERVAL_MS = 80;

/**
 * The side panel's state and everything it can do. Follows the active tab: each tab has its own
 * conversation, and a reply that comes for a tab just left changes nothing.
 */
export function createPanel(ports: PanelPorts, signal_: AbortSignal): Panel {
  const { host } = ports;
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
    tabTitles: new Map(),
    problem: null,
  });
  const set = (patch: Partial<PanelState>) => {
    state.value = { ...state.value, ...patch };
  };
  const fail = (error: unknown) => {
    if (signal_.aborted || (error instanceof DOMException && error.name === 'AbortError')) return;
    if (error instanceof MisfitError) set({ problem: t('misfit') });
    else set({ problem: tellError(error) });
  };
  /** Runs to its end by itself; what goes wrong is shown. */
  const run = (work: () => Promise<unknown>) => {
    work().catch(fail);
  };
  const request = <M extends HostMethod>(
    method: M,
    params: Parameters<(typeof hostMethods)[M]['parse']>[0] & object,
    signal?: AbortSignal,
  ): Promise<HostResults[M]> =>
    host.request(method, params as never, signal ? AbortSignal.any([signal_, signal]) : signal_);

  let visit = new AbortController();
  /** The last change of what is shared: the next one builds on what it led to. */
  let sharing: Promise<unknown> = Promise.resolve();
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

  /** A tab that was left while the host answered is not the one to show it in. */
  const showIn = (tabId: number | undefined, snapshot: Snapshot) => {
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
    const known = new Set(state.value.events.slice(-500).map((event) => event.id));
    const fresh = pending.filter((event) => !known.has(event.id));
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
        if (push.tabId === state.value.tab?.id) loadCatalog(push.tabId);
        return;
      case 'misfit':
        set({ problem: t('misfit') });
    }
  };

  const loadCatalog = (tabId: number) => {
    const { signal } = visit;
    run(async () => {
      const catalog = await request('catalog', { tabId }, signal);
      if (!signal.aborted) set({ catalog });
    });
  };

  const enter = (tab: PanelTab | null) => {
    const before = state.value.tab;
    if (tab && before?.id === tab.id) {
      set({ tab });
      if (tab.url !== before.url) loadCatalog(tab.id);
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
    if (!tab) return;
    run(async () => {
      const snapshot = await request('watch', { tabId: tab.id }, signal);
      if (!signal.aborted) show(snapshot);
    });
    loadCatalog(tab.id);
  };

  const refreshEngines = () =>
    run(async () => {
      set({ engines: await request('describeEngines', {}) });
    });

  const withTab = (work: (tabId: number) => Promise<unknown>) => {
    const tab = state.value.tab;
    if (tab) run(() => work(tab.id));
  };
  const withConversation = (work: (conversationId: string, tabId: number) => Promise<unknown>) => {
    const { tab, conversation } = state.value;
    if (tab && conversation) run(() => work(conversation.id, tab.id));
  };

  const updateSite = (origin: string | null, change: (site: SiteSettings) => SiteSettings) => {
    if (origin === null || origin === 'null') return;
    withTab(async (tabId) => {
      const settings = await ports.updateSettings((now) => ({
        ...now,
        sites: { ...now.sites, [origin]: change(siteSettings(now, origin)) },
      }));
      set({ settings });
      loadCatalog(tabId);
    });
  };

  const saveExport = (conversationId: string, format: 'markdown' | 'json' | 'trace') =>
    run(async () => {
      const file = await request('exportConversation', { conversationId, format });
      ports.save(file.filename, file.text);
    });

  const list = async (search?: string): Promise<ConversationInfo[]> => {
    const history = await request('listConversations', search ? { search } : {});
    set({ history });
    return history;
  };
  let searched = '';

  host.onPush(onPush, signal_);
  ports.followSettings((settings) => set({ settings }), signal_);
  ports.followTab(enter, signal_);
  signal_.addEventListener('abort', () => clearTimeout(timer), { once: true });

  return {
    state,
    chat: {
      send: (text) => withTab((tabId) => request('ask', { tabId, text })),
      stop: () => withConversation((conversationId) => request('stop', { conversationId })),
      answerApproval: (callId, decision, remember) =>
        run(() => request('answerApproval', { callId, decision, remember })),
      answerQuestion: (questionId, answer) =>
        run(() => request('answerQuestion', { questionId, answer })),
      retry: (turnId, text) =>
        withConversation((conversationId, tabId) =>
          request('retry', { tabId, conversationId, turnId, ...(text ? { text } : {}) }),
        ),
      runTool: (key, args) => {
        const tab = state.value.tab;
        if (!tab) return Promise.reject(new Error('There is no page.'));
        return request('runTool', { tabId: tab.id, key, arguments: args });
      },
      share: (change) =>
        withConversation((conversationId, tabId) => {
          const shown = () =>
            state.value.tab?.id === tabId && state.value.conversation?.id === conversationId;
          const next = async () => {
            if (!shown()) return;
            const { text = false, selection = false } = state.value.conversation?.shared ?? {};
            const { conversation } = await request('share', {
              tabId,
              text,
              selection,
              ...change,
            });
            if (shown() && conversation.id === conversationId) set({ conversation });
          };
          const last = sharing.then(next, next);
          sharing = last;
          return last;
        }),
      reloadPage: () => withTab((tabId) => ports.reloadTab(tabId)),
    },
    models: createModelIntents({
      host,
      importModel: ports.importModel,
      closing: signal_,
      updateSettings: ports.updateSettings,
      onSettings: (settings) => set({ settings }),
      onImport: (importing) => set({ importing }),
      onChange: refreshEngines,
      run,
    }),
    history: {
      search: (text) => {
        searched = text;
        run(() => list(text));
      },
      open: (conversationId) =>
        withTab(async (tabId) =>
          showIn(tabId, await request('openConversation', { tabId, conversationId })),
        ),
      rename: (conversationId, title) =>
        run(async () => {
          await request('renameConversation', { conversationId, title });
          await list(searched);
        }),
      remove: (conversationId) =>
        run(async () => {
          await request('deleteConversation', { conversationId });
          await list(searched);
          const { tab, conversation } = state.value;
          if (tab && conversation?.id === conversationId) {
            showIn(tab.id, await request('watch', { tabId: tab.id }));
          }
        }),
      export: saveExport,
      import: (text) =>
        withTab(async (tabId) => {
          const { conversationId } = await request('importConversation', { tabId, text });
          showIn(tabId, await request('openConversation', { tabId, conversationId }));
          await list(searched);
        }),
    },
    setDefer: (defer) => updateSite(pageOrigin(state.value), (site) => ({ ...site, defer })),
    setExposure: (tool, exposure) =>
      updateSite(tool.origin, (site) => withExposure(site, tool.name, exposure)),
    goTo: ({ tabId, conversationId }) =>
      withTab(async (shown) => {
        if (tabId !== shown) return ports.showTab(tabId);
        showIn(tabId, await request('openConversation', { tabId, conversationId }));
      }),
    newChat: () =>
      withTab(async (tabId) => showIn(tabId, await request('newConversation', { tabId }))),
    exportTrace: () =>
      withConversation(async (conversationId) => saveExport(conversationId, 'trace')),
    refreshEngines,
    reconnect: () => {
      set({ problem: null });
      load(state.value.tab);
    },
    dismissProblem: () => set({ problem: null }),
  };
}
