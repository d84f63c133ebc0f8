import { browser } from 'wxt/browser';

interface Sender {
  url?: string;
  tab?: unknown;
}

/**
 * Whether a message came from a page or worker of the extension itself. Content scripts share the
 * extension's id and channels, yet live in pages that may be hostile: they have a tab and its address.
 */
export function isOwnPage(sender: Sender | undefined): boolean {
  if (sender?.url === undefined) return sender?.tab === undefined;
  return sender.url.startsWith(browser.runtime.getURL('/'));
}
