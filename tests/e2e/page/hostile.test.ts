import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness';
import { type Drive, drive } from './drive';

describe.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])('a hostile page, where $name', ({ native }) => {
  let d: Drive;
  beforeAll(async () => {
    d = await drive({ native });
  });
  afterAll(() => d?.stop());
  const honest = async () => {
    const { tabId, page } = await d.open('/surfaces/imperative.html');
    expect(await d.call(tabId, await d.tool(tabId, 'text'))).toMatchObject({
      value: 'plain words',
    });
    await page.close();
  };

  test('has its tools cut to size, and is told of in words', async () => {
    const { tabId } = await d.open('/hostile/tools.html');
    const { tools, notes } = await d.collect(tabId);
    const tool = (name: string) => tools.find((found) => found.name === name);
    expect(tool('markup')).toMatchObject({
      title: '<img src=x onerror=alert(1)>',
      description: '<script>alert(1)</script>',
    });
    expect(tool('long')?.description).toHaveLength(8000);
    expect(JSON.stringify(tool('deep')?.inputSchema).length).toBeLessThan(2000);
    expect(Object.keys(tool('wide')?.inputSchema?.['properties'] ?? {})).toHaveLength(9000);
    expect(Object.keys(tool('proto')?.inputSchema?.['properties'] ?? {})).toEqual([
      '__proto__',
      'constructor',
    ]);
    expect(tool('__proto__')).toMatchObject({ name: '__proto__', description: 'x' });
    expect(tool('constructor')).toMatchObject({ name: 'constructor' });
    expect(tool('half')?.description.isWellFormed()).toBe(true);
    expect(notes.map((note) => (typeof note === 'string' ? note : note.text))).toEqual(
      expect.arrayContaining([
        'The description of "long" (5,000,000 characters) was cut to 8,000.',
        'The schema of "deep" was cut below 40 levels or after 5,000 parts.',
      ]),
    );
    await honest();
  });

  test('offers more tools than any page should', async () => {
    const { page, tabId } = await d.open('/hostile/tools.html');
    await page.evaluate('crowd()');
    const { tools, notes } = await d.collect(tabId);
    expect(tools).toHaveLength(1000);
    expect(JSON.stringify(notes)).toMatch(/\d+ tools were left out: more than 1,000/);
    await honest();
  });

  test.concurrent.each<[string, object, number?]>([
    ['huge', { kind: 'result', note: { text: expect.stringContaining('cut after 1,000,000') } }],
    ['never', { kind: 'error', mayHaveRun: true }, 500],
    ['symbol', { kind: 'result', value: 'Symbol(x)' }],
    [
      'throws_oddly',
      { kind: 'error', message: expect.stringContaining('cannot be put into words') },
    ],
    ['throws_much', { kind: 'error', message: 'e'.repeat(4000) }],
    ['__proto__', { kind: 'result', value: 'x' }],
    ['half', { kind: 'result', value: 'x' }],
  ])('calls of %s end in one clear outcome', async (name, outcome, limitMs = 20_000) => {
    const { page, tabId } = await d.open('/hostile/tools.html');
    const tool = await d.tool(tabId, name);
    expect(await d.call(tabId, tool, {}, { limitMs })).toMatchObject(outcome);
    await page.close();
  });

  describe('that forges every message', () => {
    const open = async () => {
      const opened = await d.open('/hostile/forger.html');
      await d.tool(opened.tabId, 'honest');
      return opened;
    };
    const junk = [
      'not json',
      'null',
      '[]',
      '{"op":"list"}',
      '{"op":"call"}',
      '{"op":"call","id":1,"tool":null}',
      '{"op":"call","id":"1","call":"1","tool":{"name":"nothing"},"args":"not json"}',
      '{"op":"cancel","call":"1"}',
      '{"op":"reply","id":"1","tools":7}',
      '{"op":"changed"}',
      '{"op":"threw","tool":{},"said":{}}',
      '{"__proto__":{"op":"list"}}',
      '{"pagehand":"list","settle":true}',
    ];

    test.concurrent('changes nothing by noise', async () => {
      const { page, tabId } = await open();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      for (const type of ['pagehand-in', 'pagehand-out'])
        for (const message of junk)
          await page.evaluate(`send('${type}', ${JSON.stringify(message)})`);
      await page.evaluate("for (let i = 0; i < 2000; i++) send('pagehand-out', { op: 'changed' })");
      expect((await d.collect(tabId)).tools.map(({ name }) => name)).toEqual(['honest']);
      expect(await d.call(tabId, await d.tool(tabId, 'honest'))).toEqual({
        kind: 'result',
        value: 'honest 1',
      });
      expect(errors).toEqual([]);
    });

    test.concurrent('reaches its own tools only, and only as itself', async () => {
      const { page, tabId } = await open();
      await page.evaluate(`send('pagehand-in', {
        op: 'call', id: 'x', call: 'x', tool: { name: 'honest', surface: 'shim' }, args: '{}',
      })`);
      await page.evaluate(`send('pagehand-out', {
        op: 'reply', id: 'x', value: 'forged',
      })`);
      // What it ran was its own function; nothing was told to anybody else.
      expect((await d.collect(tabId)).tools.map(({ name }) => name)).toEqual(['honest']);
      const told = (await d.messages()).filter((message) => message.tabId === tabId);
      for (const { message } of told) expect(message).toEqual({ pagehand: 'tools' });
      expect(await page.evaluate("typeof chrome === 'undefined' || !chrome.runtime?.id")).toBe(
        true,
      );
    });

    test.concurrent('can lie about its own tools, and the lie is checked like any tool', async () => {
      const { page, tabId } = await open();
      await page.evaluate(`addEventListener('pagehand-in', (event) => {
        const { op, id } = JSON.parse(event.detail) ?? {};
        if (op !== 'list') return;
        event.stopImmediatePropagation();
        event.preventDefault();
        const tool = (name, more) => ({
          name, title: '', description: 'x', schema: '', hints: [], sizes: [0, 0],
          surface: 'native', ...more,
        });
        send('pagehand-out', { op: 'reply', id, tools: [
          tool('made_up'), tool('made_up'), tool('__proto__', { schema: '{"a":' }),
          tool('fat', { description: 'd'.repeat(9000) }), tool('odd', { hints: 7 }), { name: 'bare' },
          tool('', {}),
        ] });
      }, true)`);
      const { tools, notes } = await d.collect(tabId);
      const names = tools.map(({ name }) => name).sort();
      expect(names).toEqual(native ? ['__proto__', 'honest', 'made_up'] : ['__proto__', 'made_up']);
      expect(JSON.stringify(notes)).toMatch(/tools were left out/);
      await honest();
    });

    test.concurrent('can swallow the channel, and only loses what goes over it', async () => {
      const { page, tabId } = await open();
      await page.evaluate(
        "addEventListener('pagehand-in', (event) => event.stopImmediatePropagation(), true)",
      );
      const { tools } = await d.collect(tabId);
      expect(tools.map(({ name }) => name)).toEqual(['honest']);
      const outcome = await d.call(tabId, tools[0] as never, {}, { limitMs: 1000 });
      if (native) expect(outcome).toEqual({ kind: 'result', value: 'honest 1' });
      await honest();
    });

    test.concurrent('can take the names of the document’s own members', async () => {
      const { page, tabId } = await open();
      await page.evaluate(`document.body.insertAdjacentHTML('beforeend', [
        'modelContext', 'querySelector', 'querySelectorAll', 'addEventListener', 'dispatchEvent',
        'readyState', 'forms',
      ].map((name) => '<img name="' + name + '">').join(''))`);
      await page.evaluate('delete Document.prototype.modelContext');
      expect((await d.collect(tabId)).obstacle).toBeUndefined();
      await honest();
    });
  });

  test('may crash its tab; the call ends, and other tabs go on', async () => {
    const { page, tabId } = await d.open('/hostile/tools.html');
    const never = await d.tool(tabId, 'never');
    const outcome = d.call(tabId, never);
    await page.waitForFunction('window.waiting', { polling: 50 });
    const crash = await d.harness.open('about:blank');
    const session = await page.createCDPSession();
    void session.send('Page.crash').catch(() => {});
    expect(await outcome).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('crashed'),
      mayHaveRun: true,
    });
    await crash.close();
    await honest();
    await until('the extension to be up', async () => (await d.changes()).length > 0);
  });
});
