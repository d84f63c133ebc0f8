// @vitest-environment happy-dom
import { cleanup, fireEvent, render, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPanel } from '../../../components/sidepanel/panel';
import type { PanelTab } from '../../../components/sidepanel/ports';
import { SidePanel } from '../../../components/sidepanel/SidePanel';
import { SHOP } from '../../../entrypoints/gallery/fixtures/tools';
import { INVALID } from '../../../entrypoints/gallery/fixtures/turns';
import type { EndReason } from '../../../lib/agent/events';
import { Settings } from '../../../lib/settings/settings';
import { speakEnglish } from './english';
import { conversation, emptyCatalog, eventsOf, fakeHost, IDLE, snapshot } from './fake-host';

const TAB_A: PanelTab = { id: 1, title: 'Shop', url: 'https://shop.example/' };
const TAB_B: PanelTab = { id: 2, title: 'Maps', url: 'https://maps.example/' };

const STARTED = {
  type: 'turn-started',
  ask: 'find boots',
  tabId: 1,
  url: 'https://shop.example/',
  engine: 'instant',
} as const;
const TOOL = {
  key: 'd/add',
  name: 'add_to_cart',
  title: 'Add to cart',
  origin: 'https://shop.example',
};
const WAITS = eventsOf('c1', 't1', [
  STARTED,
  {
    type: 'call-proposed',
    step: 1,
    callId: 'k1',
    tool: TOOL,
    arguments: { sku: 'B-7', qty: 2 },
    deferred: false,
    readOnly: false,
    consequential: false,
    fixes: [],
    unsourced: [],
    unchecked: [],
  },
  { type: 'approval-asked', callId: 'k1', reason: 'changes', canRemember: true },
]);

function open(host: ReturnType<typeof fakeHost>) {
  const closing = new AbortController();
  let show: (tab: PanelTab | null) => void = () => undefined;
  const saved: string[] = [];
  const shownTabs: number[] = [];
  let settings = Settings.parse({});
  const { state, ...panel } = createPanel(
    {
      host: host.client,
      followTab: (listener) => {
        show = listener;
        listener(TAB_A);
      },
      followSettings: (listener) => listener(settings),
      updateSettings: async (change) => {
        settings = change(settings);
        return settings;
      },
      tabTitle: async () => 'Other tab',
      showTab: async (tabId) => void shownTabs.push(tabId),
      reloadTab: async () => undefined,
      importModel: async (files) => `file:${files[0]?.name}`,
      drafts: { load: async () => ({}), save: async () => {} },
      save: (filename) => saved.push(filename),
    },
    closing.signal,
  );
  const View = () => <SidePanel state={state.value} panel={panel} onOptions={() => undefined} />;
  const view = render(<View />);
  return { ...view, state, panel, saved, shownTabs, show, closing, settings: () => settings };
}

const answers = {
  watch: (params: unknown) => {
    const { tabId } = params as { tabId: number };
    return snapshot(`c${tabId}`, tabId);
  },
  catalog: (params: unknown) => emptyCatalog((params as { tabId: number }).tabId),
  ask: () => ({ turnId: 't1' }),
  stop: () => null,
  answerApproval: () => ({ problems: [] }),
  exportConversation: () => ({ filename: 'trace.json', text: '{}' }),
};

