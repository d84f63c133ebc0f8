// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { approvalRule } from '../../../components/devtools/approval-rule';
import { Devtools } from '../../../components/devtools/Devtools';
import { createDevtools, type DevtoolsPorts } from '../../../components/devtools/panel';
import { toMarkdown } from '../../../components/devtools/readiness-text';
import { executeSnippet, registerSnippet } from '../../../components/devtools/snippets';
import { sortTools } from '../../../components/devtools/sort';
import type { DevtoolsView } from '../../../components/devtools/state';
import {
  filterLog,
  type LogGroup,
  lineOf,
  mergeLog,
  titleOf,
} from '../../../components/log/describe';
import { PageEventDetail } from '../../../components/log/PageEventDetail';
import { SHOP, SHOP_TOOLS } from '../../../entrypoints/gallery/fixtures/tools';
import type { TurnScore } from '../../../lib/evals/score';
import type { Preview } from '../../../lib/messages/host-api';
import type { PageEntry } from '../../../lib/page/inspector/wire';
import type { SavedInput } from '../../../lib/settings/saved-inputs';
import { readInputs, writeInputs } from '../../../lib/settings/saved-inputs';
import { Settings } from '../../../lib/settings/settings';
import { speakEnglish } from './english';
import { eventsOf, fakeHost, snapshot } from './fake-host';

const PREVIEW: Preview = {
  ranked: [{ name: 'search_products', score: 3, matchedFields: ['name'] }],
  direct: ['search_products'],
  deferred: [],
  left: [],
  system: 'The exact prompt.',
  calls: [
    {
      engine: 'instant',
      call: { name: 'search_products', arguments: { query: 'hats' } },
      text: '',
    },
  ],
};

const answers = {
  watch: () => snapshot('c1', 1),
  catalog: () => SHOP,
  preview: () => PREVIEW,
  runTool: () => ({
    problems: [],
    outcome: { kind: 'result' as const, value: '{"count":1}' },
    ms: 7,
  }),
  exportConversation: () => ({ filename: 'case.eval.json', text: '{}' }),
  replay: (params: unknown) => ({ engine: 'instant' as const, turns: [replayedTurn(params)] }),
};

/** The engine of this host searches for hats, whatever it is asked. */
function replayedTurn(params: unknown): TurnScore {
  const [one] = (params as { site: { cases: { ask: string }[] } }).site.cases;
  const ask = one?.ask ?? '';
  return {
    ask,
    calls: [{ name: 'search_products', arguments: { query: 'hats' } }],
    text: '',
    differences:
      ask === 'hats'
        ? []
        : [
            {
              kind: 'value',
              tool: 'search_products',
              argument: 'query',
              expected: ask,
              got: 'hats',
            },
          ],
  };
}

function open(
  host = fakeHost(answers),
  start: { view: DevtoolsView; tool?: string } = { view: 'run' },
) {
  const stored = new Map<string, readonly SavedInput[]>();
  const saved: string[] = [];
  const shown: string[] = [];
  let tell: Parameters<DevtoolsPorts['followPage']>[0] = () => {};
  const { state, intents } = createDevtools(
    {
      host: host.client,
      tabId: 1,
      updateSettings: async (change) => change(Settings.parse({})),
      followSettings: (listener) => listener(Settings.parse({})),
      readInputs: async (origin) => [...(stored.get(origin) ?? [])],
      writeInputs: async (origin, inputs) => {
        stored.set(origin, inputs);
      },
      save: (filename) => saved.push(filename),
      followPage: (heard) => {
        tell = heard;
      },
      reloadPage: async () => shown.push('reload'),
      openPlace: async ({ url }) => shown.push(url) > 0 && url.startsWith('https://shop.example'),
      inspectForm: async (tool) => shown.push(tool) > 0,
    },
    new AbortController().signal,
  );
  const View = () => <Devtools state={state.value} intents={intents} start={start} />;
  return { ...render(<View />), host, state, intents, saved, stored, shown, tell };
}

const DOCUMENT = {
  documentId: 'doc0',
  frameId: 0,
  origin: 'https://shop.example',
  url: 'https://shop.example/',
};
const CODE = { fn: 'offer', url: 'https://shop.example/tools.js?v=3', line: 12, column: 5 };

