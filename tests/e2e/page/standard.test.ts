import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Harness } from '../harness';

const FRAME = '<!doctype html><title>frame</title>';
const PAGE = '<!doctype html><title>page</title><body>';

/** What a page's own scripts see of WebMCP, with the browser's own and with the shim. */
describe.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the shim provides it', native: false },
])('a page that uses its tools itself, where $name', ({ native }) => {
  let h: Harness;
  beforeAll(async () => {
    h = await Harness.start({ '/': PAGE, '/frame': FRAME }, { native });
  });
  afterAll(() => h?.stop());

  /** Runs the body of an async function in a page of its own, with a few words for what comes up often. */
  const inPage = async <T>(body: string): Promise<T> => {
    const page: Page = await h.open(`${h.origin}/`);
    try {
      return (await page.evaluate(`(async () => {
        const context = document.modelContext;
        const add = (html) => document.body.insertAdjacentHTML('beforeend', html);
        const listed = async (name) => (await context.getTools()).find((tool) => tool.name === name);
        // The browser lists a form a moment after it is there.
        const tool = async (name) => {
          for (;;) {
            const changed = event(context, 'toolchange');
            const found = await listed(name);
            if (found) return found;
            await changed;
          }
        };
        const run = async (name, input, options) => context.executeTool(await tool(name), input, options);
        const failure = (promise) => promise.then(() => 'none', (error) => error.name);
        const frame = (html = '<iframe src="/frame"></iframe>') => new Promise((resolve) => {
          add(html);
          const made = document.body.lastElementChild;
          made.onload = () => resolve(made);
        });
        const event = (target, type) => new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
        ${body}
      })()`)) as T;
    } finally {
      await page.close();
    }
  };

  test.concurrent('finds the interfaces where the standard has them', async () => {
    expect(
      await inPage(`
        const members = [];
        for (const member in context) if (!(member in EventTarget.prototype)) members.push(member);
        let made = 'made';
        try { new ModelContext(); } catch (error) { made = error.name; }
        const heard = [];
        context.ontoolactivated = (event) => heard.push(event);
        await context.registerTool({ name: 'x', description: 'x', execute: () => 'x' });
        await run('x');
        return {
          members: members.sort(), made,
          is: context instanceof ModelContext, text: String(context),
          lengths: ['registerTool', 'getTools', 'executeTool'].map((name) => context[name].length),
          global: Object.keys(window).includes('ModelContext'), name: ModelContext.name,
          event: heard.map((event) => [event instanceof ToolActivatedEvent, String(event), event.toolName]),
          cancel: new ToolCancelEvent('toolcancel', { toolName: 'y' }).toolName,
        };
      `),
    ).toEqual({
      members: [
        ...['executeTool', 'getTools', 'ontoolactivated', 'ontoolcancel', 'ontoolchange'],
        'registerTool',
      ],
      made: 'TypeError',
      is: true,
      text: '[object ModelContext]',
      lengths: [1, 0, 1],
      global: false,
      name: 'ModelContext',
      event: [[true, '[object ToolActivatedEvent]', 'x']],
      cancel: 'y',
    });
  });

  test.concurrent('hears of fields that change, and of no others', async () => {
    expect(
      await inPage(`
        add(\`<form toolname=f tooldescription=f toolautosubmit>
          <input name=same value=kept><input name=new value=old>
          <select name=one><option>a<option selected>b</select>
          <select name=many multiple><option selected>a<option>b<option selected>c</select>
          <select name=more multiple><option selected>a<option>b</select>
          <textarea name=text>words</textarea><button></button></form>\`);
        const heard = [];
        addEventListener('input', ({ target }) => heard.push('input ' + target.name));
        addEventListener('change', ({ target }) => heard.push('change ' + target.name));
        addEventListener('submit', (event) => { event.preventDefault(); event.respondWith('sent'); });
        const answer = await run('f', { same: 'kept', new: 'new', one: 'b', many: ['a', 'c'], more: ['b'], text: 'words' });
        return { answer, heard };
      `),
    ).toEqual({
      answer: 'sent',
      heard: ['input new', 'change new', 'input more', 'change more'],
    });
  });

  test.concurrent('hears of a form that a tool has filled in', async () => {
    expect(
      await inPage(`
        add('<form toolname=f tooldescription=f toolautosubmit><input name=a><button></button></form>');
        const seen = [];
        context.addEventListener('toolactivated', ({ toolName }) => seen.push(toolName, document.forms[0].a.value));
        addEventListener('submit', (event) => { event.preventDefault(); event.respondWith('x'); });
        const heard = event(context, 'toolactivated');
        await run('f', { a: '7' });
        await heard;
        return seen;
      `),
    ).toEqual(['f', '7']);
  });

  test.concurrent('may check a form in its handler and then send it itself', async () => {
    expect(
      await inPage(`
        add('<iframe name=out></iframe><form action="/frame" target=out toolname=f tooldescription=f toolautosubmit><input name=a><button></button></form>');
        const arrived = event(document.querySelector('iframe'), 'load');
        addEventListener('submit', (event) => { event.preventDefault(); event.target.submit(); });
        const answer = await run('f', { a: '7' });
        await arrived;
        return answer;
      `),
    ).toBeNull();
  });

  test.concurrent('is told where a handler neither answers nor sends', async () => {
    expect(
      await inPage(`
        add('<form toolname=f tooldescription=f toolautosubmit><input name=a><button></button></form>');
        addEventListener('submit', (event) => event.preventDefault());
        return run('f', { a: '7' }).catch(({ message }) => message);
      `),
    ).toContain('without also calling respondWith()');
  });

  // A later removal the browser still takes for a change of the tool; the newest draft does not.
  test.concurrent.each([
    ['in the handler', 'form.remove()', 'thanks'],
    ['after the handler', 'queueMicrotask(() => form.remove())', 'thanks'],
    ['later', 'setTimeout(() => form.remove())', native ? 'UnknownError' : 'thanks'],
    ['in part', 'form.removeAttribute("tooldescription")', 'thanks'],
  ])('may put its thanks in the place of the form: %s', async (_, removal, answer) => {
    expect(
      await inPage(`
        add('<form toolname=f tooldescription=f toolautosubmit><input name=a><button></button></form>');
        addEventListener('submit', (event) => {
          const form = event.target;
          event.preventDefault();
          event.respondWith(new Promise((resolve) => setTimeout(resolve, 200, 'thanks')));
          ${removal};
        });
        return run('f', { a: '7' }).catch(({ name }) => name);
      `),
    ).toBe(answer);
  });

  test.concurrent('hears of tools of its other frames, and they of its', async () => {
    expect(
      await inPage(`
        const { contentDocument, contentWindow } = await frame();
        const inner = contentDocument.modelContext;
        const heard = event(context, 'toolchange');
        await inner.registerTool({ name: 'inner', description: 'x', execute: () => 'inside' });
        await heard;
        const back = event(inner, 'toolchange');
        await context.registerTool({ name: 'outer', description: 'x', execute: () => 'outside' });
        await back;
        const names = async (from) => (await from.getTools()).map(({ name }) => name);
        return [await names(context), await names(inner), await run('inner')];
      `),
    ).toEqual([['inner', 'outer'], ['inner', 'outer'], 'inside']);
  });

  test.concurrent('is told when the frame of a tool goes under its call', async () => {
    expect(
      await inPage(`
        const made = await frame();
        await made.contentDocument.modelContext.registerTool({ name: 'never', description: 'x', execute: () => new Promise(() => {}) });
        const asked = failure(run('never'));
        const started = event(made.contentDocument.modelContext, 'toolactivated');
        await started;
        made.remove();
        return asked;
      `),
    ).toBe('UnknownError');
  });

  test.concurrent.each<string[]>([
    ['toolautosubmit', "form.toggleAttribute('toolautosubmit')"],
    ['what is required', 'form.elements[0].required = true'],
    ['what is called otherwise', "form.elements[0].name = 'b'"],
    ['another type', "form.elements[0].type = 'number'"],
    // Which the browser does not tell of.
    ...(native ? [] : [['a choice', "form.elements[1].options[0].value = 'z'"]]),
  ])('hears of a form that changes in %s', async (_, change = '') => {
    expect(
      await inPage(`
        const there = event(context, 'toolchange');
        add('<form toolname=f tooldescription=f><input name=a><select name=s><option value=x>X</select><button></button></form>');
        await there;
        const form = document.forms[0];
        // The browser tells of a form more than once.
        await new Promise((resolve) => setTimeout(resolve, 100));
        const heard = event(context, 'toolchange').then(() => 'heard');
        ${change};
        return heard;
      `),
    ).toBe('heard');
  });

  test.concurrent('has to name a tool whole, and its origin rightly', async () => {
    expect(
      await inPage(`
        await context.registerTool({ name: 'x', description: 'x', execute: () => 'ran' });
        const { origin, name, description } = await tool('x');
        const ask = (asked, input) => failure(context.executeTool(asked, input));
        return [
          await ask({ name, description, window }),
          await ask({ name, description, origin }),
          await ask({ name, window, origin }),
          await ask({ name, description, window, origin: 'https://elsewhere.example' }),
          await ask({ name, description, window, origin }, 'plain words'),
          await ask({ name, description, window, origin }, 7),
          await ask({ name, description, window, origin }),
        ];
      `),
    ).toEqual([
      ...['TypeError', 'TypeError', 'TypeError', 'UnknownError', 'TypeError', 'TypeError', 'none'],
    ]);
  });

  test.concurrent('hears of a cancelled call in order: the caller, the tool, everybody', async () => {
    expect(
      await inPage(`
        const seen = [];
        let end;
        const told = new Promise((resolve) => { end = resolve; });
        await context.registerTool({ name: 'x', description: 'x', execute: (_, { signal }) => new Promise(() => {
          signal.addEventListener('abort', () => seen.push('tool ' + signal.reason.name));
        }) });
        context.addEventListener('toolcancel', (event) => { seen.push('cancel ' + event.toolName); end(); });
        const stop = new AbortController();
        const asked = run('x', {}, { signal: stop.signal }).catch((error) => seen.push('caller ' + error));
        await event(context, 'toolactivated');
        stop.abort('enough');
        await told;
        await asked;
        return seen;
      `),
    ).toEqual(['caller enough', 'tool AbortError', 'cancel x']);
  });

  test.concurrent('is refused in a frame that was taken out, or may not', async () => {
    expect(
      await inPage(`
        const made = await frame();
        const gone = made.contentDocument.modelContext;
        made.remove();
        const given = { name: 'x', description: 'x', execute: () => 'ran' };
        const barred = (await frame('<iframe src="/frame" allow="tools \\'none\\'"></iframe>')).contentDocument.modelContext;
        return [
          await failure(gone.registerTool(given)),
          await failure(barred.registerTool(given)),
          await failure(barred.getTools()),
          await failure(barred.executeTool({ name: 'x', description: 'x', origin, window }, {})),
        ];
      `),
    ).toEqual(['InvalidStateError', 'NotAllowedError', 'NotAllowedError', 'NotAllowedError']);
  });

  // Chromium 156 crashes over this.
  test.runIf(!native)('has a context in documents it made, which refuses', async () => {
    expect(
      await inPage(`
        const other = document.implementation.createHTMLDocument();
        return [
          other.modelContext === other.modelContext, other.modelContext === context,
          await failure(other.modelContext.registerTool({ name: 'x', description: 'x', execute() {} })),
          await failure(other.modelContext.getTools()),
        ];
      `),
    ).toEqual([true, false, 'InvalidStateError', 'InvalidStateError']);
  });

  test.concurrent('takes tools back by the old place without an error that nobody handles', async () => {
    expect(
      await inPage(`
        const problems = [];
        addEventListener('unhandledrejection', ({ reason }) => problems.push(String(reason)));
        const old = navigator.modelContext;
        old.registerTool({ name: 'x', description: 'x', execute() {} });
        old.unregisterTool('x');
        old.provideContext({ tools: [{ name: 'y', description: 'y', execute() {} }] });
        old.clearContext();
        await new Promise((resolve) => setTimeout(resolve, 100));
        return [problems, (await context.getTools()).length];
      `),
    ).toEqual([[], 0]);
  });

  test.concurrent('finds the old testing interface beside the old place', async () => {
    expect(
      await inPage(`
        const testing = navigator.modelContextTesting;
        const heard = [];
        testing.registerToolsChangedCallback(() => heard.push('callback'));
        testing.ontoolchange = () => heard.push('handler');
        const inputSchema = { type: 'object', properties: { a: { type: 'number' } } };
        await navigator.modelContext.registerTool({ name: 'deal', description: 'Deals', inputSchema, execute: ({ a }) => 'dealt ' + a });
        await context.registerTool({ name: 'boom', description: 'Fails', execute() { throw new Error('no'); } });
        await new Promise((resolve) => setTimeout(resolve, 100));
        return {
          tools: testing.listTools(),
          answer: await testing.executeTool('deal', '{"a":7}'),
          failures: [
            await failure(testing.executeTool('deal', 'words')),
            await failure(testing.executeTool('none', '{}')),
            await failure(testing.executeTool('boom', '{}')),
          ],
          heard: [heard.includes('callback'), heard.includes('handler')],
        };
      `),
    ).toEqual({
      tools: [
        {
          name: 'deal',
          description: 'Deals',
          inputSchema: '{"type":"object","properties":{"a":{"type":"number"}}}',
        },
        { name: 'boom', description: 'Fails', inputSchema: '{"type":"object","properties":{}}' },
      ],
      answer: 'dealt 7',
      failures: ['UnknownError', 'UnknownError', 'UnknownError'],
      heard: [true, true],
    });
  });
});
