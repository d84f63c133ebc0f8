/// <reference types="chrome" />
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import type { Page } from 'puppeteer';
import { build } from 'vite';
import type { CallOutcome } from '../../../lib/agent/ports';
import type { CallOptions } from '../../../lib/page/call';
import type { Catalog, JsonObject, PageTool } from '../../../lib/tools/tool';
import { Harness, type HarnessOptions, until } from '../harness';

const ROOT = resolve(import.meta.dirname, '../../..');
const SITES = join(ROOT, 'tests/sites');

/** The page side's background face, as tests drive it inside the real service worker. */
export interface Drive {
  harness: Harness;
  /** Opens a path of `tests/sites` and gives its tab with it. */
  open(path: string, host?: string): Promise<{ page: Page; tabId: number }>;
  tabOf(page: Page): Promise<number>;
  collect(tabId: number, settle?: boolean): Promise<Catalog>;
  call(
    tabId: number,
    tool: PageTool,
    args?: JsonObject,
    options?: CallOptions & { stopAfter?: number },
  ): Promise<CallOutcome | { kind: 'stopped'; reason: string }>;
  /** The tool of that name, once the tab offers it. */
  tool(tabId: number, name: string): Promise<PageTool>;
  /** Number of tools per change that the background heard of, in order. */
  changes(): Promise<{ tabId: number; tools: number }[]>;
  /** What pages' content scripts told the extension. */
  messages(): Promise<{ tabId?: number; message: unknown }[]>;
  settings(settings: object): Promise<void>;
  evaluate<T>(code: string): Promise<T>;
  /** From now on the face lives in this page of the extension, and the worker is left alone. */
  moveTo(page: Page): Promise<void>;
  stop(): Promise<void>;
}

let bundled: Promise<string> | undefined;
/** The background face as one script: production has no test hook, tests bring their own copy. */
function face(): Promise<string> {
  bundled ??= (async () => {
    const out = await build({
      configFile: false,
      logLevel: 'error',
      resolve: {
        alias: { 'wxt/browser': join(import.meta.dirname, 'browser.ts') },
      },
      build: {
        write: false,
        minify: false,
        lib: { entry: join(import.meta.dirname, 'face.ts'), formats: ['iife'], name: 'face' },
      },
    });
    const [first] = Array.isArray(out) ? out : [out];
    const chunk = first && 'output' in first ? first.output[0] : undefined;
    if (!chunk) throw new Error('the background face did not build');
    return chunk.code;
  })();
  return bundled;
}

export async function drive(options: HarnessOptions = {}): Promise<Drive> {
  const harness = await Harness.start({}, { ...options, serve: options.serve ?? serveSites });
  const code = await face();
  let home: Page | undefined;
  const inhabited = async () => {
    const live = home ?? (await harness.worker());
    const there = await live.evaluate(() => 'drivePage' in globalThis);
    if (!there) await live.evaluate(`${code}; globalThis.drivePage = face.createFace();`);
    return live;
  };
  const evaluate = async <T>(script: string): Promise<T> => {
    const live = await inhabited();
    return (await live.evaluate(script)) as T;
  };
  let opened = 0;
  await evaluate('drivePage.ready()');
  const self: Drive = {
    harness,
    evaluate,
    tabOf: (page) =>
      until('the tab', async () => {
        const tabs = await evaluate<{ id: number; url: string }[]>('chrome.tabs.query({})');
        const at = (tab: { url: string }) => tab.url.split('?')[0];
        // A page may change what follows the question mark at any time.
        const found =
          tabs.findLast(({ url }) => url === page.url()) ??
          tabs.findLast((tab) => at(tab) === at({ url: page.url() }));
        return found?.id;
      }),
    async open(path, host = '127.0.0.1') {
      // An address of its own for each, as tabs are told apart by it and tests run at once.
      const origin = harness.origin.replace('127.0.0.1', host);
      const page = await harness.open(`${origin}${path}#${++opened}`);
      return { page, tabId: await self.tabOf(page) };
    },
    collect: (tabId, settle = true) => evaluate(`drivePage.collect(${tabId}, ${settle})`),
    call: (tabId, tool, args = {}, given = {}) =>
      evaluate(
        `drivePage.call(${tabId}, ${JSON.stringify(tool)}, ${JSON.stringify(args)}, ${JSON.stringify(given)})`,
      ),
    tool: (tabId, name) =>
      until(`the tool ${name}`, async () => {
        const { tools } = await self.collect(tabId, false);
        return tools.find((tool) => tool.name === name);
      }),
    changes: () => evaluate('drivePage.changes'),
    messages: () => evaluate('drivePage.messages'),
    settings: (settings) => evaluate(`drivePage.settings(${JSON.stringify(settings)})`),
    async moveTo(page) {
      const worker = await harness.worker();
      await worker.client.detach();
      home = page;
    },
    stop: () => harness.stop(),
  };
  return self;
}

/** `tests/sites`, and packages' browser builds under `/npm/…`. */
export async function serveSites(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const url = new URL(request.url ?? '/', 'http://site');
  const file = url.pathname.startsWith('/npm/')
    ? join(ROOT, 'node_modules', url.pathname.slice(5))
    : join(SITES, url.pathname);
  const body = await readFile(file).catch(() => undefined);
  if (!body) return false;
  const types: Record<string, string> = { html: 'text/html', js: 'text/javascript' };
  const type = types[file.split('.').pop() ?? ''] ?? 'application/octet-stream';
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` });
  response.end(body);
  return true;
}
