import type { ComponentChildren } from 'preact';
import { createPanel } from '../../components/sidepanel/panel';
import { SidePanel } from '../../components/sidepanel/SidePanel';
import type { AgentEvent } from '../../lib/agent/events';
import type {
  HostClient,
  HostMethod,
  HostPush,
  HostResults,
  Snapshot,
} from '../../lib/messages/host-api';
import { ENGINES } from './fixtures/engines';
import { NO_BROWSER } from './fixtures/ports';
import { MANY } from './fixtures/tools';
import { LONG } from './fixtures/turns';

const IDLE: Snapshot['status'] = {
  busy: null,
  queue: [],
  engine: { id: 'instant', state: 'ready' },
};

/**
 * The real panel over a made-up host that streams an answer, a piece every few milliseconds, below a
 * conversation of 0 or 2 000 events. `?stream=2000`; the page says `data-stream="done"` at its end.
 */
export function streamingPanel(earlier: number): () => ComponentChildren {
  const listeners = new Set<(push: HostPush) => void>();
  const snapshot: Snapshot = {
    conversation: {
      id: 'c1',
      title: 'Streaming',
      tabId: 1,
      origin: 'https://shop.example',
      createdAt: 0,
      updatedAt: 0,
      turns: 0,
    },
    events: LONG.slice(0, earlier),
    status: IDLE,
  };
  const answers: { [M in HostMethod]?: HostResults[M] } = {
    watch: snapshot,
    catalog: MANY,
    describeEngines: ENGINES,
    ask: { turnId: 'live' },
    stop: null,
  };
  const push = (events: AgentEvent[]) => {
    for (const listener of listeners) listener({ push: 'events', conversationId: 'c1', events });
  };
  const host: HostClient = {
    request(method) {
      if (method === 'ask') stream(push);
      const answer = answers[method];
      return answer === undefined
        ? Promise.reject(new Error(`No answer for ${method}.`))
        : Promise.resolve(answer);
    },
    onPush: (listener) => listeners.add(listener),
  };
  const { state, ...panel } = createPanel(
    {
      host,
      followTab: (listener) => listener({ id: 1, title: 'Shop', url: 'https://shop.example/' }),
      ...NO_BROWSER,
    },
    new AbortController().signal,
  );
  const Live = () => <SidePanel state={state.value} panel={panel} onOptions={() => undefined} />;
  return () => <Live />;
}

const PIECES = 400;
const EVERY_MS = 10;
const WORDS =
  'The **Ridge boots** are _warm_, `BT-204`, and on [the list](https://shop.example/a).\n\n- one\n- two\n\n'.split(
    ' ',
  );

function stream(push: (events: AgentEvent[]) => void): void {
  const base = { conversationId: 'c1', turnId: 'live', at: Date.now() };
  const id = (n: number) => `live-${String(n).padStart(6, '0')}`;
  document.body.dataset['stream'] = 'running';
  push([
    {
      ...base,
      id: id(0),
      type: 'turn-started',
      ask: 'Go',
      tabId: 1,
      url: 'https://shop.example/',
      engine: 'instant',
    },
  ]);
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    const text = `${WORDS[sent % WORDS.length]} `;
    push([{ ...base, id: id(sent), type: 'text', step: 1, channel: 'prose', text }]);
    if (sent < PIECES) return;
    clearInterval(timer);
    push([
      {
        ...base,
        id: id(sent + 1),
        type: 'turn-ended',
        reason: 'answered',
        message: '',
        remedies: [],
        steps: 1,
      },
    ]);
    document.body.dataset['stream'] = 'done';
  }, EVERY_MS);
}
