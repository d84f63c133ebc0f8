import { browser } from 'wxt/browser';
import type { Settings } from '../settings/settings';
import { readSettings } from '../settings/store';
import { originOf } from '../tools/origin';
import { InspectorWordSchema } from './inspector/check';
import { tabOfPanel } from './inspector/panel-page';
import { MAX_FRAMES } from './wire';

const TOOLS = '/content-scripts/page-tools.js';
const SHIM = { id: 'page-shim', file: '/content-scripts/page-shim.js' } as const;
const READER = { id: 'page-reader', file: '/content-scripts/page-reader.js' } as const;

const INSPECTOR = { id: 'page-inspector', file: '/content-scripts/page-inspector.js' } as const;
const RELAY = '/content-scripts/page-inspector-relay.js';
/** How each of the main-world scripts is registered. */
const IN_MAIN = {
  allFrames: true,
  matchOriginAsFallback: true,
  runAt: 'document_start',
  world: 'MAIN',
} as const;

/** Origins where the shim is to stay away, and whether it may go anywhere at all. */
interface ShimRule {
  on: boolean;
  /** Origins that differ from the rule. */
  except: string[];
}

export function shimRule(settings: Settings): ShimRule {
  const except = Object.entries(settings.sites)
    .filter(([, site]) => site.shim !== undefined && site.shim !== settings.shim)
    .map(([origin]) => origin)
    .filter((origin) => /^https?:\/\/[^/*]+$/.test(origin));
  return { on: settings.shim, except };
}

/**
 * Registers the main-world script that each site gets: the shim, or the reader that provides
 * nothing. A registered script runs before the page's own; a check of the settings inside the page
 * would always come too late. Registrations outlive the worker and the browser session, so this
 * runs when the extension is installed, the browser starts or the settings change.
 */
export async function registerMainScripts(): Promise<void> {
  const rule = shimRule(await readSettings());
  const usual = rule.on ? SHIM : READER;
  const other = rule.on ? READER : SHIM;
  const patterns = rule.except.map((origin) => `${origin}/*`);
  const common = { ...IN_MAIN, persistAcrossSessions: true };
  const wanted = [
    {
      ...common,
      id: usual.id,
      js: [usual.file],
      matches: ['<all_urls>'],
      excludeMatches: patterns,
    },
    ...(patterns.length ? [{ ...common, id: other.id, js: [other.file], matches: patterns }] : []),
  ];
  await oneAtATime(async () => {
    const present = (await browser.scripting.getRegisteredContentScripts()).filter(
      ({ id }) => id === SHIM.id || id === READER.id,
    );
    const had = (id: string) => present.find((script) => script.id === id);
    const surplus = present.map(({ id }) => id).filter((id) => !wanted.some((w) => w.id === id));
    // Never a moment without: pages that load in between would have no WebMCP until a reload.
    await browser.scripting.registerContentScripts(wanted.filter(({ id }) => !had(id)));
    await browser.scripting.updateContentScripts(wanted.filter(({ id }) => had(id)));
    if (surplus.length) await browser.scripting.unregisterContentScripts({ ids: surplus });
  });
}

let queue: Promise<unknown> = Promise.resolve();
function oneAtATime<T>(job: () => Promise<T>): Promise<T> {
  const next = queue.then(job, job);
  queue = next.catch(() => {});
  return next;
}

/**
 * Brings the scripts into a document that was opened before Pagehand was installed or updated.
 * Rejects where the browser forbids it.
 */
export async function injectScripts(tabId: number, documentId: string, url: string): Promise<void> {
  const target = { tabId, documentIds: [documentId] };
  const { on, except } = shimRule(await readSettings());
  const origin = originOf(url) ?? '';
  const script = on !== except.includes(origin) ? SHIM : READER;
  await browser.scripting.executeScript({ target, world: 'MAIN', files: [script.file] });
  await browser.scripting.executeScript({ target, files: [TOOLS] });
}

/** Tabs in whose DevTools the panel is open at this moment. */
async function inspectedTabs(): Promise<ReadonlySet<number | undefined>> {
  const contexts = await browser.runtime.getContexts({});
  return new Set(contexts.map(({ documentUrl = '' }) => tabOfPanel(documentUrl)));
}

/**
 * Has the inspector run before the scripts of every page that loads while some panel is open, and
 * takes that back when none is. Scripts cannot be registered for a tab: elsewhere nobody answers it,
 * and it gives way.
 */
export async function registerInspector(): Promise<void> {
  await oneAtATime(async () => {
    const ids = [INSPECTOR.id];
    const present = await browser.scripting.getRegisteredContentScripts({ ids });
    const wanted = Array.from(await inspectedTabs()).some((tab) => tab !== undefined);
    if (wanted && !present.length)
      await browser.scripting.registerContentScripts([
        {
          ...IN_MAIN,
          id: INSPECTOR.id,
          js: [INSPECTOR.file],
          matches: ['<all_urls>'],
          persistAcrossSessions: false,
        },
      ]);
    if (!wanted && present.length) await browser.scripting.unregisterContentScripts({ ids });
  });
}

/** What is being closed still counts as open for a moment. */
const PANEL_CLOSE_MS = 500;

/** Calls back when a panel may have been closed: also while the worker starts, as it has no end. */
export function onPanelsGone(look: () => void): void {
  const soon = () => setTimeout(look, PANEL_CLOSE_MS);
  browser.runtime.onMessage.addListener((message: unknown) => {
    if (InspectorWordSchema.safeParse(message).data?.inspector === 'gone') soon();
  });
  browser.tabs.onRemoved.addListener(soon);
  soon();
}

/** Puts the inspector into every document of a tab. */
export async function inspectTab(tabId: number): Promise<void> {
  const frames = (await browser.webNavigation.getAllFrames({ tabId })) ?? [];
  const live = frames.filter(({ documentLifecycle = 'active' }) => documentLifecycle === 'active');
  await Promise.all(
    live.slice(0, MAX_FRAMES).map(({ documentId }) => injectInspector(tabId, documentId)),
  );
}

/** Puts the inspector into a document that has just come, if its tab is inspected. */
export async function inspectArrival(tabId: number, documentId?: string): Promise<void> {
  if (documentId && (await inspectedTabs()).has(tabId)) await injectInspector(tabId, documentId);
}

async function injectInspector(tabId: number, documentId: string): Promise<void> {
  const target = { tabId, documentIds: [documentId] };
  // In most documents it runs already, since it is registered; a second one leaves at once.
  const inspect = () =>
    browser.scripting.executeScript({
      target,
      world: 'MAIN',
      files: [INSPECTOR.file],
      injectImmediately: true,
    });
  try {
    await inspect();
    await browser.scripting.executeScript({ target, files: [RELAY] });
    // One that was told to give way meanwhile, as in a document that is back from the cache.
    await inspect();
  } catch {
    // A page that no extension may touch, or one that is gone.
  }
}
