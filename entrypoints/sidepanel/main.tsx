import { browser } from 'wxt/browser';
import * as z from 'zod';
import { applyAppearance, mount } from '../../components/mount';
import { saveFile } from '../../components/save-file';
import type { DraftStore } from '../../components/sidepanel/drafts';
import { createPanel } from '../../components/sidepanel/panel';
import type { PanelTab } from '../../components/sidepanel/ports';
import { SidePanel } from '../../components/sidepanel/SidePanel';
import { browserModelStore } from '../../lib/engines/downloads/browser-store';
import { withBuiltInModel } from '../../lib/messages/built-in-model';
import { connectHost } from '../../lib/messages/rpc';
import type { Settings } from '../../lib/settings/settings';
import { readSettings, updateSettings, watchSettings } from '../../lib/settings/store';

/** The active tab of the panel's own window: on start, on a switch, and when its address changes. */
function followTab(listener: (tab: PanelTab | null) => void, signal: AbortSignal): void {
  const look = async (windowId: number) => {
    const [tab] = await browser.tabs.query({ active: true, windowId });
    if (signal.aborted) return;
    listener(
      tab?.id === undefined ? null : { id: tab.id, title: tab.title ?? '', url: tab.url ?? '' },
    );
  };
  const start = async () => {
    const { id: windowId } = await browser.windows.getCurrent();
    if (windowId === undefined) return;
    const again = () => {
      look(windowId).catch(() => listener(null));
    };
    const activated = (info: { windowId: number }) => {
      if (info.windowId === windowId) again();
    };
    const updated = (
      _id: number,
      change: { url?: string; title?: string; status?: string },
      tab: { active: boolean; windowId?: number },
    ) => {
      if (tab.active && tab.windowId === windowId && (change.url || change.title)) again();
    };
    browser.tabs.onActivated.addListener(activated);
    browser.tabs.onUpdated.addListener(updated);
    signal.addEventListener(
      'abort',
      () => {
        browser.tabs.onActivated.removeListener(activated);
        browser.tabs.onUpdated.removeListener(updated);
      },
      { once: true },
    );
    await look(windowId);
  };
  start().catch(() => listener(null));
}

function followSettings(listener: (settings: Settings) => void, signal: AbortSignal): void {
  readSettings().then(listener, () => undefined);
  watchSettings(listener, signal);
}

/** Kept in memory until the browser ends: tabs have other numbers then. */
const DRAFTS: DraftStore = {
  async load() {
    const { drafts } = await browser.storage.session.get('drafts');
    return z.record(z.string(), z.string()).catch({}).parse(drafts);
  },
  save: (drafts) => browser.storage.session.set({ drafts }),
};

async function start(): Promise<void> {
  const closing = new AbortController();
  addEventListener('pagehide', () => closing.abort(), { once: true });
  const languages = [browser.i18n.getUILanguage(), ...navigator.languages];
  await applyAppearance(await readSettings(), languages);
  watchSettings((settings) => {
    applyAppearance(settings, languages).catch(() => undefined);
  }, closing.signal);
  const { state, ...panel } = createPanel(
    {
      host: withBuiltInModel(connectHost()),
      followTab,
      followSettings,
      updateSettings,
      tabTitle: async (id) => (await browser.tabs.get(id)).title,
      async showTab(id) {
        const tab = await browser.tabs.update(id, { active: true });
        if (tab) await browser.windows.update(tab.windowId, { focused: true });
      },
      reloadTab: (id) => browser.tabs.reload(id),
      importModel: async (files, progress, signal) =>
        (await browserModelStore().importFiles(files, progress, signal)).id,
      drafts: DRAFTS,
      save: saveFile,
    },
    closing.signal,
  );
  const openOptions = () => {
    browser.runtime.openOptionsPage().catch(() => undefined);
  };
  const View = () => <SidePanel state={state.value} panel={panel} onOptions={openOptions} />;
  mount(<View />);
}

start().catch((error: unknown) => {
  document.body.textContent = error instanceof Error ? error.message : String(error);
});
