import { type Browser, browser } from 'wxt/browser';
import { FromContentSchema } from './check';
import { collectTab } from './collect';

const QUIET_MS = 150;

/**
 * Calls back with a tab and its number of tools when they changed: once per burst, and with 0 when
 * the tab leaves its page. Call it while the worker starts, so that a change can wake the worker.
 */
export function onToolsChanged(
  listener: (tabId: number, tools: number) => void,
  signal: AbortSignal,
): void {
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const count = async (tabId: number) => {
    timers.delete(tabId);
    const catalog = await collectTab(tabId, signal, { settle: false });
    listener(tabId, catalog.tools.length);
  };
  const heard = (message: unknown, sender: Browser.runtime.MessageSender) => {
    const tabId = sender.tab?.id;
    if (tabId === undefined || !FromContentSchema.safeParse(message).success) return;
    if ((sender.documentLifecycle ?? 'active') !== 'active') return;
    clearTimeout(timers.get(tabId));
    timers.set(
      tabId,
      setTimeout(() => void count(tabId).catch(() => {}), QUIET_MS),
    );
  };
  const left = (details: { tabId: number; frameId: number }) => {
    if (details.frameId === 0) listener(details.tabId, 0);
  };
  browser.runtime.onMessage.addListener(heard);
  browser.webNavigation.onCommitted.addListener(left);
  signal.addEventListener('abort', () => {
    browser.runtime.onMessage.removeListener(heard);
    browser.webNavigation.onCommitted.removeListener(left);
    for (const timer of timers.values()) clearTimeout(timer);
  });
}
