import type { CDPSession, Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness';
import { type Drive, drive } from './drive';

describe.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])('what another site says, where $name', ({ native }) => {
  let d: Drive;
  let other: string;
  beforeAll(async () => {
    d = await drive({ native });
    other = d.harness.origin.replace('127.0.0.1', 'other.localhost');
  });
  afterAll(() => d?.stop());

  const open = () => d.open(`/hostile/reader.html?other=${encodeURIComponent(other)}&`);

  test.each(['by_frame', 'by_frame_late'])(
    'is not read where a tool puts it into a frame of its page (%s), and that is no navigation of the call',
    async (name) => {
      const { tabId } = await open();
      const outcome = await d.call(tabId, await d.tool(tabId, name));
      expect(outcome).toMatchObject({ kind: 'result', value: expect.toSatisfy(isNothing) });
      expect(outcome).not.toHaveProperty('navigatedTo');
      expect(JSON.stringify(outcome)).not.toMatch(/SECRET|Alice/);
    },
  );

  test.each(['by_leaving', 'by_leaving_at_once', 'by_tab'])(
    'is not read where a tool goes there (%s): its origin is all that is told',
    async (name) => {
      const { tabId } = await open();
      const outcome = await d.call(tabId, await d.tool(tabId, name));
      expect(outcome).toMatchObject({
        kind: 'result',
        value: expect.toSatisfy(isNothing),
        navigatedTo: other,
      });
      expect(JSON.stringify(outcome)).not.toMatch(/SECRET|Alice/);
    },
  );

  test('is read where it is the tool’s own site', async () => {
    const { tabId } = await open();
    expect(await d.call(tabId, await d.tool(tabId, 'at_home'))).toMatchObject({
      kind: 'result',
      value: expect.stringContaining('SECRET-4711'),
      navigatedTo: `${d.harness.origin}/hostile/private.html?session=OWN`,
    });
  });

  test('nor a content script, is let into the storage of the extension', async () => {
    const { page, tabId } = await open();
    await until('the tools', async () => (await d.collect(tabId, false)).tools[0]);
    const answer = await inContentScript(
      page,
      `chrome.storage.local.get().then((all) => JSON.stringify(all), (error) => 'refused: ' + error.message)`,
    );
    expect(answer).toMatch(/^refused/);
  });

  test('decides no origin: a frame’s own word counts for nothing', async () => {
    const { page, tabId } = await open();
    await until('the tools', async () => (await d.collect(tabId, false)).tools[0]);
    await inContentScript(
      page,
      "void Object.defineProperty(globalThis, 'origin', { value: 'https://bank.example' })",
    );
    const { tools } = await d.collect(tabId, false);
    expect(new Set(tools.map(({ origin }) => origin))).toEqual(new Set([d.harness.origin]));
    const outcome = await d.call(tabId, await d.tool(tabId, 'at_home'));
    expect(outcome).toMatchObject({ kind: 'result' });
  });
});

/** The shim writes what a function gave as JSON. */
const isNothing = (value: unknown) => value === null || value === 'null';

/** Runs code where the content script of the page's top frame lives, as a renderer taken over could. */
async function inContentScript(page: Page, code: string): Promise<unknown> {
  const session: CDPSession = await page.createCDPSession();
  const contexts: number[] = [];
  session.on('Runtime.executionContextCreated', ({ context }) => {
    if (context.origin.startsWith('chrome-extension://')) contexts.push(context.id);
  });
  await session.send('Runtime.enable');
  const contextId = await until('the content script', () => contexts[0]);
  const { exceptionDetails, result } = await session.send('Runtime.evaluate', {
    expression: code,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  expect(exceptionDetails).toBeUndefined();
  await session.detach();
  return result.value;
}
