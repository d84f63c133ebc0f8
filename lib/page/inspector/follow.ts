import { type Browser, browser } from 'wxt/browser';
import { InspectorWordSchema, readBatch } from './check';
import type { InspectedDocument } from './event';
import { INSPECTOR_PORT, type PageEntry } from './wire';

/** More documents than a tab has frames at any time. */
const MAX_DOCUMENTS = 200;

/**
 * Listens to the inspectors of a tab's documents, until the signal aborts; then each gives way, as it
 * does when the page this runs in goes away in any other manner. Who sent what is the browser's word.
 */
export function followInspectors(
  tabId: number,
  heard: (from: InspectedDocument, entries: PageEntry[], leftOut: number) => void,
  gone: (documentId: string) => void,
  signal: AbortSignal,
): void {
  const ports = new Map<string, Browser.runtime.Port>();
  const here = (message: unknown, sender: Browser.runtime.MessageSender) => {
    const { documentId, frameId = 0, origin = '', url = '' } = sender;
    if (sender.tab?.id !== tabId || documentId === undefined) return;
    if (InspectorWordSchema.safeParse(message).data?.inspector !== 'here') return;
    ports.get(documentId)?.disconnect();
    if (ports.size >= MAX_DOCUMENTS) return;
    const port = browser.tabs.connect(tabId, { name: INSPECTOR_PORT, documentId });
    ports.set(documentId, port);
    port.onMessage.addListener((raw: unknown) => {
      const { entries, leftOut } = readBatch(raw);
      heard({ documentId, frameId, origin, url }, entries, leftOut);
    });
    port.onDisconnect.addListener(() => {
      if (ports.get(documentId) !== port) return;
      ports.delete(documentId);
      gone(documentId);
    });
  };
  browser.runtime.onMessage.addListener(here);
  signal.addEventListener('abort', () => {
    browser.runtime.onMessage.removeListener(here);
    for (const port of ports.values()) port.disconnect();
    ports.clear();
  });
}
