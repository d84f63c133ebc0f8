import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageTool } from '../../../lib/tools/tool';
import { type Drive, drive } from './drive';

describe.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])('frames, where $name', ({ native }) => {
  let d: Drive;
  beforeAll(async () => {
    d = await drive({ native });
  });
  afterAll(() => d?.stop());

  const open = () => d.open('/frames/top.html');
  const add = (page: Page, attributes: Record<string, string>) =>
    page.evaluate(`add(${JSON.stringify(attributes)})`);
  const child = (query = '') => `/frames/child.html${query}`;
  const other = (query = '') =>
    `${d.harness.origin.replace('127.0.0.1', 'other.localhost')}${child(query)}`;
  const where = async (tabId: number, tool: PageTool) => {
    const outcome = await d.call(tabId, tool);
    return outcome.kind === 'result' ? outcome.value : outcome;
  };
  const origins = (tools: PageTool[]) => tools.map(({ origin }) => origin).sort();

  test.concurrent('of the same origin report their own tools, each once, and each runs in its own', async () => {
    const { page, tabId } = await open();
    await add(page, { src: child() });
    await add(page, { src: child('?second') });
    const { tools, notes } = await d.collect(tabId);
    expect(tools.map(({ name }) => name)).toEqual(['where', 'where', 'where']);
    expect(new Set(tools.map(({ key }) => key)).size).toBe(3);
    const ran = await Promise.all(tools.map((tool) => where(tabId, tool)));
    expect(ran.sort()).toEqual([
      `${d.harness.origin}/frames/child.html 1`,
      `${d.harness.origin}/frames/child.html?second 1`,
      `${d.harness.origin}/frames/top.html 1`,
    ]);
    expect(notes).toEqual([]);
  });

  test.concurrent('of another origin offer tools only where the page delegates it', async () => {
    const { page, tabId } = await open();
    await add(page, { src: other() });
    const before = await d.collect(tabId);
    expect(origins(before.tools)).toEqual([d.harness.origin]);
    if (!native) expect(JSON.stringify(before.notes)).toMatch(/allow=..?tools/);
    await add(page, { src: other('?allowed'), allow: 'tools' });
    const { tools } = await d.collect(tabId);
    const there = tools.filter(({ origin }) => origin === new URL(other()).origin);
    expect(there).toHaveLength(1);
    expect(await where(tabId, there[0] as PageTool)).toBe(`${other('?allowed')} 1`);
  });

  test.concurrent('are delegated all the way down or not at all', async () => {
    const { page, tabId } = await open();
    const inner = encodeURIComponent(`${d.harness.origin}${child('?deep')}`);
    await add(page, { src: other(`?nested=${inner}`), allow: 'tools' });
    await add(page, { src: other(`?nested=${inner}&allow=tools`), allow: 'tools' });
    await page.waitForNetworkIdle({ idleTime: 100 });
    const { tools } = await d.collect(tabId);
    // The top, two frames of the other origin, and of the two innermost the one that was delegated.
    expect(origins(tools)).toEqual(
      [d.harness.origin, d.harness.origin, new URL(other()).origin, new URL(other()).origin].sort(),
    );
  });

  test.concurrent('that are sandboxed have the origin null and work where delegated', async () => {
    const { page, tabId } = await open();
    await add(page, { src: child('?boxed'), sandbox: 'allow-scripts' });
    expect(origins((await d.collect(tabId)).tools)).toEqual([d.harness.origin]);
    await add(page, { src: child('?free'), sandbox: 'allow-scripts', allow: 'tools' });
    const { tools } = await d.collect(tabId);
    const boxed = tools.find(({ origin }) => origin === 'null');
    expect(boxed).toBeDefined();
    expect(await where(tabId, boxed as PageTool)).toBe(`${d.harness.origin}${child('?free')} 1`);
  });

  test.concurrent('without an address of their own belong to the page', async () => {
    const { page, tabId } = await open();
    await add(page, { srcdoc: '<script src="/frames/where.js"></script>' });
    await page.evaluate(`(async () => {
      await add({});
      const blank = frames[1];
      blank.document.modelContext.registerTool({
        name: 'blank', description: 'Of about:blank', execute: () => 'from nowhere',
      });
    })()`);
    const { tools } = await d.collect(tabId);
    expect(origins(tools)).toEqual([d.harness.origin, d.harness.origin, d.harness.origin]);
    const inside = tools.filter(({ frameId }) => frameId !== 0);
    const ran = await Promise.all(inside.map((tool) => where(tabId, tool)));
    expect(ran.sort()).toEqual(['about:srcdoc 1', 'from nowhere']);
  });

  test.concurrent('that are gone answer with "changed", and nothing else runs in their place', async () => {
    const { page, tabId } = await open();
    await add(page, { src: child() });
    const { tools } = await d.collect(tabId);
    const inside = tools.find(({ frameId }) => frameId !== 0) as PageTool;
    await page.evaluate("document.querySelector('iframe').remove()");
    expect(await d.call(tabId, inside)).toEqual({ kind: 'changed' });
    expect((await d.collect(tabId)).tools).toHaveLength(1);
    await add(page, { src: child() });
    expect(await d.call(tabId, inside)).toEqual({ kind: 'changed' });
    expect(await page.evaluate('[ran, frames[0].ran]')).toEqual([0, 0]);
  });

  test.concurrent('of the same origin see each other through the page’s own getTools', async () => {
    const { page } = await open();
    await add(page, { src: child() });
    await add(page, { src: other(), allow: 'tools' });
    const seen = await page.evaluate(`(async () => {
      const tools = await document.modelContext.getTools();
      const inside = tools.find((tool) => tool.window !== window);
      return [tools.length, await document.modelContext.executeTool(inside, {})];
    })()`);
    expect(seen).toEqual([2, `${d.harness.origin}${child()} 1`]);
  });
});
