/// <reference types="chrome" />
import { intoPage, onOutOfPage } from './channel';
import {
  BATCH_MS,
  INSPECTOR_PORT,
  type InspectorWord,
  MAX_BATCH,
  MAX_BATCH_TEXT,
  MAX_ENTRY,
  type RelayBatch,
} from './wire';

declare global {
  // In the isolated world only; pages cannot see it.
  var pagehandInspectorStop: (() => void) | undefined;
}

/** The panel connects as soon as it hears that the script is there. */
const ALONE_MS = 3000;
/** How long after the background asked for a call its tool is taken to be started by that. */
const OURS_MS = 5000;

/**
 * The isolated half of the inspector: passes the page's entries on, unread but counted and measured,
 * to the panels that are connected, and has the inspector give way when the last one is gone.
 */
export function startRelay(): void {
  globalThis.pagehandInspectorStop?.();
  const stop = new AbortController();
  const { signal } = stop;
  globalThis.pagehandInspectorStop = () => stop.abort();
  const { runtime } = chrome;
  const panels = new Set<chrome.runtime.Port>();
  let entries: string[] = [];
  let size = 0;
  let leftOut = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When Pagehand itself asked for calls of a tool that may show in the page as anybody's. */
  const ours: { tool: string; at: number }[] = [];

  const say = async (inspector: InspectorWord['inspector']) => {
    const word: InspectorWord = { inspector };
    await runtime.sendMessage(word);
  };
  /** Nobody is there to listen, or an update of the extension has orphaned this script. */
  const unheard = () => {};
  const flush = () => {
    timer = undefined;
    const batch: RelayBatch = { entries, leftOut };
    entries = [];
    size = 0;
    leftOut = 0;
    for (const panel of panels) panel.postMessage(batch);
  };
  /** The page's half sorts out the rest: here come calls of which nothing but the fact shows. */
  const isOurs = (text: string) => {
    const now = performance.now();
    const tool = ours.length > 0 && text.length <= MAX_ENTRY ? blindCall(text) : undefined;
    const at = ours.findIndex((call) => call.tool === tool && now - call.at < OURS_MS);
    if (at >= 0) ours.splice(at, 1);
    return at >= 0;
  };
  const heard = (text: string) => {
    if (!panels.size || isOurs(text)) return;
    const full = entries.length >= MAX_BATCH || size + text.length > MAX_BATCH_TEXT;
    if (full || text.length > MAX_ENTRY) leftOut++;
    else {
      entries.push(text);
      size += text.length;
    }
    timer ??= setTimeout(flush, BATCH_MS);
  };
  onOutOfPage(heard, () => panels.size && intoPage('on'), signal);

  const connected = (port: chrome.runtime.Port) => {
    if (port.name !== INSPECTOR_PORT) return;
    panels.add(port);
    port.onDisconnect.addListener(() => {
      panels.delete(port);
      if (panels.size) return;
      stop.abort();
      say('gone').catch(unheard);
    });
    intoPage('on');
  };
  const asked = (message: { pagehand?: unknown; name?: unknown }) => {
    if (
      message.pagehand === 'call' &&
      ours.push({ tool: `${message.name}`, at: performance.now() }) > 50
    )
      ours.shift();
  };
  runtime.onConnect.addListener(connected);
  runtime.onMessage.addListener(asked);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    runtime.onConnect.removeListener(connected);
    runtime.onMessage.removeListener(asked);
    for (const panel of panels) panel.disconnect();
    panels.clear();
    intoPage('off');
  });
  setTimeout(() => panels.size || stop.abort(), ALONE_MS);
  say('here').catch(unheard);
}

/** The tool of a call that somebody else began and whose arguments do not show. */
function blindCall(text: string): string | undefined {
  try {
    const entry = JSON.parse(text) as {
      kind?: unknown;
      by?: unknown;
      tool?: string;
      args?: unknown;
    };
    if (entry.kind === 'called' && entry.by === 'other' && !entry.args) return entry.tool;
  } catch {
    // Made up by the page; the panel drops it.
  }
  return undefined;
}