function registered(tool: string, more: object = {}): PageEntry {
  const description = 'A tool';
  return {
    kind: 'registered',
    at: 1,
    tool,
    form: false,
    found: false,
    description,
    places: [CODE],
    ...more,
  };
}

describe('what the page itself does', () => {
  beforeEach(speakEnglish);
  afterEach(cleanup);

  const detail = (late: boolean, ...entries: PageEntry[]) => {
    const opened = open(fakeHost(answers), { view: 'tools', tool: 'doc0/search_products' });
    act(() => opened.tell(DOCUMENT, [{ kind: 'watching', at: 1, late }, ...entries], 0));
    return opened;
  };

  test('a tool shows where it was registered, and opens it', async () => {
    const { findByText, shown } = detail(false, registered('search_products'));
    fireEvent.click(await findByText('tools.js:12:5'));
    await waitFor(() => expect(shown).toEqual([CODE.url]));
  });

  test('a file that DevTools does not have is said to be missing', async () => {
    const elsewhere = { ...CODE, url: 'https://cdn.example/lib.js' };
    const { findByText, findByRole } = detail(
      false,
      registered('search_products', { places: [elsewhere] }),
    );
    fireEvent.click(await findByText('lib.js:12:5'));
    expect((await findByRole('alert')).textContent).toContain('https://cdn.example/lib.js');
  });

  test('where it is not known, the reason is; a reload helps only where the panel was late', async () => {
    const late = detail(true);
    fireEvent.click(await late.findByText('Reload the page to see where'));
    await waitFor(() => expect(late.shown).toEqual(['reload']));
    cleanup();
    const early = detail(false);
    await early.findByText('Not known.');
    expect(early.queryByText('Reload the page to see where')).toBeNull();
  });

  test('a form leads to the form', async () => {
    const { findByText, shown } = detail(
      false,
      registered('search_products', { form: true, places: [] }),
    );
    fireEvent.click(await findByText('the form “search_products”'));
    await waitFor(() => expect(shown).toEqual(['search_products']));
  });

  test('its calls stand in the log, between the agent’s by time, with all that is known', () => {
    const { tell, state } = open();
    const called = (call: string, at: number, by: 'page' | 'other'): PageEntry => ({
      kind: 'called',
      at,
      call,
      tool: 'search_products',
      by,
      elsewhere: false,
      places: by === 'page' ? [CODE] : [],
      ...(by === 'page' && { args: { text: '{"query":"hats"}', length: 16 } }),
    });
    const now = Date.now();
    act(() =>
      tell(
        DOCUMENT,
        [
          called('1', now - 2000, 'page'),
          called('2', now - 1000, 'other'),
          {
            kind: 'ended',
            at: now,
            call: '1',
            outcome: 'error',
            ms: 12,
            said: { text: 'no', length: 9000 },
          },
        ],
        3,
      ),
    );
    const agents = eventsOf('c1', 't1', [{ type: 'step-started', step: 1 }]).map((event) => ({
      ...event,
      at: now - 1500,
    }));
    const all = mergeLog(agents, state.value.page.events);
    expect(all.map(titleOf)).toEqual(['Page called', 'Step', 'Called by others', 'Left out']);
    expect(all.map((event) => lineOf(event))).toEqual([
      'search_products query: hats → 12ms failed: no',
      '1',
      'search_products',
      '3',
    ]);
    const only = (group: LogGroup) => filterLog(all, new Set([group]), '').map(titleOf);
    expect(only('own-call')).toEqual(['Page called', 'Called by others', 'Left out']);
    expect(only('turn')).toEqual(['Step']);
    expect(filterLog(all, new Set(['own-call', 'turn'] as const), 'tools.js')).toHaveLength(1);
    const [first] = state.value.page.events;
    if (!first) throw new Error('no event');
    const text = render(<PageEventDetail event={first} onOpenPlace={undefined} />).container
      .textContent;
    for (const part of [
      'https://shop.example · frame 0',
      'a script of the page',
      'hats',
      'failed · 12ms',
      'The first 2 of 9,000 characters',
      'tools.js:12:5',
    ])
      expect(text).toContain(part);
  });

  test('the page’s words are text', () => {
    const { tell, state } = open();
    const markup = '<img src=x onerror=alert(1)>';
    act(() => tell(DOCUMENT, [registered(markup, { description: markup })], 0));
    const [event] = state.value.page.events;
    if (!event) throw new Error('no event');
    const { container } = render(<PageEventDetail event={event} onOpenPlace={undefined} />);
    expect(container.textContent).toContain(markup);
    expect(container.querySelector('img')).toBeNull();
  });
});

