import { browser } from 'wxt/browser';
import { defineBackground } from 'wxt/utils/define-background';
import { serveBackground, tellHost } from '../lib/messages/background-api';
import { callTool } from '../lib/page/call';
import { onToolsChanged } from '../lib/page/changes';
import { collectTab } from '../lib/page/collect';
import {
  injectScripts,
  inspectArrival,
  inspectTab,
  onPanelsGone,
  registerInspector,
  registerMainScripts,
} from '../lib/page/scripts';
import { readPage, tabInfo, wakeTab } from '../lib/page/tab';
import { forgetInputs } from '../lib/settings/saved-inputs';
import { readSettings, updateSettings, watchSettings } from '../lib/settings/store';

const HOST_PAGE = '/host.html';
const STORE_MARK = 'conversations';

/** Tabs, frames, badge. Holds nothing that it cannot rebuild: Chrome ends it at any moment. */
export default defineBackground({
  type: 'module',
  main() {
    const always = new AbortController().signal;
    /** What host and views wait for, by the id they gave it. */
    const running = new Map<string, AbortController>();
    const cancellable = async <T>(id: string, work: (signal: AbortSignal) => Promise<T>) => {
      const controller = new AbortController();
      running.set(id, controller);
      try {
        return await work(controller.signal);
      } finally {
        running.delete(id);
      }
    };

    // Content scripts need none of it, and one that a page took over must not read or change it.
    void browser.storage.local
      .setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' })
      .catch((error: unknown) => console.error('Pagehand could not close its storage:', error));

    serveBackground({
      ensureHost,
      collect: ({ tabId, requestId }) =>
        cancellable(requestId, (signal) => collectTab(tabId, signal)),
      callTool: ({ tabId, callId, again, tool, arguments: args }) =>
        cancellable(callId, (signal) => callTool(tabId, tool, args, signal, { id: callId, again })),
      cancel({ id }) {
        running.get(id)?.abort(new DOMException('Stopped by the user.', 'AbortError'));
        return null;
      },
      busyWith: ({ id }) => running.has(id),
      settings: readSettings,
      session,
      tab: ({ tabId }) => tabInfo(tabId),
      async reloadTab({ tabId }) {
        await browser.tabs.reload(tabId);
        return null;
      },
      async wakeTab({ tabId, requestId }) {
        await cancellable(requestId, (signal) => wakeTab(tabId, signal));
        return null;
      },
      async inspect({ tabId }) {
        await registerInspector();
        await inspectTab(tabId);
        return null;
      },
      readPage: ({ tabId, requestId, what, origin }) =>
        cancellable(requestId, () => readPage(tabId, what, origin)),
      async storeMark({ count }) {
        if (count !== undefined) await browser.storage.local.set({ [STORE_MARK]: count });
        const { [STORE_MARK]: kept } = await browser.storage.local.get(STORE_MARK);
        return typeof kept === 'number' ? kept : 0;
      },
      async forgetSites() {
        await updateSettings((settings) => ({ ...settings, sites: {} }));
        await forgetInputs(browser.storage.local);
        return null;
      },
    });

    onToolsChanged((tabId, tools) => {
      void showCount(tabId, tools);
      void tellHost({ to: 'pagehand-host', push: 'tools-changed', tabId, tools });
    }, always);
    browser.webNavigation.onCommitted.addListener(({ tabId, frameId, documentId, url }) => {
      void inspectArrival(tabId, documentId).catch(() => {});
      if (frameId === 0) void tellHost({ to: 'pagehand-host', push: 'navigated', tabId, url });
    });
    browser.tabs.onRemoved.addListener((tabId) => {
      void tellHost({ to: 'pagehand-host', push: 'tab-closed', tabId });
    });

    browser.tabs.onReplaced.addListener((by, tabId) => {
      void tellHost({ to: 'pagehand-host', push: 'tab-replaced', tabId, by });
    });

    onPanelsGone(() => void registerInspector().catch(() => {}));
    browser.runtime.onInstalled.addListener(() => {
      void prepareScripts().then(injectOpenTabs);
    });
    browser.runtime.onStartup.addListener(() => void prepareScripts());
    watchSettings(() => void prepareScripts(), always);
    // Fails only in browsers without a side panel, where the icon then does nothing.
    void browser.sidePanel.setPanelBehavior({ openPanelOnActionClick: true }).catch(() => {});
    void browser.action.setBadgeBackgroundColor({ color: '#1a73e8' });
  },
});

let creating: Promise<void> | undefined;

/** Starts the offscreen document unless it runs. */
async function ensureHost(): Promise<null> {
  const contexts = await browser.runtime.getContexts({
    contextTypes: ['OFFSCREEN_DOCUMENT'],
    documentUrls: [browser.runtime.getURL(HOST_PAGE)],
  });
  if (contexts.length > 0) return null;
  creating ??= browser.offscreen
    .createDocument({
      url: HOST_PAGE,
      reasons: ['WORKERS'],
      justification: 'Runs the language model and keeps the conversation while no view is open.',
    })
    .catch((error: unknown) => {
      // A worker that ended meanwhile had begun the same document.
      if (!/single offscreen/i.test(String(error))) throw error;
    })
    .finally(() => {
      creating = undefined;
    });
  await creating;
  return null;
}

/** Lives as long as the browser does, over any number of worker starts. */
async function session(): Promise<string> {
  const { session: known } = await browser.storage.session.get('session');
  if (typeof known === 'string') return known;
  const fresh = crypto.randomUUID();
  await browser.storage.session.set({ session: fresh });
  return fresh;
}

/** Without them pages still work where the browser has WebMCP itself; the next start tries again. */
async function prepareScripts(): Promise<void> {
  try {
    await registerMainScripts();
  } catch (error) {
    console.error('Pagehand could not register its scripts for pages:', error);
  }
}

/** The number of the page's tools on the icon; nothing where there are none. */
async function showCount(tabId: number, tools: number): Promise<void> {
  const text = tools === 0 ? '' : tools > 999 ? '1k' : String(tools);
  try {
    await browser.action.setBadgeText({ tabId, text });
  } catch {
    // The tab is gone.
  }
}

/** Pages that were open before Pagehand was: their own WebMCP can be used at once. */
async function injectOpenTabs(): Promise<void> {
  for (const { id, discarded } of await browser.tabs.query({})) {
    if (id === undefined || discarded) continue;
    const frames = (await browser.webNavigation.getAllFrames({ tabId: id })) ?? [];
    for (const { documentId, url } of frames) {
      // Refused for pages no extension may touch; the panel says so when it is opened there.
      await injectScripts(id, documentId, url).catch(() => {});
    }
  }
}
