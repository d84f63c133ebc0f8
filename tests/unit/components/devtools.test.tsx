// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { approvalRule } from '../../../components/devtools/approval-rule';
import { Devtools } from '../../../components/devtools/Devtools';
import { createDevtools, type DevtoolsPorts } from '../../../components/devtools/panel';
import { toMarkdown } from '../../../components/devtools/readiness-text';
import { compareReplay, readEvalFile } from '../../../components/devtools/replay';
import { readInputs, writeInputs } from '../../../components/devtools/saved-inputs';
import { executeSnippet, registerSnippet } from '../../../components/devtools/snippets';
import { sortTools } from '../../../components/devtools/sort';
import type { SavedInput } from '../../../components/devtools/state';
import { SHOP, SHOP_TOOLS } from '../../../entrypoints/gallery/fixtures/tools';
import type { Preview } from '../../../lib/messages/host-api';
import { Settings } from '../../../lib/settings/settings';
import { speakEnglish } from './english';
import { fakeHost, snapshot } from './fake-host';

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
};

function open(host = fakeHost(answers)) {
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
  const View = () => <Devtools state={state.value} intents={intents} start={{ view: 'run' }} />;
  return { ...render(<View />), host, state, intents, saved, stored, shown, tell };
}

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

  test('replays recorded cases one after the other and says what differs', async () => {
    const { getByTestId, intents, container, host } = open();
    fireEvent.click(getByTestId('dev-evals'));
    act(() =>
      intents.replay(
        JSON.stringify({
          cases: [
            { id: 'a', ask: 'hats', calls: [{ tool: 'search_products', args: { query: 'hats' } }] },
            {
              id: 'b',
              ask: 'boots',
              calls: [{ tool: 'search_products', args: { query: 'boots' } }],
            },
          ],
        }),
      ),
    );
    await waitFor(() => expect(container.textContent).toContain('1 of 2 as recorded'));
    expect(container.textContent).toContain('query: expected "boots", got "hats".');
    expect(host.askedFor('preview')).toHaveLength(2);
  });

  test('a file that is no eval says so', async () => {
    const { getByTestId, intents, findByRole } = open();
    fireEvent.click(getByTestId('dev-evals'));
    act(() => intents.replay('not json'));
    expect((await findByRole('alert')).textContent).toContain('This file holds no eval cases');
  });

  test('the page’s tools are collected again when they change', async () => {
    const { host, state } = open();
    await waitFor(() => expect(state.value.catalog).not.toBeNull());
    host.push({ push: 'catalog-changed', tabId: 2, tools: 1 });
    host.push({ push: 'catalog-changed', tabId: 1, tools: 7 });
    await waitFor(() => expect(host.askedFor('catalog')).toHaveLength(2));
  });
});

describe('replaying an eval', () => {
  const recorded = (args: Record<string, never>, calls: Preview['calls']) =>
    compareReplay(
      { caseId: '', ask: 'x', expected: { tool: 'find', args, optional: ['page'] } },
      calls,
    ).differences;
  const call = (args: Record<string, unknown>): Preview['calls'] => [
    { engine: 'instant', call: { name: 'find', arguments: args as never }, text: '' },
  ];

  test.each<[unknown, unknown]>([
    ['Hats ', 'hats'],
    [3, 3],
    [{ equals: [1] }, [1]],
    [{ oneOf: ['a', 'b'] }, 'b'],
    [{ contains: ['wool'] }, 'warm Wool hat'],
    [{ min: 1, max: 3 }, 2],
    [{ date: '2026-12-01' }, '2026-12-01T10:00'],
    [{ time: '10:00' }, '2026-12-01T10:00'],
  ])('%j fits %j', (matcher, value) => {
    expect(recorded({ q: matcher } as never, call({ q: value }))).toEqual([]);
  });

  test.each<[unknown, unknown]>([
    ['hats', 'boots'],
    [3, '3'],
    [{ oneOf: ['a'] }, 'b'],
    [{ contains: ['wool', 'red'] }, 'wool'],
    [{ min: 1, max: 3 }, 4],
    [{ date: '2026-12-01' }, '2026-12-02'],
  ])('%j does not fit %j', (matcher, value) => {
    expect(recorded({ q: matcher } as never, call({ q: value }))).toMatchObject([
      { kind: 'value', argument: 'q' },
    ]);
  });

  test('names what is missing, what is too much, and what may be there', () => {
    expect(recorded({ q: 'a' } as never, call({ page: 2, extra: 1 }))).toEqual([
      { kind: 'missing', argument: 'q' },
      { kind: 'unexpected', argument: 'extra' },
    ]);
  });

  test('no call where one was recorded', () => {
    expect(recorded({} as never, [])).toEqual([{ kind: 'tool', expected: 'find', got: '' }]);
  });

  test('reads single cases and conversations', () => {
    expect(readEvalFile('{"id":"a","turns":[{"ask":"one"},{"ask":"two","calls":[]}]}')).toEqual([
      { caseId: 'a', ask: 'one', expected: null },
      { caseId: 'a', ask: 'two', expected: null },
    ]);
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
    expect(approvalRule(annotations)).toBe(rule);
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
