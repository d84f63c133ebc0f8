import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lib/tools/tool';
import { until } from '../harness';
import { type Drive, drive } from './drive';

const words = (...pairs: [string, string][]) => ({
  type: 'string',
  anyOf: pairs.map(([value, title]) => ({ type: 'string', const: value, title })),
  enum: pairs.map(([value]) => value),
});

describe.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])('declarative forms, where $name', ({ native }) => {
  let d: Drive;
  const url = '/surfaces/forms.html';
  beforeAll(async () => {
    d = await drive({ native });
  });
  afterAll(() => d?.stop());

  test.concurrent('are tools with the schema that Chrome derives', async () => {
    const { tabId } = await d.open(url);
    const { tools } = await d.collect(tabId);
    expect(tools.map(({ name, surface }) => `${name} ${surface}`).sort()).toEqual([
      'answers form',
      'everything form',
      'forgot form',
      'leaves form',
      'no_button form',
      'opens form',
      'waits form',
    ]);
    const formOf = (wanted: string) => tools.find(({ name }) => name === wanted)?.form;
    expect(formOf('waits')).toEqual({ waits: true, buttons: ['Send'] });
    expect(formOf('answers')).toEqual({ waits: false, buttons: ['Go'] });
    expect(formOf('no_button')).toEqual({ waits: true, buttons: [] });
    const everything = tools.find(({ name }) => name === 'everything');
    expect(everything).toEqual({
      ...everything,
      title: 'Everything',
      description: 'All kinds of controls',
      inputSchema: {
        type: 'object',
        required: ['q', 'size', 'tags'],
        properties: {
          q: { type: 'string', description: 'Query' },
          search: { type: 'string', description: 'What to look for', pattern: '[a-z]+' },
          mail: { type: 'string', description: 'Where to write' },
          long: { type: 'string' },
          count: { type: 'number', minimum: 2, maximum: 10, multipleOf: 2 },
          odd: { type: 'number', minimum: 1 },
          plain: { type: 'number', multipleOf: 1 },
          any: { type: 'number' },
          range: { type: 'number', minimum: 0, maximum: 100, multipleOf: 5 },
          gift: { type: 'boolean', description: 'Gift wrap' },
          extras: {
            type: 'array',
            items: words(['card', 'Card'], ['bow', 'Bow']),
            uniqueItems: true,
          },
          size: words(['s', 'Small'], ['l', 'Large']),
          colour: { ...words(['', 'Any'], ['r', 'Red'], ['b', 'Blue']), description: 'Colour' },
          tags: { type: 'array', items: words(['x', 'X'], ['y', 'Y']), uniqueItems: true },
          day: {
            type: 'string',
            format: 'date',
            description: "Dates MUST be provided in 'YYYY-MM-DD' format.",
          },
          day2: {
            type: 'string',
            format: 'date',
            description: "When (Dates MUST be provided in 'YYYY-MM-DD' format.)",
          },
          time: { type: 'string', format: '^([01][0-9]|2[0-3]):[0-5][0-9]$' },
          moment: {
            type: 'string',
            format: '^[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]$',
          },
          month: { type: 'string', format: '^[0-9]{4}-(0[1-9]|1[0-2])$' },
          week: { type: 'string', format: '^[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])$' },
          tint: { type: 'string', format: '^#[0-9a-zA-Z]{6}$' },
        },
      },
    });
  });

  const call = async (tabId: number, name: string, args: JsonObject, options = {}) =>
    d.call(tabId, await d.tool(tabId, name), args, options);

  test.concurrent('are filled, sent and answered by the page', async () => {
    const { page, tabId } = await d.open(url);
    expect(await call(tabId, 'answers', { n: 7 })).toEqual({
      kind: 'result',
      value: '{"got":{"n":"7"}}',
    });
    expect(await page.evaluate('submits')).toEqual([
      { id: 'answers', agent: true, data: { n: '7' } },
    ]);
  });

  test.concurrent('fill every kind of control', async () => {
    const { page, tabId } = await d.open(url);
    await page.evaluate("document.querySelector('[toolname=everything]').id = 'all'");
    const args = {
      q: 'mugs',
      search: 'abc',
      long: 'two\nlines',
      count: 4,
      any: 1.5,
      range: 35,
      gift: true,
      extras: ['bow'],
      size: 'l',
      colour: 'r',
      tags: ['x', 'y'],
      day: '2026-12-24',
      time: '18:30',
      month: '2026-12',
      tint: '#aabbcc',
    };
    const outcome = await call(tabId, 'everything', args);
    expect(outcome).toMatchObject({ kind: 'result' });
    const { got } = JSON.parse((outcome as { value: string }).value);
    expect(got).toMatchObject({
      q: 'mugs',
      search: 'abc',
      long: 'two\nlines',
      count: '4',
      any: '1.5',
      range: '35',
      gift: 'on',
      extras: 'bow',
      size: 'l',
      colour: 'r',
      tags: 'y',
      day: '2026-12-24',
      time: '18:30',
      month: '2026-12',
      tint: '#aabbcc',
    });
  });

  test.concurrent.each([
    [{ zzz: 1 }, 'Input contains a parameter "zzz" but there is no such parameter for the tool'],
    [{ n: 'many' }, 'Invalid value "many" for parameter n'],
    [{ n: null }, 'Invalid value for parameter n'],
    [{ n: 11 }, 'Form validation failed: n: Value must be less than or equal to 10.'],
  ])('say what is wrong with %j', async (args: JsonObject, message) => {
    const { page, tabId } = await d.open(url);
    expect(await call(tabId, 'answers', args)).toMatchObject({
      kind: 'error',
      message: expect.stringContaining(message),
      mayHaveRun: false,
    });
    expect(await page.evaluate('submits')).toEqual([]);
  });

  test.concurrent('pass on why the page refused', async () => {
    const { tabId } = await d.open(url);
    expect(await call(tabId, 'answers', { fail: true })).toEqual({
      kind: 'error',
      message: 'out of stock',
      mayHaveRun: true,
    });
    expect(await call(tabId, 'forgot', { word: 'x' })).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('stopped its own form'),
      mayHaveRun: true,
    });
  });

  test('without toolautosubmit wait for the person, who may change what was filled in', async () => {
    const { page, tabId } = await d.open(url);
    const outcome = call(tabId, 'waits', { word: 'draft' });
    await page.waitForFunction("document.querySelector('#waits [name=word]').value === 'draft'", {
      polling: 50,
    });
    expect(await page.evaluate('document.activeElement.id')).toBe('send');
    await page.type('#waits [name=word]', 's');
    await page.click('#send');
    expect(await outcome).toEqual({ kind: 'result', value: '{"got":{"word":"drafts"}}' });
  });

  test.concurrent('that wait end with a reset, a removal or Stop', async () => {
    const { page, tabId } = await d.open(url);
    const filled = (word: string) =>
      page.waitForFunction(
        `document.querySelector('#waits [name=word]').value === ${JSON.stringify(word)}`,
        { polling: 50 },
      );
    const stopped = await call(tabId, 'waits', { word: 'one' }, { stopAfter: 300 });
    expect(stopped).toMatchObject({ kind: 'stopped' });
    const reset = call(tabId, 'waits', { word: 'two' });
    await filled('two');
    await page.evaluate("document.querySelector('#waits').reset()");
    expect(await reset).toMatchObject({ message: 'Tool execution cancelled by a form reset' });
    const removed = call(tabId, 'waits', { word: 'three' });
    await filled('three');
    await page.evaluate("document.querySelector('#waits').remove()");
    expect(await removed).toMatchObject({
      message: 'Tool execution cancelled, since tool definition was updated',
    });
  });

  // Chromium 156 drops a name with any of the forms that bear it.
  test.runIf(native)('that the browser lost with another of their name say so', async () => {
    const { page, tabId } = await d.open(url);
    const tool = await d.tool(tabId, 'everything');
    await page.evaluate("document.querySelectorAll('[toolname=everything]')[1].remove()");
    expect(await d.call(tabId, tool, {})).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('"everything" is on the page, but the browser no longer'),
      mayHaveRun: false,
    });
  });

  test.concurrent('without a button to wait for say so', async () => {
    const { tabId } = await d.open(url);
    expect(await call(tabId, 'no_button', { word: 'x' })).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('No submit button was found'),
      mayHaveRun: false,
    });
  });

  test.each(['leaves', 'opens'])(
    'that navigate (%s) are answered by the next document',
    async (name) => {
      const { tabId } = await d.open(url);
      const outcome = await call(tabId, name, { word: 'x' });
      expect(outcome).toMatchObject({
        kind: 'result',
        value: '{"@type":"Thing","name":"arrival"}',
        navigatedTo: expect.stringContaining('/surfaces/arrived.html?word=x'),
      });
    },
  );

  test.concurrent('that come, go or change are noticed', async () => {
    const { page, tabId } = await d.open(url);
    const count = async () => {
      const heard = (await d.changes()).filter((change) => change.tabId === tabId);
      return heard.at(-1)?.tools;
    };
    await until('the first count', async () => (await count()) === 7);
    await page.evaluate("document.querySelector('#answers').setAttribute('toolname', '')");
    await until('one less', async () => (await count()) === 6);
    await page.evaluate(
      'document.body.insertAdjacentHTML("beforeend", "<form toolname=late tooldescription=x><button></form>")',
    );
    await until('one more', async () => (await count()) === 7);
  });
});
