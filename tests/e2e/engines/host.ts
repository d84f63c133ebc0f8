import type { Page } from 'puppeteer';
import type { AgentEvent } from '../../../lib/agent/events';
import { type Harness, until } from '../harness';

/** The real host, asked over its port from a page of the extension, as views do. */
export async function openHost(harness: Harness) {
  const view: Page = await harness.open(harness.url('/options.html'));
  async function call(method: string, params: object): Promise<unknown> {
    const reply = (await view.evaluate(`new Promise((resolve) => {
      const port = chrome.runtime.connect({ name: 'pagehand-host' });
      port.onMessage.addListener((message) => {
        if (message.id !== 1) return;
        port.disconnect();
        resolve(message);
      });
      port.postMessage({ id: 1, method: ${JSON.stringify(method)}, params: ${JSON.stringify(params)} });
    })`)) as { ok: boolean; value?: unknown; error?: { text: string } };
    if (!reply.ok) throw new Error(`${method}: ${reply.error?.text}`);
    return reply.value;
  }
  // A port to a host that does not listen yet is never answered.
  await until('the host to answer', () =>
    Promise.race([
      call('storage', {}),
      new Promise<undefined>((resolve) => setTimeout(resolve, 1000)),
    ]),
  );
  return {
    call,
    /** Everything that happened in the conversation of the tab with this address. */
    async events(url: string): Promise<AgentEvent[]> {
      const tabId = await view.evaluate(
        `chrome.tabs.query({}).then((tabs) => tabs.find((tab) => tab.url === ${JSON.stringify(url)}).id)`,
      );
      return ((await call('watch', { tabId: tabId as number })) as { events: AgentEvent[] }).events;
    },
    async set(settings: object): Promise<void> {
      await view.evaluate(`chrome.storage.local.set({ settings: ${JSON.stringify(settings)} })`);
    },
  };
}
