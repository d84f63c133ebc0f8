import { browser } from 'wxt/browser';
import { createBrowserEngines } from '../../lib/engines/browser';
import { createInstant } from '../../lib/engines/instant';
import { createHost } from '../../lib/host/host';
import { createIds } from '../../lib/host/ids';
import { openDatabase } from '../../lib/host/indexed-database';
import { createKeptDatabase } from '../../lib/host/kept-database';
import { retried } from '../../lib/host/retried';
import { createTabPage } from '../../lib/host/tab-page';
import { callBackground, onBackgroundPush } from '../../lib/messages/background-api';
import { serveViews } from '../../lib/messages/rpc';
import { createReaderClient } from '../../lib/reader/client';
import { version } from '../../package.json';

/** Where models come from, as the settings said when they were last read. */
let mirror: string | undefined;
const background: typeof callBackground = async (method, params) => {
  const answer = await callBackground(method, params);
  if (method === 'settings') mirror = (answer as { modelBaseUrl?: string }).modelBaseUrl;
  return answer;
};

const newId = createIds(Date.now);
const engines = createBrowserEngines({
  resource: (path) => browser.runtime.getURL(path as '/'),
  mirror: () => mirror,
});
/** Understands requests with nothing downloaded; it computes in a worker, since views share this thread. */
const read = createReaderClient({
  start: () => new Worker(new URL('./reader-worker.ts', import.meta.url), { type: 'module' }),
  files: {
    weights: browser.runtime.getURL('/reader/weights.bin' as '/'),
    kernel: browser.runtime.getURL('/reader/kernel.wasm' as '/'),
  },
});
const host = createHost({
  database: createKeptDatabase(openDatabase(), Date.now),
  engines: [createInstant({ read }), ...Object.values(engines)],
  background,
  page: (tabId) => createTabPage(tabId, newId, background),
  newId,
  now: Date.now,
  // An offscreen document has no runtime.getManifest.
  environment: { pagehand: version, browser: navigator.userAgent, language: navigator.language },
  storage: navigator.storage,
});
const ready = retried(() => host.start());
// The first request tells what went wrong, and tries again.
ready().catch(() => {});

// Listeners at once, answers when the database is open: a view connects as soon as the page exists.
serveViews(
  () => ready().then(() => host.handlers),
  (connection) => host.connected(connection),
);
onBackgroundPush(
  (push) =>
    void ready().then(
      () => host.heard(push),
      () => {},
    ),
);
