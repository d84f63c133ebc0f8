import type { ReadonlySignal, Signal } from '@preact/signals';
import { type SiteSettings, siteSettings } from '../../lib/settings/settings';
import type { PageTool } from '../../lib/tools/tool';
import type { HistoryIntents } from '../history/History';
import { createModelIntents, type ModelIntents } from '../model/intents';
import type { ExposureChoice } from '../tools/exposure';
import { withExposure } from '../tools/site';
import { createChatIntents, type PanelChat } from './chat-intents';
import { createDesk } from './desk';
import { createDrafts } from './drafts';
import { follow } from './follow';
import { createHistoryIntents } from './history-intents';
import { createNextMessage, type NextMessage } from './next-message';
import type { PanelPorts } from './ports';
import { type Elsewhere, type PanelState, pageOrigin } from './state';

export interface Panel {
  state: ReadonlySignal<PanelState>;
  chat: PanelChat;
  models: ModelIntents;
  history: HistoryIntents;
  /** What is typed in the tab and not sent. */
  draftOf: (tabId: number) => Signal<string>;
  next: NextMessage;
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

/** The side panel's state and everything it can do. */
export function createPanel(ports: PanelPorts, closing: AbortSignal): Panel {
  const desk = createDesk(ports.host, closing);
  const { state, set, run, request, withTab, withConversation } = desk;
  const { showIn, loadCatalog, refreshEngines, reload } = follow(desk, ports, closing);
  const history = createHistoryIntents(desk, { showIn }, ports);
  const chat = createChatIntents(desk, ports);
  const drafts = createDrafts(ports.drafts);

  const updateSite = (origin: string | null, change: (site: SiteSettings) => SiteSettings) => {
    if (origin === null || origin === 'null') return;
    withTab(async () => {
      const settings = await ports.updateSettings((now) => ({
        ...now,
        sites: { ...now.sites, [origin]: change(siteSettings(now, origin)) },
      }));
      set({ settings });
      loadCatalog();
    });
  };

  return {
    state,
    chat,
    draftOf: drafts.of,
    next: createNextMessage(desk, drafts, (text) => chat.send(text), closing),
    models: createModelIntents({
      host: ports.host,
      importModel: ports.importModel,
      closing,
      updateSettings: ports.updateSettings,
      onSettings: (settings) => set({ settings }),
      onImport: (importing) => set({ importing }),
      onChange: refreshEngines,
      run,
    }),
    history,
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
      withConversation(async (conversationId) => history.export(conversationId, 'trace')),
    refreshEngines,
    reconnect: () => {
      set({ problem: null });
      reload();
    },
    dismissProblem: () => set({ problem: null }),
  };
}