describe('the side panel', () => {
  beforeEach(speakEnglish);
  afterEach(cleanup);

  test('Enter sends the message for the active tab, Shift+Enter does not', async () => {
    const host = fakeHost(answers);
    const { getByTestId } = open(host);
    const composer = getByTestId('composer') as HTMLTextAreaElement;
    fireEvent.input(composer, { target: { value: 'find boots' } });
    fireEvent.keyDown(composer, { key: 'Enter', shiftKey: true });
    expect(host.askedFor('ask')).toEqual([]);
    fireEvent.keyDown(composer, { key: 'Enter' });
    await waitFor(() => expect(host.askedFor('ask')).toEqual([{ tabId: 1, text: 'find boots' }]));
    expect(composer.value).toBe('');
  });

  test('Enter that chooses an input method’s candidate sends nothing', () => {
    const host = fakeHost(answers);
    const { getByTestId } = open(host);
    const composer = getByTestId('composer');
    fireEvent.input(composer, { target: { value: 'かばん' } });
    fireEvent.keyDown(composer, { key: 'Enter', isComposing: true });
    expect(host.askedFor('ask')).toEqual([]);
  });

  test('a request that waits shows its place as the line moves, without an event', async () => {
    const queued = eventsOf('c1', 't1', [
      STARTED,
      { type: 'turn-queued', position: 3, busyTabId: 9 },
    ]);
    const host = fakeHost({ ...answers, watch: () => snapshot('c1', 1, queued) });
    const { findByText, queryByText } = open(host);
    await findByText('Waiting, number 3 in line');
    const line = (conversationId: string) => ({ tabId: 1, conversationId });
    const status = { ...IDLE, queue: [line('c7'), line('c1')] };
    host.push({ push: 'status', status });
    await findByText('Waiting, number 2 in line');
    expect(queryByText('Waiting, number 3 in line')).toBeNull();
  });

  test('an approval shows every argument, focuses Deny and sends the decision', async () => {
    const host = fakeHost({ ...answers, watch: () => snapshot('c1', 1, WAITS) });
    const { findByTestId, getByTestId } = open(host);
    const card = await findByTestId('call-card');
    expect(card.dataset).toMatchObject({ state: 'awaiting-approval', tool: 'add_to_cart' });
    expect(card.textContent).toContain('sku');
    expect(card.textContent).toContain('B-7');
    expect(card.textContent).toContain('https://shop.example');
    expect(document.activeElement).toBe(getByTestId('deny'));
    fireEvent.change(getByTestId('remember'), { target: { value: 'chat' } });
    fireEvent.click(getByTestId('approve'));
    await waitFor(() =>
      expect(host.askedFor('answerApproval')).toEqual([
        { callId: 'k1', decision: 'allow', remember: true, scope: 'chat' },
      ]),
    );
  });

  test('an approval leaves the focus where someone is typing', async () => {
    const host = fakeHost(answers);
    const { getByTestId, findByTestId, state } = open(host);
    await waitFor(() => expect(state.value.conversation?.id).toBe('c1'));
    const composer = getByTestId('composer');
    composer.focus();
    fireEvent.input(composer, { target: { value: 'and then' } });
    host.push({ push: 'events', conversationId: 'c1', events: WAITS });
    await findByTestId('approve');
    expect(document.activeElement).toBe(composer);
  });

  test('Escape stops the running turn, and what was said stays', async () => {
    const host = fakeHost({
      ...answers,
      watch: () =>
        snapshot('c1', 1, [
          ...eventsOf('c1', 't1', [
            STARTED,
            { type: 'text', step: 1, channel: 'prose', text: 'Looking for boots' },
          ]),
        ]),
    });
    const { findByTestId, getByTestId, container } = open(host);
    await findByTestId('stop');
    fireEvent.keyDown(getByTestId('composer'), { key: 'Escape' });
    await waitFor(() => expect(host.askedFor('stop')).toEqual([{ conversationId: 'c1' }]));
    expect(container.textContent).toContain('Looking for boots');
  });

  test('a draft belongs to its tab', async () => {
    const host = fakeHost(answers);
    const { getByTestId, show } = open(host);
    const text = () => (getByTestId('composer') as HTMLTextAreaElement).value;
    fireEvent.input(getByTestId('composer'), { target: { value: 'boots in 42' } });
    show(TAB_B);
    await waitFor(() => expect(text()).toBe(''));
    fireEvent.input(getByTestId('composer'), { target: { value: 'a way home' } });
    show(TAB_A);
    await waitFor(() => expect(text()).toBe('boots in 42'));
  });

  const ended = (reason: EndReason) =>
    eventsOf('c1', 't1', [
      STARTED,
      { type: 'text', step: 1, channel: 'prose', text: 'Here they are.' },
      { type: 'turn-ended', reason, message: '', remedies: [], steps: 1 },
    ]);

  test('Enter during a turn keeps the message in sight and sends it after the answer', async () => {
    const host = fakeHost({
      ...answers,
      watch: () => snapshot('c1', 1, ended('answered').slice(0, 1)),
    });
    const { findByTestId, getByTestId, queryByTestId } = open(host);
    await findByTestId('stop');
    const composer = getByTestId('composer') as HTMLTextAreaElement;
    fireEvent.input(composer, { target: { value: 'and socks' } });
    fireEvent.keyDown(composer, { key: 'Enter' });
    expect((await findByTestId('next')).textContent).toContain('and socks');
    expect(composer.value).toBe('');
    expect(host.askedFor('ask')).toEqual([]);
    host.push({ push: 'events', conversationId: 'c1', events: ended('answered') });
    await waitFor(() => expect(host.askedFor('ask')).toEqual([{ tabId: 1, text: 'and socks' }]));
    await waitFor(() => expect(queryByTestId('next')).toBeNull());
  });

  test('after Stop the waiting message is back in the composer', async () => {
    const host = fakeHost({
      ...answers,
      watch: () => snapshot('c1', 1, ended('stopped').slice(0, 1)),
    });
    const { findByTestId, getByTestId, queryByTestId } = open(host);
    await findByTestId('stop');
    const composer = getByTestId('composer') as HTMLTextAreaElement;
    fireEvent.input(composer, { target: { value: 'and socks' } });
    fireEvent.keyDown(composer, { key: 'Enter' });
    await findByTestId('next');
    fireEvent.input(composer, { target: { value: 'or hats' } });
    host.push({ push: 'events', conversationId: 'c1', events: ended('stopped') });
    await waitFor(() => expect(composer.value).toBe('and socks\nor hats'));
    expect(queryByTestId('next')).toBeNull();
    expect(host.askedFor('ask')).toEqual([]);
  });

  test('Escape is heard wherever the focus is', async () => {
    const host = fakeHost({
      ...answers,
      watch: () => snapshot('c1', 1, ended('stopped').slice(0, 1)),
    });
    const { findByTestId } = open(host);
    await findByTestId('stop');
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await waitFor(() => expect(host.askedFor('stop')).toEqual([{ conversationId: 'c1' }]));
  });

  test('follows the tab, and pushes of the tab that was left change nothing', async () => {
    const host = fakeHost(answers);
    const { state, show, container } = open(host);
    await waitFor(() => expect(state.value.conversation?.id).toBe('c1'));
    show(TAB_B);
    await waitFor(() => expect(state.value.conversation?.id).toBe('c2'));
    host.push({ push: 'events', conversationId: 'c1', events: WAITS });
    expect(state.value.events).toEqual([]);
    expect(container.textContent).not.toContain('find boots');
  });

  test('a snapshot of the old tab that arrives late is dropped', async () => {
    const late: (() => void)[] = [];
    const host = fakeHost({
      ...answers,
      watch: (params) => {
        const { tabId } = params as { tabId: number };
        const answer = snapshot(`c${tabId}`, tabId);
        if (tabId !== 1) return answer;
        return new Promise((resolve) => late.push(() => resolve(answer)));
      },
    });
    const { state, show } = open(host);
    show(TAB_B);
    await waitFor(() => expect(state.value.conversation?.id).toBe('c2'));
    for (const arrive of late) arrive();
    await Promise.resolve();
    expect(state.value.conversation?.id).toBe('c2');
  });

  test('an event that comes in a snapshot and again as a push is shown once', async () => {
    const host = fakeHost({ ...answers, watch: () => snapshot('c1', 1, WAITS) });
    const { state } = open(host);
    await waitFor(() => expect(state.value.events).toHaveLength(3));
    host.push({ push: 'events', conversationId: 'c1', events: WAITS.slice(1) });
    expect(state.value.events).toHaveLength(3);
  });

  test('says which tab the model is busy with', async () => {
    const host = fakeHost(answers);
    const { state, container } = open(host);
    await waitFor(() => expect(state.value.conversation?.id).toBe('c1'));
    host.push({
      push: 'status',
      status: { ...IDLE, busy: { tabId: 9, conversationId: 'c9', turnId: 't9' } },
    });
    await waitFor(() => expect(container.textContent).toContain('busy with “Other tab”'));
  });

  test.each([
    { waitsFor: 'approval', says: 'waits for your decision' },
    { waitsFor: 'question', says: 'has a question for you' },
  ] as const)('says in any tab that another one waits ($waitsFor), and goes there', async (one) => {
    const host = fakeHost(answers);
    const { state, findByTestId, findByText, shownTabs, getByTestId, queryByTestId } = open(host);
    await waitFor(() => expect(state.value.conversation?.id).toBe('c1'));
    const busy = { tabId: 9, conversationId: 'c9', turnId: 't9' };
    host.push({ push: 'status', status: { ...IDLE, busy: { ...busy, waitsFor: one.waitsFor } } });
    fireEvent.click(getByTestId('tab-log'));
    expect((await findByText(one.says, { exact: false })).textContent).toContain('Other tab');
    fireEvent.click(await findByTestId('go-there'));
    await waitFor(() => expect(shownTabs).toEqual([9]));
    host.push({ push: 'status', status: { ...IDLE, busy } });
    await waitFor(() => expect(queryByTestId('elsewhere')).toBeNull());
  });

  test('leads back to the conversation that works in the same tab', async () => {
    const host = fakeHost({ ...answers, openConversation: () => snapshot('c9', 1, WAITS) });
    const { state, findByTestId, queryByTestId } = open(host);
    await waitFor(() => expect(state.value.conversation?.id).toBe('c1'));
    const busy = { tabId: 1, conversationId: 'c9', turnId: 't9' };
    host.push({ push: 'status', status: { ...IDLE, busy } });
    fireEvent.click(await findByTestId('go-there'));
    await waitFor(() => expect(state.value.conversation?.id).toBe('c9'));
    expect(queryByTestId('elsewhere')).toBeNull();
  });

  test('a search waits until the word is typed, and the last one counts', async () => {
    const late: (() => void)[] = [];
    const host = fakeHost({
      ...answers,
      listConversations: (params) => {
        const { search } = params as { search?: string };
        const found = [conversation(search ?? 'all', 1)];
        if (search !== 'ca') return found;
        return new Promise((resolve) => late.push(() => resolve(found)));
      },
    });
    const { panel, state } = open(host);
    panel.history.search('');
    await waitFor(() => expect(state.value.history[0]?.id).toBe('all'));
    panel.history.search('c');
    panel.history.search('ca');
    await waitFor(() => expect(late).toHaveLength(1));
    panel.history.search('cap');
    await waitFor(() => expect(state.value.history[0]?.id).toBe('cap'));
    late[0]?.();
    await new Promise((resolve) => setTimeout(resolve));
    expect(state.value.history[0]?.id).toBe('cap');
    expect(host.askedFor('listConversations')).toEqual([{}, { search: 'ca' }, { search: 'cap' }]);
  });

  test('says how much of an imported file could not be read', async () => {
    const host = fakeHost({
      ...answers,
      importConversation: () => ({ conversationId: 'c7', skipped: 3 }),
      openConversation: () => snapshot('c7', 1),
      listConversations: () => [],
    });
    const { panel, findByText } = open(host);
    panel.history.import('{}');
    await findByText(/could not be read/);
  });

  test('“Fill in the form” looks for the tool that went wrong', async () => {
    const host = fakeHost({
      ...answers,
      watch: () => snapshot('c1', 1, INVALID),
      catalog: () => SHOP,
    });
    const { findByText, findByLabelText } = open(host);
    fireEvent.click(await findByText('Fill in the form'));
    expect(((await findByLabelText('Search tools')) as HTMLInputElement).value).toBe('add_to_cart');
  });

  test('when the host cannot be reached, one click tries again', async () => {
    let broken = true;
    const host = fakeHost({
      ...answers,
      watch: () =>
        broken ? Promise.reject(new Error('The host is not running.')) : snapshot('c1', 1),
    });
    const { findByText, state } = open(host);
    const again = await findByText('Try again');
    broken = false;
    fireEvent.click(again);
    await waitFor(() => expect(state.value.conversation?.id).toBe('c1'));
    expect(state.value.problem).toBeNull();
  });

  test('a new chat that comes after the tab was left is not shown in the next tab', async () => {
    let answer: () => void = () => undefined;
    const host = fakeHost({
      ...answers,
      newConversation: () =>
        new Promise((done) => {
          answer = () => done(snapshot('fresh', 1));
        }),
    });
    const { panel, state, show } = open(host);
    await waitFor(() => expect(state.value.conversation?.id).toBe('c1'));
    panel.newChat();
    show(TAB_B);
    await waitFor(() => expect(state.value.conversation?.id).toBe('c2'));
    answer();
    await new Promise((done) => setTimeout(done));
    expect(state.value.conversation?.id).toBe('c2');
  });

  test('what the host refuses is said in its own words', async () => {
    const host = fakeHost({
      ...answers,
      ask: () => Promise.reject(new Error('The page is gone. Open it again.')),
    });
    const { getByTestId, findByRole } = open(host);
    fireEvent.input(getByTestId('composer'), { target: { value: 'x' } });
    fireEvent.click(getByTestId('send'));
    expect((await findByRole('alert')).textContent).toContain('The page is gone. Open it again.');
  });

  test('hiding a tool is kept for the page’s origin and nothing else', async () => {
    const host = fakeHost(answers);
    const { panel, state, settings } = open(host);
    await waitFor(() => expect(state.value.catalog).not.toBeNull());
    panel.setExposure({ name: 'constructor', origin: 'https://shop.example' }, 'hidden');
    await waitFor(() =>
      expect(Object.entries(settings().sites)).toEqual([
        ['https://shop.example', { defer: 'auto', tools: { constructor: 'hidden' } }],
      ]),
    );
    panel.setExposure({ name: 'constructor', origin: 'https://shop.example' }, 'auto');
    await waitFor(() =>
      expect(settings().sites['https://shop.example']).toEqual({ defer: 'auto', tools: {} }),
    );
  });

  test('a tool of a frame is kept for the frame’s origin', async () => {
    const host = fakeHost(answers);
    const { panel, state, settings } = open(host);
    await waitFor(() => expect(state.value.catalog).not.toBeNull());
    panel.setExposure({ name: 'rate', origin: 'https://ratings.example' }, 'direct');
    await waitFor(() =>
      expect(settings().sites['https://ratings.example']?.tools).toEqual({ rate: 'direct' }),
    );
  });

  test('exports a trace of the shown conversation', async () => {
    const host = fakeHost(answers);
    const { panel, state, saved } = open(host);
    await waitFor(() => expect(state.value.conversation).not.toBeNull());
    panel.exportTrace();
    await waitFor(() => expect(saved).toEqual(['trace.json']));
    expect(host.askedFor('exportConversation')).toEqual([
      { conversationId: 'c1', format: 'trace' },
    ]);
  });
});
