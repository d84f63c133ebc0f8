import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness';
import { type Drive, drive } from './drive';

/** What no tab does while a debugger watches it: being prerendered, and sleeping under its own id. */
describe.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])('tabs that nobody watches, where $name', ({ native }) => {
  let d: Drive;
  beforeAll(async () => {
    const targetFilter = (target: { type(): string }) => !/^(tab|page)$/.test(target.type());
    d = await drive({ native, targetFilter, waitForInitialPage: false });
  });
  afterAll(() => d?.stop());

  const url = (path: string) => `${d.harness.origin}/surfaces/${path}`;
  const open = async (path: string) =>
    (await d.evaluate<{ id: number }>(`chrome.tabs.create({ url: '${url(path)}' })`)).id;
  const run = async <T>(tabId: number, code: string) => {
    const [answer] = await d.evaluate<{ result: T }[]>(
      `chrome.scripting.executeScript({ target: { tabId: ${tabId} }, func: () => ${code} })`,
    );
    return answer?.result;
  };
  const loaded = (tabId: number) =>
    until('the page', () =>
      d.evaluate(`chrome.tabs.get(${tabId}).then(({ status }) => status === 'complete')`),
    );
  const heard = async (tabId: number) =>
    (await d.changes()).filter((change) => change.tabId === tabId).map(({ tools }) => tools);

  test('a prerendered page is nobody’s until it is shown; then its tools are there', async () => {
    const tabId = await open('arrived.html');
    await loaded(tabId);
    const rules = { prerender: [{ urls: [url('changing.html')], eagerness: 'immediate' }] };
    await run(
      tabId,
      `document.head.append(Object.assign(document.createElement('script'),
        { type: 'speculationrules', textContent: ${JSON.stringify(JSON.stringify(rules))} }))`,
    );
    await until('the page to be prerendered', () =>
      d.evaluate(`chrome.webNavigation.getAllFrames({ tabId: ${tabId} }).then((frames) =>
        frames.some(({ documentLifecycle }) => documentLifecycle === 'prerender'))`),
    );
    expect((await d.collect(tabId)).tools).toEqual([]);
    expect((await heard(tabId)).filter((tools) => tools > 0)).toEqual([]);
    await run(tabId, `void location.assign('${url('changing.html')}')`);
    await until('the count', async () => (await heard(tabId)).at(-1) === 3);
    const shown = await run(tabId, "performance.getEntriesByType('navigation')[0].activationStart");
    expect(shown).toBeGreaterThan(0);
    expect(await d.call(tabId, await d.tool(tabId, 'slow'))).toEqual({
      kind: 'result',
      value: 'slow 1',
    });
  });

  test('a tab that was put to sleep says so, and has its tools once awake', async () => {
    const tabId = await open('changing.html');
    const slow = await d.tool(tabId, 'slow');
    await open('arrived.html');
    const asleep = (await d.evaluate<{ id: number }>(`chrome.tabs.discard(${tabId})`)).id;
    expect(await d.collect(asleep)).toMatchObject({
      obstacle: 'asleep',
      tools: [],
      notes: [{ text: expect.stringContaining('sleep') }],
    });
    expect(await d.call(asleep, slow)).toEqual({ kind: 'changed' });
    await d.evaluate(`chrome.tabs.update(${asleep}, { active: true })`);
    await loaded(asleep);
    expect(await d.call(asleep, await d.tool(asleep, 'slow'))).toEqual({
      kind: 'result',
      value: 'slow 1',
    });
  });
});
