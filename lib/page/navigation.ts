import { type Browser, browser } from 'wxt/browser';
import { pause } from '../agent/stop';
import { originOf } from '../tools/origin';
import { within } from './ask';

export interface Arrival {
  tabId: number;
  frameId: number;
  url: string;
  documentId?: string;
}

/** What happens to a tab's documents while a call runs. */
export interface NavigationWatch {
  /** A navigation of the watched frames has begun, or has replaced the document. */
  begun(): boolean;
  /** Waits, at most `ms`, until the new document is there and parsed. */
  arrival(ms: number, signal: AbortSignal): Promise<Arrival | undefined>;
}

/**
 * Watches what a call can bring about: navigations of the tab's top frame, of the tool's own, and of
 * the top frames of tabs that the tool's frame opened (`target=_blank`). Another frame of the page that
 * loads meanwhile is none of the call's doing.
 */
export function watchNavigation(
  tabId: number,
  toolFrameId: number,
  signal: AbortSignal,
): NavigationWatch {
  const started = new Set<string>();
  let committed: Arrival | undefined;
  let parsed: Arrival | undefined;
  const opened = new Set<number>();
  const watched = (of: { tabId: number; frameId: number }) =>
    of.tabId === tabId
      ? of.frameId === 0 || of.frameId === toolFrameId
      : opened.has(of.tabId) && of.frameId === 0;

  const onStart = (details: { tabId: number; frameId: number }) => {
    if (watched(details)) started.add(`${details.tabId}/${details.frameId}`);
  };
  const onOpened = (details: { sourceTabId: number; sourceFrameId: number; tabId: number }) => {
    if (details.sourceTabId !== tabId || details.sourceFrameId !== toolFrameId) return;
    opened.add(details.tabId);
    started.add(`${details.tabId}/0`);
  };
  const onCommitted = (details: Browser.webNavigation.WebNavigationTransitionCallbackDetails) => {
    if (!watched(details) || (committed && details.frameId !== 0)) return;
    started.add(`${details.tabId}/${details.frameId}`);
    committed = arrivalOf(details);
    parsed = undefined;
  };
  const onParsed = (details: Browser.webNavigation.WebNavigationFramedCallbackDetails) => {
    if (committed?.tabId === details.tabId && committed.frameId === details.frameId)
      parsed = arrivalOf(details);
  };
  const { onBeforeNavigate, onCreatedNavigationTarget, onDOMContentLoaded } = browser.webNavigation;
  onBeforeNavigate.addListener(onStart);
  onCreatedNavigationTarget.addListener(onOpened);
  browser.webNavigation.onCommitted.addListener(onCommitted);
  onDOMContentLoaded.addListener(onParsed);
  signal.addEventListener('abort', () => {
    onBeforeNavigate.removeListener(onStart);
    onCreatedNavigationTarget.removeListener(onOpened);
    browser.webNavigation.onCommitted.removeListener(onCommitted);
    onDOMContentLoaded.removeListener(onParsed);
  });
  return {
    begun: () => started.size > 0,
    async arrival(ms, stop) {
      const end = Date.now() + ms;
      while (!parsed && Date.now() < end) await pause(25, stop);
      return parsed ?? committed;
    },
  };
}

function arrivalOf(details: Arrival & { documentId?: string }): Arrival {
  const { tabId, frameId, url, documentId } = details;
  return { tabId, frameId, url, documentId };
}

/** Most of a document's structured data that is worth reading. */
const MAX_JSON_LD = 200_000;

/**
 * The JSON-LD of a document: how a page that was navigated to by a tool gives the tool's result.
 * One block as it is, several as a JSON array; `null` where there is none, or where the document is of
 * another origin than the tool, which has no right to read it.
 */
export async function readJsonLd(
  { tabId, documentId, url }: Arrival,
  origin: string,
): Promise<string | null> {
  // Of this document only: another may stand in its frame by now.
  if (documentId === undefined || origin === 'null' || originOf(url) !== origin) return null;
  const target = { tabId, documentIds: [documentId] };
  const script = browser.scripting.executeScript({
    target,
    func: (limit: number) =>
      Array.from(document.querySelectorAll('script[type="application/ld+json"]'), (script) =>
        (script.textContent ?? '').trim().slice(0, limit),
      ).slice(0, 20),
    args: [MAX_JSON_LD],
  });
  const [found] = await within(3000, script, []);
  const blocks: unknown = found?.result;
  if (!Array.isArray(blocks)) return null;
  const texts = blocks.filter(
    (block): block is string => typeof block === 'string' && isJson(block),
  );
  if (texts.length < 2) return texts[0] ?? null;
  return `[${texts.join(',')}]`.length <= MAX_JSON_LD ? `[${texts.join(',')}]` : (texts[0] ?? null);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
