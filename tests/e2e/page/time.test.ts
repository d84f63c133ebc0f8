import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness';
import { type Drive, drive } from './drive';

describe.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])('time, where $name', ({ native }) => {
  let d: Drive;
  const url = '/surfaces/changing.html';
  beforeAll(async () => {
    d = await drive({ native });
  });
  afterAll(() => d?.stop());
  const names = async (tabId: number) =>
    (await d.collect(tabId)).tools.map(({ name }) => name).sort();
  const heard = async (tabId: number) =>
    (await d.changes()).filter((change) => change.tabId === tabId).map(({ tools }) => tools);

  test.concurrent.each([50, 300, 800])(
    'tools that are swapped %i ms after a call are collected',
    async (after) => {
      const { tabId } = await d.open(`${url}?after=${after}`);
      expect(await d.call(tabId, await d.tool(tabId, 'swap'))).toMatchObject({ value: 'swapping' });
      expect(await names(tabId)).toEqual(['frame', 'slow', 'swapped']);
    },
  );

  test.concurrent('500 registrations in a burst are one update, and all are there', async () => {
    const { page, tabId } = await d.open(url);
    await until('the first count', async () => (await heard(tabId)).includes(3));
    await page.evaluate("for (let i = 0; i < 500; i++) put('tool_' + i)");
    await until('the second', async () => (await heard(tabId)).includes(503));
    expect((await heard(tabId)).filter((tools) => tools > 0)).toEqual([3, 503]);
    expect(await names(tabId)).toHaveLength(503);
  });

  test.concurrent('a change without a difference is none', async () => {
    const { page, tabId } = await d.open(url);
    await until('the first count', async () => (await heard(tabId)).includes(3));
    await page.evaluate("put('slow', () => 'slow again')");
    await page.evaluate("put('one_more')");
    await until('the second', async () => (await heard(tabId)).includes(4));
    expect((await heard(tabId)).filter((tools) => tools > 0)).toEqual([3, 4]);
  });

  test.concurrent('an SPA route changes nothing but what the page changes', async () => {
    const { page, tabId } = await d.open(url);
    const slow = await d.tool(tabId, 'slow');
    await page.evaluate("history.pushState({}, '', '/elsewhere'); put('routed')");
    expect(await names(tabId)).toEqual(['frame', 'routed', 'slow', 'swap']);
    expect((await d.collect(tabId)).url).toContain('/elsewhere');
    expect(await d.call(tabId, slow)).toEqual({ kind: 'result', value: 'slow 1' });
  });

  test.concurrent('a reload makes new tools of the same names; the old ones are "changed"', async () => {
    const { page, tabId } = await d.open(url);
    const old = await d.tool(tabId, 'slow');
    await page.reload();
    expect(await d.call(tabId, old)).toEqual({ kind: 'changed' });
    expect(await names(tabId)).toEqual(['frame', 'slow', 'swap']);
    expect(await page.evaluate('ran')).toBe(0);
  });

  test.concurrent('out to another page and back out of the cache, the tools are there and counted', async () => {
    const { page, tabId } = await d.open(url);
    const slow = await d.tool(tabId, 'slow');
    await page.goto(`${d.harness.origin}/surfaces/arrived.html`);
    expect(await names(tabId)).toEqual([]);
    expect(await d.call(tabId, slow)).toEqual({ kind: 'changed' });
    await page.goBack();
    await until('the count', async () => (await heard(tabId)).at(-1) === 3);
    expect(await names(tabId)).toEqual(['frame', 'slow', 'swap']);
    expect(await d.call(tabId, await d.tool(tabId, 'slow'))).toEqual({
      kind: 'result',
      value: 'slow 1',
    });
  });

  test.concurrent('a navigation by the user under a call ends it in one clear result', async () => {
    const { page, tabId } = await d.open(url);
    const slow = d.call(tabId, await d.tool(tabId, 'slow'));
    await page.waitForFunction('window.started', { polling: 50 });
    await page.goto(`${d.harness.origin}/surfaces/arrived.html`);
    expect(await slow).toEqual({
      kind: 'result',
      value: '{"@type":"Thing","name":"arrival"}',
      navigatedTo: `${d.harness.origin}/surfaces/arrived.html`,
      note: expect.objectContaining({ text: 'The page went elsewhere before "slow" answered.' }),
    });
  });

  test.concurrent('a tab that is closed under a call ends it as an error that may have run', async () => {
    const { page, tabId } = await d.open(url);
    const slow = d.call(tabId, await d.tool(tabId, 'slow'));
    await page.waitForFunction('window.started', { polling: 50 });
    await page.close();
    expect(await slow).toMatchObject({
      kind: 'error',
      message: 'The tab was closed before "slow" answered.',
      mayHaveRun: true,
    });
    expect(await d.collect(tabId)).toMatchObject({ obstacle: 'no-page', tools: [] });
  });

  test('the worker is killed under a call: asked again, the one run answers', async () => {
    const { page, tabId } = await d.open(url);
    const slow = await d.tool(tabId, 'slow');
    const lost = d.call(tabId, slow, {}, { id: 'call-1' }).catch(() => 'lost');
    await page.waitForFunction('window.started', { polling: 50 });
    await d.harness.killWorker();
    expect(await lost).toBe('lost');
    // A change in the page starts a new one.
    await page.evaluate("put('wake')");
    expect(await d.call(tabId, slow, {}, { id: 'call-1', again: true })).toEqual({
      kind: 'result',
      value: 'slow 1',
    });
    // Of a call that no document knows nothing is run.
    expect(await d.call(tabId, slow, {}, { id: 'call-2', again: true })).toMatchObject({
      kind: 'changed',
    });
    expect(await page.evaluate('ran')).toBe(1);
  });

  test('among many calls none that still runs is forgotten, nor that one ran', async () => {
    const { page, tabId } = await d.open(url);
    await page.evaluate(
      `put('held', () => new Promise((resolve) => { window.release = () => resolve('held ' + ++ran); })); put('quick')`,
    );
    const held = await d.tool(tabId, 'held');
    const quick = await d.tool(tabId, 'quick');
    const first = d.call(tabId, held, {}, { id: 'held' });
    await page.waitForFunction('window.release', { polling: 50 });
    for (let at = 0; at < 11; at++) await d.call(tabId, quick, {}, { id: `quick-${at}` });
    const asked = d.call(tabId, held, {}, { id: 'held', again: true });
    expect(await d.call(tabId, quick, {}, { id: 'quick-0', again: true })).toMatchObject({
      kind: 'error',
      message: '"quick" ran, but its answer is no longer kept.',
      mayHaveRun: true,
    });
    expect(await d.call(tabId, quick, {}, { id: 'quick-9', again: true })).toMatchObject({
      value: 'quick 10',
    });
    await page.evaluate('release()');
    expect(await first).toEqual({ kind: 'result', value: 'held 12' });
    expect(await asked).toEqual({ kind: 'result', value: 'held 12' });
  });

  test('a tool that waits for a frame, in a tab nobody sees, ends by its limit', async () => {
    const { tabId } = await d.open(url);
    const frame = await d.tool(tabId, 'frame');
    const { page } = await d.open('/surfaces/arrived.html');
    await page.bringToFront();
    expect(await d.call(tabId, frame, {}, { limitMs: 400 })).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('no answer'),
      mayHaveRun: true,
    });
  });
});
