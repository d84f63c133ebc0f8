import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness';
import { type Drive, drive, serveSites } from './drive';

const PACKAGES = [
  'global-1',
  'global-2',
  'global-3',
  'global-4',
  'global-5',
  'webmcp-polyfill-0',
  'webmcp-polyfill-2',
  'webmcp-polyfill-3',
  'webmcp-polyfill-4',
  'webmcp-polyfill-5',
];

describe.each([
  { name: 'the browser has WebMCP', native: true, shim: true },
  { name: 'the browser has WebMCP and the shim is off', native: true, shim: false },
  { name: 'the shim provides it', native: false, shim: true },
  { name: 'there is only the polyfill', native: false, shim: false },
])('a page with its own polyfill, where $name', ({ native, shim }) => {
  let d: Drive;
  beforeAll(async () => {
    d = await drive({ native });
    if (!shim) await d.settings({ shim });
  });
  afterAll(() => d?.stop());

  test.concurrent.each(PACKAGES)(
    '%s: listed once, called once, errors in words, changes noticed',
    async (name) => {
      const { page, tabId } = await d.open(
        `/surfaces/polyfill.html?src=/npm/@mcp-b/${name}/dist/index.iife.js`,
      );
      const catalog = await d.collect(tabId);
      const names = catalog.tools.map((tool) => tool.name).sort();
      const nav = await page.evaluate("'modelContext' in navigator");
      expect(names).toEqual(nav ? ['boom', 'echo', 'nav'] : ['boom', 'echo']);
      for (const tool of catalog.tools)
        expect(tool.inputSchema).toMatchObject({ properties: { a: { type: 'number' } } });

      const tool = (wanted: string) => {
        const found = catalog.tools.find((tool) => tool.name === wanted);
        if (!found) throw new Error(`no tool ${wanted}`);
        return found;
      };
      expect(await d.call(tabId, tool('echo'), { a: 5 })).toEqual({
        kind: 'result',
        value: 'got 5',
      });
      // These keep it to themselves, and nothing of ours was there before them.
      const silent = !native && !shim && /^webmcp|-5$/.test(name);
      expect(await d.call(tabId, tool('boom'), { a: 6 })).toMatchObject({
        kind: 'error',
        message: expect.stringContaining(silent ? 'does not pass on why' : 'real reason 42'),
        mayHaveRun: true,
      });
      if (nav) expect(await d.call(tabId, tool('nav'))).toMatchObject({ value: 'from navigator' });
      expect(await page.evaluate('runs')).toEqual([
        { name: 'echo', a: 5 },
        { name: 'boom', a: 6 },
        ...(nav ? [{ name: 'nav' }] : []),
      ]);
      await page.evaluate('void addLater()');
      await until('the change', async () =>
        (await d.changes()).some((c) => c.tabId === tabId && c.tools === names.length + 1),
      );
      // Pages of that time look on through this, whoever gave them the rest.
      if (shim)
        expect(
          await page.evaluate(`(async () => {
            const testing = navigator.modelContextTesting;
            const names = testing.listTools().map(({ name }) => name).sort();
            return [names, await testing.executeTool('echo', '{"a":8}')];
          })()`),
        ).toEqual([[...names, 'later'].sort(), expect.stringContaining('got 8')]);
      expect(await page.evaluate('problems')).toEqual([]);
      await page.close();
    },
  );
});

describe('a page with its own polyfill that was there before Pagehand', () => {
  let d: Drive;
  let server: Server;
  const pageOf = (name: string) =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/surfaces/polyfill.html?src=/npm/@mcp-b/${name}/dist/index.iife.js`;
  beforeAll(async () => {
    server = createServer((request, response) => {
      serveSites(request, response).then(
        (served) => served || response.writeHead(404).end(),
        () => response.destroy(),
      );
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    d = await drive({ native: false, openFirst: PACKAGES.map(pageOf) });
  });
  afterAll(async () => {
    await d?.stop();
    server.closeAllConnections();
    server.close();
  });

  test.each(PACKAGES)('%s: keeps what it made, and its tools are found', async (name) => {
    const pages = await d.harness.browser.pages();
    const page = pages.find((open) => open.url() === pageOf(name));
    if (!page) throw new Error('the page is gone');
    const tabId = await d.tabOf(page);
    const kept = 'document.modelContext === at || navigator.modelContext === at';
    const echo = await d.tool(tabId, 'echo');
    expect(await d.call(tabId, echo, { a: 5 })).toEqual({ kind: 'result', value: 'got 5' });
    const { tools } = await d.collect(tabId);
    expect(tools.filter((tool) => tool.name === 'echo')).toHaveLength(1);
    expect(await page.evaluate(kept)).toBe(true);
    expect(await page.evaluate('runs')).toEqual([{ name: 'echo', a: 5 }]);
    await page.evaluate('void addLater()');
    await d.tool(tabId, 'later');
    expect(await page.evaluate('problems')).toEqual([]);
  });
});
