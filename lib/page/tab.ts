import { browser } from 'wxt/browser';
import { pause } from '../agent/stop';
import type { TabInfo } from '../messages/background-api';
import { WordsError } from '../said/said';
import { say } from '../said/say';
import { originOf } from '../tools/origin';

const MAX_TEXT = 200_000;

/** Address and title of a tab, `null` where it is gone. */
export async function tabInfo(tabId: number): Promise<TabInfo | null> {
  try {
    const { url = '', title = '', incognito } = await browser.tabs.get(tabId);
    return { url, title, restricted: !/^(https?|file):/.test(url), incognito };
  } catch {
    return null;
  }
}

/** As long as a slow page may take; what is there by then has to do. */
const WAKE_LIMIT_MS = 20_000;
const WAKE_CHECK_MS = 300;

/** Loads a tab that the browser put to sleep, where it is, and waits until its page is there. */
export async function wakeTab(tabId: number, signal: AbortSignal): Promise<void> {
  const end = Date.now() + WAKE_LIMIT_MS;
  for (;;) {
    const { discarded, status } = await browser.tabs.get(tabId);
    if ((!discarded && status === 'complete') || Date.now() > end) return;
    // Chrome ignores a reload while it is still putting the tab to sleep.
    if (discarded) await browser.tabs.reload(tabId);
    await pause(WAKE_CHECK_MS, signal);
  }
}

/**
 * The visible text or the user's selection of the document that the tab shows, at most 200 000
 * characters. Only after the user shared it with the site `origin`: rejects where the tab is on another
 * one by now, and where extensions may not look.
 */
export async function readPage(
  tabId: number,
  what: 'text' | 'selection',
  origin: string,
): Promise<string> {
  const shown = await browser.webNavigation.getFrame({ tabId, frameId: 0 });
  if (!shown?.documentId || originOf(shown.url) !== origin) {
    throw new WordsError(say('page-unreadable'));
  }
  const [answer] = await browser.scripting.executeScript({
    target: { tabId, documentIds: [shown.documentId] },
    args: [what, MAX_TEXT],
    func: (wanted: string, most: number) =>
      (wanted === 'selection'
        ? String(getSelection() ?? '')
        : (document.body?.innerText ?? '')
      ).slice(0, most),
  });
  return typeof answer?.result === 'string' ? answer.result : '';
}
