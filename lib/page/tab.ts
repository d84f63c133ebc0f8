import { browser } from 'wxt/browser';
import type { TabInfo } from '../messages/background-api';

const MAX_TEXT = 200_000;

/** Address and title of a tab, `null` where it is gone. */
export async function tabInfo(tabId: number): Promise<TabInfo | null> {
  try {
    const { url = '', title = '' } = await browser.tabs.get(tabId);
    return { url, title, restricted: !/^(https?|file):/.test(url) };
  } catch {
    return null;
  }
}

/**
 * The page's visible text or the user's selection, at most 200 000 characters. Only after the user
 * shared it. Rejects where extensions may not look.
 */
export async function readPage(tabId: number, what: 'text' | 'selection'): Promise<string> {
  const [answer] = await browser.scripting.executeScript({
    target: { tabId },
    args: [what, MAX_TEXT],
    func: (wanted: string, most: number) =>
      (wanted === 'selection'
        ? String(getSelection() ?? '')
        : (document.body?.innerText ?? '')
      ).slice(0, most),
  });
  return typeof answer?.result === 'string' ? answer.result : '';
}
