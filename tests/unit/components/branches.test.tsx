// @vitest-environment happy-dom
import { cleanup, fireEvent, render, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Transcript } from '../../../components/chat/Transcript';
import { createPanel } from '../../../components/sidepanel/panel';
import { SidePanel } from '../../../components/sidepanel/SidePanel';
import { NO_BROWSER } from '../../../entrypoints/gallery/fixtures/ports';
import { SHOP } from '../../../entrypoints/gallery/fixtures/tools';
import type { AgentEvent, EventBody } from '../../../lib/agent/events';
import { foldTranscript } from '../../../lib/agent/transcript';
import { speakEnglish } from './english';
import { emptyCatalog, eventsOf, fakeHost, snapshot } from './fake-host';

beforeEach(speakEnglish);
afterEach(cleanup);

const started = (ask: string, after?: string): EventBody => ({
  type: 'turn-started',
  ask,
  tabId: 1,
  url: '',
  engine: 'instant',
  ...(after === undefined ? {} : { after }),
});
const END: EventBody = {
  type: 'turn-ended',
  reason: 'answered',
  message: '',
  remedies: [],
  steps: 1,
};
const did = (callId: string): EventBody[] => [
  {
    type: 'call-proposed',
    step: 1,
    callId,
    tool: { key: 'd/add', name: 'add_to_cart', origin: 'https://shop.example' },
    arguments: {},
    deferred: false,
    readOnly: false,
    consequential: false,
    fixes: [],
    unsourced: [],
    unchecked: [],
  },
  { type: 'call-started', callId },
  { type: 'call-finished', callId, ok: true, result: 'ok', shown: 'ok', ms: 1, mayHaveRun: false },
];

/** Three caps were put into the cart; then the message was edited. */
const EDITED: AgentEvent[] = [
  ...eventsOf('c1', 't1', [started('add three caps'), ...did('a'), ...did('b'), ...did('c'), END]),
  ...eventsOf('c1', 't2', [started('view the cart', ''), END]),
];

function open() {
  const host = fakeHost({
    watch: () => snapshot('c1', 1, EDITED),
    catalog: () => emptyCatalog(1),
    ask: () => ({ turnId: 't3' }),
    retry: () => ({ turnId: 't3' }),
  });
  const closing = new AbortController();
  const tab = { id: 1, title: 'Shop', url: 'https://shop.example/' };
  const { state, ...panel } = createPanel(
    { ...NO_BROWSER, host: host.client, followTab: (listener) => listener(tab) },
    closing.signal,
  );
  const View = () => <SidePanel state={state.value} panel={panel} onOptions={() => undefined} />;
  return { host, ...render(<View />) };
}

test('what an earlier version did is said, and the version can be gone back to', async () => {
  const { host, findByTestId, getByLabelText, getByTestId, getAllByTestId, container } = open();
  expect((await findByTestId('done-elsewhere')).textContent).toMatch(/Add to cart.* \(3\)/);
  expect(getAllByTestId('turn')).toHaveLength(1);
  expect(getByTestId('versions').textContent).toBe('2/2');
  fireEvent.click(getByLabelText('Version before'));
  await waitFor(() => expect(getByTestId('versions').textContent).toBe('1/2'));
  expect(container.textContent).toContain('add three caps');
  const composer = getByTestId('composer');
  fireEvent.input(composer, { target: { value: 'and a hat' } });
  fireEvent.keyDown(composer, { key: 'Enter' });
  await waitFor(() =>
    expect(host.askedFor('ask')).toEqual([{ tabId: 1, text: 'and a hat', after: 't1' }]),
  );
});

test('asking again what changed something is said to change it again', async () => {
  const { host, findByLabelText, findByTestId } = open();
  fireEvent.click(await findByLabelText('Version before'));
  await waitFor(async () => expect((await findByTestId('versions')).textContent).toBe('1/2'));
  fireEvent.click(await findByTestId('retry'));
  const again = await findByTestId('retry-sure');
  expect(host.askedFor('retry')).toEqual([]);
  fireEvent.click(again);
  await waitFor(() => expect(host.askedFor('retry')).toHaveLength(1));
});

test('a changed tool redraws no turn that does not name it, and a long conversation opens at its end', () => {
  const turns = foldTranscript(
    Array.from({ length: 100 }, (_, n) =>
      eventsOf('c1', `t${n}`, [started(`ask ${n}`), END]),
    ).flat(),
  );
  const intents = {} as Parameters<typeof Transcript>[0]['intents'];
  let drawn = 0;
  const counted = turns.map((turn) =>
    Object.defineProperty({ ...turn }, 'ask', {
      get: () => {
        drawn++;
        return turn.ask;
      },
    }),
  );
  const view = render(<Transcript turns={counted} listed={SHOP.listed} intents={intents} />);
  expect(view.getAllByTestId('turn')).toHaveLength(30);
  const [first, ...others] = SHOP.listed;
  if (!first) throw new Error('no tool');
  const changed = [{ ...first, bytes: first.bytes + 1 }, ...others];
  expect(drawn).toBeGreaterThan(0);
  drawn = 0;
  view.rerender(<Transcript turns={counted} listed={changed} intents={intents} />);
  expect(drawn).toBe(0);
  fireEvent.click(view.getByTestId('earlier'));
  expect(view.getAllByTestId('turn')).toHaveLength(80);
});
