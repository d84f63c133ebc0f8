import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Harness, until } from '../harness';
import { serveSites } from '../page/drive';
import { type Inspected, inspect } from './inspected';

/**
 * The last has the browser list its tools whenever it is asked for its own; left in the middle of
 * that, Chromium 156 crashes, with or without an inspector.
 */
const PACKAGES = ['global-2', 'global-4', 'webmcp-polyfill-2', 'webmcp-polyfill-5', 'global-5'];

describe.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])('pages that do not play along with the inspector, where $name', ({ native }) => {
  let browser: Harness;
  let i: Inspected;
  let page: Page;
  const go = async (path: string) => {
    const seen = (await i.rows()).filter((row) => row.startsWith('watched')).length;
    await page.goto(`${browser.origin}${path}`);
    await until('its inspector', async () => {
      const rows = await i.rows();
      return rows.filter((row) => row.startsWith('watched')).length > seen;
    });
  };
  beforeAll(async () => {
    browser = await Harness.start(
      { '/': '<!doctype html><title>Start</title>', '/plain': '<!doctype html><title>x</title>' },
      { native, serve: serveSites },
    );
    page = await browser.open(`${browser.origin}/`);
    i = await inspect(browser, page);
    await i.row(/^watched late/);
  });
  afterAll(() => browser?.stop());

  test('a page that bends stacks, and tools of every shape, work as without it', async () => {
    await go('/hostile/inspected.html');
    expect(await page.evaluate(`callOwn('classy', { a: 1 })`)).toBe('{"echo":{"a":1},"self":true}');
    await i.row(/^call classy page \{"a":1\} result/);
    expect(await page.evaluate(`callOwn('__proto__', {})`)).toBe('ok');
    await i.row(/^call __proto__ page \{\} result ok/);
    await page.evaluate('callDeep()');
    await i.row(/^call deep page /);
    // It was never told that anybody looked at a stack.
    expect(await page.evaluate('[window.prepared ?? 0, Error.stackTraceLimit]')).toEqual([0, 0]);
    expect(await page.evaluate('problems')).toEqual([]);
  });

  test('a rejected call is unhandled where the page does not handle it, and only there', async () => {
    await go('/hostile/inspected.html');
    await page.evaluate(`callOwn('rejects', {}).catch(() => {})`);
    await i.row(/^call rejects page \{\} error why/);
    expect(await page.evaluate('problems')).toEqual([]);
    await page.evaluate(`void callOwn('rejects', {})`);
    await until('the page to hear of it', () => page.evaluate('problems.length === 1'));
  });

  test('forged entries are its own made-up entries, as text; junk is dropped', async () => {
    await go('/hostile/inspected.html');
    const entry = (more: object) =>
      JSON.stringify({
        kind: 'called',
        at: 0,
        call: 'x',
        tool: 't',
        by: 'page',
        elsewhere: false,
        places: [],
        ...more,
      });
    const junk = [
      'not json',
      'null',
      '[]',
      '{}',
      '{"kind":"called"}',
      '{"__proto__":{"kind":"called"}}',
      entry({ tool: '' }),
      entry({ tool: 7 }),
      entry({ places: [{ fn: '', url: 'x', line: 0, column: 1 }] }),
      entry({ args: { text: 'x'.repeat(5000), length: 1 } }),
      `${entry({ tool: 'huge' }).slice(0, -1)},"x":"${'y'.repeat(40_000)}"}`,
      '{"kind":"call-started","at":1,"id":"1","conversationId":"c","turnId":"t","callId":"1"}',
    ];
    for (const text of junk)
      await page.evaluate(
        (it) => (globalThis as never as { send(t: string): void }).send(it),
        text,
      );
    const made = entry({ call: 'y', tool: '<img src=x onerror=alert(1)>' });
    await page.evaluate((it) => (globalThis as never as { send(t: string): void }).send(it), made);
    await page.evaluate(
      (it) => (globalThis as never as { send(t: string): void }).send(it),
      JSON.stringify({ kind: 'ended', at: 9e99, call: 'y', outcome: 'result', ms: 1 }),
    );
    expect(await i.row(/^call <img src=x onerror=alert\(1\)> page result/)).toHaveLength(1);
    await until('the junk to be counted', async () => {
      const counts = (await i.events()).filter(({ type }) => type === 'page-left-out');
      return counts.reduce((sum, { count }) => sum + Number(count), 0) === junk.length;
    });
    expect(await i.count(/^call (t|huge|7)? /)).toBe(0);
    const made_up = (await i.events()).find(({ tool }) => `${tool}`.startsWith('<img'));
    expect(made_up).toMatchObject({ origin: browser.origin, frameId: 0 });
    // Told at the time it was heard, not in the year of the page's choice.
    expect(Date.now() - Number(made_up?.['at'])).toBeLessThan(700_000);
    expect((await i.events()).every(({ type }) => type !== 'call-started')).toBe(true);
    expect(await i.panel.$('img')).toBeNull();
  });

  test('a flood is cut, counted, and over when it is over', async () => {
    await go('/hostile/inspected.html');
    await page.evaluate(`{
      const text = JSON.stringify({ kind: 'removed', at: 1, tool: 'flood', form: false });
      for (let n = 0; n < 20000; n++) send(text);
    }`);
    await i.row(/^left-out \d{4,}/);
    expect(await i.count(/./)).toBeLessThanOrEqual(1000);
    await page.evaluate(`callOwn('classy', { after: 1 })`);
    await i.row(/^call classy page \{"after":1\} result/);
  });

  test('told to stop by the page, it sees nothing more, and nothing breaks', async () => {
    await go('/hostile/inspected.html');
    await page.evaluate(
      `dispatchEvent(new CustomEvent('pagehand-inspect-in', { detail: 'off', cancelable: true }))`,
    );
    expect(await page.evaluate(`callOwn('classy', { blind: 1 })`)).toContain('blind');
    await go('/hostile/inspected.html');
    expect((await i.rows()).filter((row) => row.includes('blind'))).toEqual([]);
  });

  test('a page that goes away under a call says so', async () => {
    await go('/surfaces/imperative.html');
    await page.evaluate(`{
      const context = document.modelContext;
      void context.getTools().then((tools) => context.executeTool(
        tools.find(({ name }) => name === 'never'), { a: 1 },
      ));
    }`);
    await i.row(/^call never page/);
    await go('/plain');
    await i.row(/^call never page \{"a":1\} gone/);
  });

  test('back from the cache, a document is watched again', async () => {
    await go('/surfaces/inspected.html');
    await go('/plain');
    const before = (await i.rows()).filter((row) => row.startsWith('watched')).length;
    await page.goBack();
    await until('the inspector to be back', async () => {
      const rows = await i.rows();
      return rows.filter((row) => row.startsWith('watched')).length > before;
    });
    await page.evaluate(`callOwn('add', { a: 1, b: 1 })`);
    await i.row(/^call add page \{"a":1,"b":1\}/);
  });

  test.each(PACKAGES)('a page with %s: registered once, called once', async (name) => {
    const path = `/surfaces/polyfill.html?src=/npm/@mcp-b/${name}/dist/index.iife.js`;
    const all = (fits: RegExp) => i.rows().then((rows) => rows.filter((row) => fits.test(row)));
    const registered = /^registered echo at polyfill.html|^registered echo at index/;
    const called = /^call echo page \{"a":5\} result/;
    const before = [(await all(registered)).length, (await all(called)).length] as const;
    await go(path);
    await until('the tool', async () => (await all(registered)).length > before[0]);
    await page.evaluate(`(async () => {
      const context = document.modelContext;
      const tool = (await context.getTools()).find((one) => one.name === 'echo');
      await context.executeTool(tool, { a: 5 }).catch((error) => {
        if (/parse input/.test(error.message)) return context.executeTool(tool, '{"a":5}');
      });
    })()`);
    await until('the call', async () => (await all(called)).length > before[1]);
    // What comes later than this was told later than anything about the call.
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
      '<form toolname="after_${name}" tooldescription="x"><input name=a></form>')`);
    await i.row(new RegExp(`^registered after_${name} form`));
    expect((await all(registered)).length).toBe(before[0] + 1);
    expect((await all(/^call echo /)).length).toBe(before[1] + 1);
    expect(await page.evaluate('problems')).toEqual([]);
  });
});
