/// <reference types="chrome" />
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SiteServer, serveSite } from '../../sites/serve';
import { drive, seriousFindings } from '../chat/panel';
import { Harness, until } from '../harness';
import { serveSites } from '../page/drive';
import { type Inspected, inspect, isInside, registered } from './inspected';

const SITE = '/surfaces/inspected.html';
const SHOP = new URL('../../sites/shop', import.meta.url).pathname;

describe.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])('the page’s own doings in the DevTools panel, where $name', ({ native }) => {
  let browser: Harness;
  let shop: SiteServer;
  let i: Inspected;
  let early: { inside: boolean; scripts: string[]; detail: string };
  beforeAll(async () => {
    browser = await Harness.start({}, { native, serve: serveSites });
    shop = await serveSite(SHOP);
    const page = await browser.open(`${browser.origin}${SITE}`);
    early = { inside: await isInside(page), scripts: await registered(browser), detail: '' };
    i = await inspect(browser, page);
    await i.row(/^watched late/);
    early.detail = await i.detail('add');
    await i.press('[data-testid=reload-page]');
    await i.row(/^watched early/);
  });
  afterAll(async () => {
    await browser?.stop();
    await shop?.close();
  });

  test('nothing is in the page before a panel is open; then what was is not known', () => {
    expect(early.inside).toBe(false);
    expect(early.scripts).not.toContain('page-inspector');
    expect(early.detail).toContain('the page was loaded before this panel was open');
  });

  test('a tool has the line it was registered at, which opens in Sources', async () => {
    for (const [tool, place] of [
      ['add', 'inspected.js:6:11'],
      ['frozen', 'inspected.js:17:23'],
    ] as const)
      await until(`the place of ${tool}`, async () => (await i.detail(tool)).includes(place));
    await i.press('[data-testid=tool-detail] .place');
    await until('the line in Sources', () =>
      i.devtools.evaluate(`(async () => {
        const { Context } = await import('./ui/legacy/legacy.js');
        const { UISourceCode } = (await import('./models/workspace/workspace.js')).UISourceCode;
        return Context.Context.instance().flavor(UISourceCode)?.url().endsWith('inspected.js');
      })()`),
    );
    expect(await i.panel.$('.banner')).toBeNull();
    await i.show();
  });

  test('a form tool leads to its form in Elements', async () => {
    expect(await i.detail('subscribe')).toContain('the form “subscribe”');
    await i.press('[data-testid=show-form]');
    await until('the form in Elements', () =>
      i.devtools.evaluate(`(async () => {
        const { Context } = await import('./ui/legacy/legacy.js');
        const { DOMNode } = (await import('./core/sdk/sdk.js')).DOMModel;
        return Context.Context.instance().flavor(DOMNode)?.getAttribute('toolname') === 'subscribe';
      })()`),
    );
    await i.show();
  });

  test('a call of the page’s is in the log once, with what came of it and its line', async () => {
    await i.page.evaluate(`callOwn('add', { a: 2, b: 3 })`);
    await i.row(/^call add page \{"a":2,"b":3\} result \{"sum":5\} at inspected.js:26:18/);
    expect(await i.count(/^call add /)).toBe(1);
    expect(await i.page.evaluate('ran')).toEqual(['add']);
  });

  test('a failed one has the tool’s own words; one that was given up says so', async () => {
    await i.page.evaluate(`callOwn('fails', {}).catch(() => {})`);
    await i.row(/^call fails page \{\} error the real reason/);
    await i.page.evaluate(`offer('slow', () => new Promise(() => {}))`);
    await i.page.evaluate(`{
      const stop = new AbortController();
      callOwn('slow', {}, { signal: stop.signal }).catch(() => {});
      setTimeout(() => stop.abort(), 50);
    }`);
    await i.row(/^call slow page \{\} cancelled/);
    expect(await i.count(/^call (fails|slow) /)).toBe(2);
  });

  test('a form that the page calls', async () => {
    await i.page.evaluate(`callOwn('subscribe', { email: 'a@b.de' })`);
    await i.row(/^call subscribe page \{"email":"a@b.de"\} result subscribed/);
    expect(await i.count(/^call subscribe /)).toBe(1);
  });

  test('a call from the panel is none of the page’s', async () => {
    for (const tool of ['add', 'subscribe', 'frozen']) {
      const before = await i.count(new RegExp(`^call ${tool} `));
      await i.detail(tool);
      await i.press('[data-testid=tool-detail] .bar button');
      await i.press('[data-testid=schema-form] button[type=submit]');
      // What binds is asked for once more.
      await i.panel.waitForSelector('.outcome, [data-testid=run-sure]');
      if (await i.panel.$('[data-testid=run-sure]')) await i.press('[data-testid=run-sure]');
      await i.panel.waitForSelector('.outcome');
      expect(await i.count(new RegExp(`^call ${tool} `))).toBe(before);
    }
  });

  test('tools that come, go and change', async () => {
    await i.page.evaluate(`window.later = offer('later', () => 1)`);
    await i.row(/^registered later at inspected.js:6:11/);
    await i.page.evaluate('later.abort()');
    await i.row(/^removed later/);
    await i.page.evaluate(`offer('later', () => 1, { description: 'Another', title: 'Later' })`);
    await i.row(/^changed later title,description at/);
    await i.page.evaluate(
      `document.querySelector('form').setAttribute('tooldescription', 'Get the news')`,
    );
    await i.row(/^changed subscribe form description/);
    await i.page.evaluate(`document.querySelector('form').remove()`);
    await i.row(/^removed subscribe form/);
    // Among many events the list draws those in sight.
    const search = '.log-view input[type=search]';
    await i.panel.type(search, 'later');
    await i.press('[data-type=page-tool-changed] .log-row');
    await i.panel.waitForSelector('[data-testid=page-event] ins');
    expect(await seriousFindings(i.panel)).toEqual([]);
    await i.panel.click(search, { count: 3 });
    await (await i.panel.$(search))?.press('Backspace');
  });

  test('a call into a frame of the page’s is in the log once', async () => {
    await i.page.evaluate(`new Promise((done) => {
      const frame = document.createElement('iframe');
      frame.onload = done;
      frame.src = '${SITE}';
      document.body.append(frame);
    })`);
    await until('both documents', async () => (await i.count(/^registered frozen/)) >= 2);
    await i.page.evaluate(`(async () => {
      const tools = await context.getTools();
      const tool = tools.find((one) => one.name === 'add' && (one.source ?? one.window) !== window);
      return context.executeTool(tool, { a: 20, b: 22 });
    })()`);
    await i.row(/^call add page elsewhere \{"a":20,"b":22\} result \{"sum":42\}/);
    expect(await i.count(/^call add .*20/)).toBe(1);
    await i.page.evaluate(`document.querySelector('iframe').remove()`);
  });

  test('a form in a frame leads to that form', async () => {
    await i.page.evaluate(`new Promise((done) => {
      const frame = document.createElement('iframe');
      frame.onload = done;
      frame.src = '/surfaces/forms.html';
      document.body.append(frame);
    })`);
    const [row = ''] = (await i.row(/^registered (?!subscribe)\w+ form /)).slice(-1);
    const tool = row.split(' ')[1] ?? '';
    await i.detail(tool);
    await i.press('[data-testid=show-form]');
    await until('the form in Elements', () =>
      i.devtools.evaluate(`(async () => {
        const { Context } = await import('./ui/legacy/legacy.js');
        const { DOMNode } = (await import('./core/sdk/sdk.js')).DOMModel;
        return Context.Context.instance().flavor(DOMNode)?.getAttribute('toolname') === '${tool}';
      })()`),
    );
    await i.show();
    await i.page.evaluate(`document.querySelector('iframe').remove()`);
  });

  test('a worker that was ended meanwhile changes nothing', async () => {
    await browser.killWorker();
    const before = (await i.rows()).filter((row) => row.startsWith('watched early')).length;
    await i.page.reload();
    await browser.resumeWorker();
    await until('the next document', async () => {
      const rows = await i.rows();
      return rows.filter((row) => row.startsWith('watched early')).length > before;
    });
    await i.page.evaluate(`callOwn('add', { a: 30, b: 3 })`);
    await i.row(/^call add page \{"a":30,"b":3\} result/);
  });

  test.runIf(native)('calls of somebody else, with what can be seen of them', async () => {
    const worker = await browser.worker();
    // As another extension would; only the background's own calls are announced to a page.
    const call = (tool: string, input: object) =>
      worker.evaluate(
        async (path, name, given) => {
          const tabs = await chrome.tabs.query({});
          const tab = tabs.find(({ url = '' }) => url.includes(path));
          await chrome.scripting.executeScript({
            target: { tabId: tab?.id ?? 0 },
            args: [name, given],
            func: async (wanted: string, args: object) => {
              const { modelContext } = document as unknown as {
                modelContext: {
                  getTools(): Promise<{ name: string; window: Window }[]>;
                  executeTool(tool: unknown, input: object): Promise<unknown>;
                };
              };
              const tools = await modelContext.getTools();
              const found = tools.find((one) => one.name === wanted && one.window === window);
              await modelContext.executeTool(found, args).catch(() => {});
            },
          });
        },
        SITE,
        tool,
        input,
      );
    await call('add', { a: 7, b: 8 });
    await i.row(/^call add other \{"a":7,"b":8\} result \{"sum":15\}/);
    await call('fails', { why: 1 });
    await i.row(/^call fails other \{"why":1\} error the real reason/);
    await i.page.evaluate(`document.body.insertAdjacentHTML('beforeend',
      '<form toolname=plain tooldescription=Plain toolautosubmit target=_blank><input name=a><button>')`);
    await i.row(/^registered plain form/);
    await call('plain', { a: 'x' });
    await i.row(/^call plain other $/);
    expect(await i.count(/^call \w+ other/)).toBe(3);
  });

  test('an agent’s call is in the log once, as the agent’s', async () => {
    await i.page.goto(`${shop.origin}/index.html`);
    await i.row(/^registered search_products/);
    await i.page.bringToFront();
    const side = await browser.sidePanel(i.page);
    const chat = drive(side);
    await chat.ask('search for hats');
    await chat.ended();
    expect(await chat.cards()).toEqual(['search_products done']);
    expect(await i.count(/^call search_products/)).toBe(0);
    const agents = await until('the agent’s events', async () => {
      const events = await i.events();
      return events.some(({ type }) => type === 'turn-ended') ? events : undefined;
    });
    // Runs by hand are turns of their own.
    const byHand = new Set(
      agents.flatMap((e) =>
        e['type'] === 'turn-started' && e['byHand'] === true ? [e['turnId']] : [],
      ),
    );
    const started = agents.filter((e) => e['type'] === 'call-started' && !byHand.has(e['turnId']));
    expect(started).toHaveLength(1);
    await side.close();
    await i.page.goto(`${browser.origin}${SITE}`);
    await i.row(/^registered fails/);
  });

  test('a page in another tab is left alone', async () => {
    const other = await browser.open(`${browser.origin}${SITE}`);
    await until('the inspector to give way', async () => !(await isInside(other)));
    expect(await other.evaluate(`callOwn('add', { a: 1, b: 1 })`)).toBeTruthy();
    expect(await isInside(i.page)).toBe(true);
    await other.close();
  });

  test('when the panel is closed the inspector gives way, and the page works on', async () => {
    await i.page.goto(`${browser.origin}${SITE}`);
    await until('the inspector', () => isInside(i.page));
    await i.page.evaluate('window.wrapped = Object.getPrototypeOf(context).registerTool');
    await i.close();
    await until('the inspector to give way', async () => !(await isInside(i.page)));
    await until(
      'no registration',
      async () => !(await registered(browser)).includes('page-inspector'),
    );
    expect(await i.page.evaluate('wrapped === Object.getPrototypeOf(context).registerTool')).toBe(
      false,
    );
    expect(await i.page.evaluate(`callOwn('add', { a: 4, b: 5 })`)).toBe('{"sum":9}');
    await i.page.reload();
    expect(await isInside(i.page)).toBe(false);
  });
});