describe('the DevTools panel', () => {
  beforeEach(speakEnglish);
  afterEach(cleanup);

  test('runs a tool from its form, keeps the run and fills it in again', async () => {
    const { findByLabelText, getByText, host, state, container } = open();
    fireEvent.input(await findByLabelText('query'), { target: { value: 'hats' } });
    fireEvent.click(getByText('Run', { selector: 'button.primary' }));
    await waitFor(() => expect(container.textContent).toContain('Done in 7ms'));
    expect(host.askedFor('runTool')).toEqual([
      { tabId: 1, key: 'doc0/search_products', arguments: { query: 'hats', in_stock: true } },
    ]);
    expect(state.value.runs[0]).toMatchObject({ toolName: 'search_products' });
    expect(container.textContent).toContain('Earlier runs (1)');
  });

  test('raw JSON is checked while it is typed and sent with Ctrl+Enter', async () => {
    const { findByText, getByLabelText, host, container } = open();
    fireEvent.click(await findByText('JSON'));
    const box = getByLabelText('Arguments');
    fireEvent.input(box, { target: { value: '{"query": ' } });
    expect(container.textContent).toContain('This is not JSON');
    fireEvent.keyDown(box, { key: 'Enter', ctrlKey: true });
    expect(host.askedFor('runTool')).toEqual([]);
    fireEvent.input(box, { target: { value: '{"query": 3}' } });
    expect(container.querySelector('.problem')?.textContent).toContain('query');
    fireEvent.input(box, { target: { value: '{"query": "hats"}' } });
    expect(container.querySelector('.problem')).toBeNull();
    fireEvent.keyDown(box, { key: 'Enter', ctrlKey: true });
    await waitFor(() =>
      expect(host.askedFor('runTool')).toEqual([
        { tabId: 1, key: 'doc0/search_products', arguments: { query: 'hats' } },
      ]),
    );
  });

  test('arguments are saved for the page’s origin and read again', async () => {
    const { findByLabelText, getByLabelText, stored } = open();
    fireEvent.input(await findByLabelText('query'), { target: { value: 'hats' } });
    const name = getByLabelText('Save these arguments as');
    fireEvent.input(name, { target: { value: 'my hats' } });
    fireEvent.submit(name.closest('form') as HTMLFormElement);
    await waitFor(() =>
      expect(stored.get('https://shop.example')).toEqual([
        {
          toolName: 'search_products',
          label: 'my hats',
          arguments: { query: 'hats', in_stock: true },
        },
      ]),
    );
  });

  test('Ask shows ranking, calls and the exact prompt without running anything', async () => {
    const { getByTestId, findByTestId, host } = open();
    fireEvent.click(getByTestId('dev-ask'));
    fireEvent.input(getByTestId('ask'), { target: { value: 'find hats' } });
    fireEvent.submit(getByTestId('ask').closest('form') as HTMLFormElement);
    const outcome = await findByTestId('ask-outcome');
    expect(outcome.textContent).toContain('The exact prompt.');
    expect(outcome.textContent).toContain('query: hats');
    expect(host.askedFor('preview')).toEqual([{ tabId: 1, ask: 'find hats' }]);
    expect(host.askedFor('runTool')).toEqual([]);
  });

  const RECORDED = JSON.stringify({
    site: 'shop',
    about: 'Shop',
    tools: [{ name: 'search_products', description: 'Search', inputSchema: {} }],
    results: {},
    cases: [
      { id: 'a', ask: 'hats', calls: [{ tool: 'search_products', args: { query: 'hats' } }] },
      { id: 'b', ask: 'boots', calls: [{ tool: 'search_products', args: { query: 'boots' } }] },
    ],
  });

  test('replays recorded cases one after the other and says what differs', async () => {
    const { getByTestId, intents, container, host } = open();
    fireEvent.click(getByTestId('dev-evals'));
    act(() => intents.replay(RECORDED, 'recorded'));
    await waitFor(() => expect(container.textContent).toContain('1 of 2 as recorded'));
    expect(container.textContent).toContain('query: expected "boots", got "hats".');
    expect(host.askedFor('replay')).toMatchObject([
      { tabId: 1, tools: 'recorded', site: { cases: [{ id: 'a' }] } },
      { tabId: 1, tools: 'recorded', site: { cases: [{ id: 'b' }] } },
    ]);
  });

  test('a replay that is stopped shows what it has', async () => {
    const hanging = fakeHost({ ...answers, replay: () => new Promise<never>(() => {}) });
    const { getByTestId, intents, container, host, findByText } = open(hanging);
    fireEvent.click(getByTestId('dev-evals'));
    act(() => intents.replay(RECORDED, 'page'));
    fireEvent.click(await findByText('Stop'));
    await waitFor(() => expect(container.textContent).toContain('0 of 0 as recorded'));
    expect(host.askedFor('replay')).toHaveLength(1);
  });

  test.each([
    ['not json', 'This file holds no eval cases'],
    ['{"site":"x","about":"","results":{},"cases":[]}', 'tools'],
  ])('a file that is no eval says so: %s', async (text, why) => {
    const { getByTestId, intents, findByRole } = open();
    fireEvent.click(getByTestId('dev-evals'));
    act(() => intents.replay(text, 'page'));
    expect((await findByRole('alert')).textContent).toContain(why);
  });

  test('the page’s tools are collected again when they change', async () => {
    const { host, state } = open();
    await waitFor(() => expect(state.value.catalog).not.toBeNull());
    host.push({ push: 'catalog-changed', tabId: 2, tools: 1 });
    host.push({ push: 'catalog-changed', tabId: 1, tools: 7 });
    await waitFor(() => expect(host.askedFor('catalog')).toHaveLength(2));
  });
});

