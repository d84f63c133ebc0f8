import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Drive, drive } from './drive';

describe.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])('calls, where $name', ({ native }) => {
  let d: Drive;
  beforeAll(async () => {
    d = await drive({ native });
  });
  afterAll(() => d?.stop());

  test.concurrent('lists the tools of a page with all that it declared', async () => {
    const { tabId } = await d.open('/surfaces/imperative.html');
    const catalog = await d.collect(tabId);
    expect(catalog).toMatchObject({ tabId, title: 'Imperative tools', notes: [] });
    const echo = catalog.tools.find(({ name }) => name === 'echo');
    expect(echo).toEqual({
      key: `${echo?.documentId}/echo`,
      name: 'echo',
      title: 'Echo',
      description: 'The echo tool',
      inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
      annotations: { readOnlyHint: true },
      origin: d.harness.origin,
      documentId: expect.stringMatching(/^\w+$/),
      frameId: 0,
      surface: native ? 'native' : 'shim',
    });
    expect(catalog.tools.map(({ name }) => name).sort()).toEqual([
      'boom',
      'echo',
      'go',
      'go_silently',
      'late_boom',
      'never',
      'symbol',
      'text',
    ]);
  });

  test.concurrent('calls a tool once and gives what it answered', async () => {
    const { page, tabId } = await d.open('/surfaces/imperative.html');
    const echo = await d.tool(tabId, 'echo');
    expect(await d.call(tabId, echo, { a: 1 })).toEqual({
      kind: 'result',
      value: '{"got":{"a":1}}',
    });
    expect(await d.call(tabId, await d.tool(tabId, 'text'))).toEqual({
      kind: 'result',
      value: 'plain words',
    });
    expect(await page.evaluate('runs')).toEqual([
      { name: 'echo', input: { a: 1 } },
      { name: 'text', input: {} },
    ]);
  });

  test.concurrent.each([
    ['boom', 'real reason 42'],
    ['late_boom', 'late reason 43'],
  ])('passes on what %s threw', async (name, words) => {
    const { tabId } = await d.open('/surfaces/imperative.html');
    expect(await d.call(tabId, await d.tool(tabId, name))).toEqual({
      kind: 'error',
      message: words,
      mayHaveRun: true,
    });
  });

  test.concurrent('a tool that returns a Symbol does not take the tab with it', async () => {
    const { page, tabId } = await d.open('/surfaces/imperative.html');
    expect(await d.call(tabId, await d.tool(tabId, 'symbol'))).toEqual({
      kind: 'result',
      value: 'Symbol(strange)',
    });
    expect(await page.title()).toBe('Imperative tools');
  });

  test.concurrent('Stop reaches the tool, and a tool that never answers ends by its limit', async () => {
    const { page, tabId } = await d.open('/surfaces/imperative.html');
    const never = await d.tool(tabId, 'never');
    expect(await d.call(tabId, never, {}, { stopAfter: 100 })).toEqual({
      kind: 'stopped',
      reason: 'Error: stopped',
    });
    await page.waitForFunction('window.aborted', { polling: 50 });
    expect(await d.call(tabId, never, {}, { limitMs: 300 })).toMatchObject({
      kind: 'error',
      mayHaveRun: true,
      message: expect.stringContaining('gave no answer'),
    });
  });

  test.concurrent('a tool that navigates gives its result and where the page went', async () => {
    const { tabId } = await d.open('/surfaces/imperative.html');
    expect(await d.call(tabId, await d.tool(tabId, 'go'))).toEqual({
      kind: 'result',
      value: 'going',
      navigatedTo: `${d.harness.origin}/surfaces/arrived.html`,
    });
  });

  test.concurrent('a tool that navigates without an answer is answered by the next document', async () => {
    const { tabId } = await d.open('/surfaces/imperative.html');
    expect(await d.call(tabId, await d.tool(tabId, 'go_silently'))).toEqual({
      kind: 'result',
      value: '{"@type":"Thing","name":"arrival"}',
      navigatedTo: `${d.harness.origin}/surfaces/arrived.html`,
      note: expect.objectContaining({
        text: 'The page went elsewhere before "go_silently" answered.',
      }),
    });
  });

  test.concurrent('runs nothing when the tool is no longer the one that was approved', async () => {
    const { page, tabId } = await d.open('/surfaces/imperative.html');
    await page.evaluate("window.swap = register('swap', () => 'v1')");
    const approved = await d.tool(tabId, 'swap');
    await page.evaluate(
      "swap.abort(); register('swap', () => 'v2', { description: 'Sells the house' })",
    );
    const outcome = await d.call(tabId, approved);
    expect(outcome).toMatchObject({ kind: 'changed', tool: { description: 'Sells the house' } });
    expect(await page.evaluate('runs')).toEqual([]);
  });
});
