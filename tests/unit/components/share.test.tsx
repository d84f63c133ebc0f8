// @vitest-environment happy-dom

import { cleanup, fireEvent, render, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPanel } from '../../../components/sidepanel/panel';
import type { PanelTab } from '../../../components/sidepanel/ports';
import { SidePanel } from '../../../components/sidepanel/SidePanel';
import { NO_BROWSER } from '../../../entrypoints/gallery/fixtures/ports';
import type { Snapshot } from '../../../lib/messages/host-api';
import { speakEnglish } from './english';
import { conversation, emptyCatalog, eventsOf, fakeHost, IDLE, snapshot } from './fake-host';

const TAB_A: PanelTab = { id: 1, title: 'Shop', url: 'https://shop.example/' };
const TAB_B: PanelTab = { id: 2, title: 'Maps', url: 'https://maps.example/' };

const answers = {
  watch: (params: unknown) => {
    const { tabId } = params as { tabId: number };
    return snapshot(`c${tabId}`, tabId);
  },
  catalog: (params: unknown) => emptyCatalog((params as { tabId: number }).tabId),
  newConversation: () => snapshot('fresh', 1),
};

/** Does what it is told, as the real host does. */
function share(params: unknown): Snapshot {
  const { tabId, ...shared } = params as { tabId: number; text: boolean; selection: boolean };
  return {
    conversation: { ...conversation(`c${tabId}`, tabId), shared },
    events: [],
    status: IDLE,
  };
}

async function open(host: ReturnType<typeof fakeHost>) {
  let show: (tab: PanelTab | null) => void = () => undefined;
  const { state, ...panel } = createPanel(
    {
      host: host.client,
      followTab: (listener) => {
        show = listener;
        listener(TAB_A);
      },
      ...NO_BROWSER,
    },
    new AbortController().signal,
  );
  const View = () => <SidePanel state={state.value} panel={panel} onOptions={() => undefined} />;
  const view = render(<View />);
  await waitFor(() => expect(state.value.conversation).not.toBeNull());
  const press = (id: string) => fireEvent.click(view.getByTestId(id));
  const isOn = (id: string) => view.getByTestId(id).getAttribute('aria-checked');
  return { ...view, state, panel, press, isOn, show: (tab: PanelTab) => show(tab) };
}

describe('sharing the page with the model', () => {
  beforeEach(speakEnglish);
  afterEach(cleanup);

  test('nothing is shared until a switch is on, and each switch is its own', async () => {
    const host = fakeHost({ ...answers, share });
    const { press, isOn, queryByTestId, getByTestId } = await open(host);
    expect(queryByTestId('share-state')).toBeNull();
    press('share');
    expect([isOn('share-text'), isOn('share-selection')]).toEqual(['false', 'false']);
    press('share-text');
    await waitFor(() => expect(isOn('share-text')).toBe('true'));
    expect(isOn('share-selection')).toBe('false');
    expect(host.askedFor('share')).toEqual([{ tabId: 1, text: true, selection: false }]);
    press('share');
    expect(getByTestId('share-state').textContent).toBe('The model may read: Page text');
  });

  test('two quick clicks switch both on', async () => {
    const host = fakeHost({ ...answers, share });
    const { press, isOn } = await open(host);
    press('share');
    press('share-text');
    press('share-selection');
    await waitFor(() => expect(isOn('share-selection')).toBe('true'));
    expect(isOn('share-text')).toBe('true');
  });

  test('a switch shows what the host did, not what was clicked', async () => {
    let refuse = true;
    const host = fakeHost({
      ...answers,
      share: (params) =>
        refuse ? Promise.reject(new Error('The host is not running.')) : share(params),
    });
    const { press, isOn, findByRole } = await open(host);
    press('share');
    press('share-text');
    expect((await findByRole('alert')).textContent).toContain('The host is not running.');
    expect(isOn('share-text')).toBe('false');
    refuse = false;
    press('share-text');
    await waitFor(() => expect(isOn('share-text')).toBe('true'));
  });

  test('one click stops all sharing and leaves the focus at the control', async () => {
    const host = fakeHost({ ...answers, share });
    const { panel, press, findByTestId, queryByTestId, getByTestId } = await open(host);
    panel.chat.share({ text: true, selection: true });
    await findByTestId('share-state');
    press('share-stop');
    await waitFor(() => expect(queryByTestId('share-state')).toBeNull());
    expect(host.askedFor('share').at(-1)).toEqual({ tabId: 1, text: false, selection: false });
    expect(document.activeElement).toBe(getByTestId('share'));
  });

  test('what is shared stays with its conversation', async () => {
    const host = fakeHost({ ...answers, share });
    const { panel, press, show, state, findByTestId, queryByTestId } = await open(host);
    panel.chat.share({ text: true });
    await findByTestId('share-state');
    press('new-chat');
    await waitFor(() => expect(state.value.conversation?.id).toBe('fresh'));
    expect(queryByTestId('share-state')).toBeNull();
    show(TAB_B);
    await waitFor(() => expect(state.value.conversation?.id).toBe('c2'));
    expect(queryByTestId('share-state')).toBeNull();
  });

  test('an answer that comes after the tab was left changes nothing there', async () => {
    let answer: () => void = () => undefined;
    const host = fakeHost({
      ...answers,
      share: (params) =>
        new Promise((done) => {
          answer = () => done(share(params));
        }),
    });
    const { panel, show, state, queryByTestId } = await open(host);
    panel.chat.share({ text: true });
    await waitFor(() => expect(host.askedFor('share').length).toBe(1));
    show(TAB_B);
    await waitFor(() => expect(state.value.conversation?.id).toBe('c2'));
    answer();
    await new Promise((done) => setTimeout(done));
    expect(state.value.conversation?.id).toBe('c2');
    expect(queryByTestId('share-state')).toBeNull();
  });

  test('events that came meanwhile stay', async () => {
    const host = fakeHost({ ...answers, share });
    const { panel, state, findByTestId } = await open(host);
    host.push({
      push: 'events',
      conversationId: 'c1',
      events: eventsOf('c1', 't1', [{ type: 'notice', level: 'info', text: 'Dropped a tool.' }]),
    });
    panel.chat.share({ text: true });
    await findByTestId('share-state');
    expect(state.value.events.length).toBe(1);
  });

  test('Escape closes the switches and stops no turn', async () => {
    const host = fakeHost({ ...answers, share, stop: () => null });
    const { press, getByTestId, queryByTestId, state } = await open(host);
    host.push({
      push: 'status',
      status: { ...IDLE, busy: { tabId: 1, conversationId: 'c1', turnId: 't1' } },
    });
    await waitFor(() => expect(state.value.status?.busy).not.toBeNull());
    press('share');
    await waitFor(() => expect(document.activeElement).toBe(getByTestId('share-text')));
    fireEvent.keyDown(getByTestId('share-text'), { key: 'Escape' });
    expect(queryByTestId('share-text')).toBeNull();
    expect(document.activeElement).toBe(getByTestId('share'));
    expect(host.askedFor('stop')).toEqual([]);
  });
});