describe('what a developer takes away', () => {
  beforeEach(speakEnglish);

  test('snippets are code, whatever a page calls its tools', () => {
    const name = '"); alert(1); ("';
    const code = executeSnippet(name, { q: '</script>' });
    expect(code).toContain(JSON.stringify(name));
    const register = registerSnippet({ name, description: 'Line\nbreak' });
    expect(register).toContain(JSON.stringify(name));
    expect(() => new Function(`async () => { ${code} ${register} }`)).not.toThrow();
  });

  test('the readiness report fences what the page wrote', () => {
    const report = toMarkdown('https://a.example', [
      {
        rule: 'vague-description',
        severity: 'warning',
        tool: 'a`b',
        values: ['x'],
        rewrite: '```\n# not a heading',
      },
    ]);
    expect(report).toContain('````\n```\n# not a heading\n````');
    expect(report).toContain('`ab`');
  });

  test('tools are sorted by cost and name without touching the list', () => {
    const names = (by: Parameters<typeof sortTools>[1]) =>
      sortTools(SHOP_TOOLS, by).map(({ tool }) => tool.name);
    expect(names('name')[0]).toBe('add_to_cart');
    expect(names('bytes')[0]).toBe('place_order');
    expect(names('page').at(-1)).toBe('rate');
    expect(SHOP_TOOLS[0]?.tool.name).toBe('search_products');
  });

  test.each([
    [undefined, 'ruleChanges'],
    [{ readOnlyHint: true }, 'ruleReadOnly'],
    [{ readOnlyHint: true, consequentialHint: true }, 'ruleConsequential'],
    [{ debugging: true, readOnlyHint: true }, 'ruleDebugging'],
  ])('hints %j mean %s', (annotations, rule) => {
    expect(approvalRule({ name: 'look', description: 'Looks', annotations })).toBe(rule);
    expect(approvalRule({ name: 'delete_it', description: 'Looks', annotations })).not.toBe(
      'ruleReadOnly',
    );
  });

  test('stored arguments that do not fit are forgotten', async () => {
    const items: Record<string, unknown> = { 'devtools-inputs https://a.example': [{ label: 1 }] };
    const area = {
      get: async (key: string) => ({ [key]: items[key] }),
      set: async (next: Record<string, unknown>) => {
        Object.assign(items, next);
      },
    };
    expect(await readInputs(area, 'https://a.example')).toEqual([]);
    const input = { toolName: 'x', label: 'y', arguments: { a: 1 } };
    await writeInputs(area, 'https://a.example', [input]);
    expect(await readInputs(area, 'https://a.example')).toEqual([input]);
    expect(await readInputs(area, 'https://b.example')).toEqual([]);
  });
});
