import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { type HeardPush, hostMethods, type Snapshot } from '../../../lib/messages/host-api';
import { MisfitError } from '../../../lib/messages/misfit';
import {
  connectHost as connectRunningHost,
  type HostConnection,
  type HostHandlers,
  serveViews,
} from '../../../lib/messages/rpc';
import { WordsError, wordsOfError } from '../../../lib/said/said';
import { say, sentences } from '../../../lib/said/say';

type Listener = (message: unknown) => void;

/** Chrome's limit, made small. */
const LARGEST = 100_000;
const OWN = 'chrome-extension://pagehand/sidepanel.html';

/** Two ends of a port, as Chrome makes them: messages are copied, and arrive later. */
function portPair(sender: { url: string; tab?: { id: number } }) {
  const end = () => ({ heard: new Set<Listener>(), closed: new Set<() => void>() });
  const a = end();
  const b = end();
  const port = (mine: typeof a, other: typeof a) => ({
    name: 'pagehand-host',
    sender,
    postMessage: (message: unknown) => {
      if (JSON.stringify(message).length > LARGEST) throw new Error('Message length exceeded');
      const copy: unknown = JSON.parse(JSON.stringify(message));
      queueMicrotask(() => {
        for (const listener of other.heard) listener(copy);
      });
    },
    onMessage: { addListener: (listener: Listener) => mine.heard.add(listener) },
    onDisconnect: { addListener: (listener: () => void) => mine.closed.add(listener) },
    disconnect: () => {
      for (const listener of other.closed) listener();
    },
  });
  return { view: port(a, b), host: port(b, a) };
}

let connected: ((port: ReturnType<typeof portPair>['host']) => void)[] = [];
let pairs: ReturnType<typeof portPair>[] = [];
let sender: Parameters<typeof portPair>[0] = { url: OWN };
beforeEach(() => {
  fakeBrowser.reset();
  connected = [];
  pairs = [];
  sender = { url: OWN };
  fakeBrowser.runtime.getURL = ((path: string) => `chrome-extension://pagehand${path}`) as never;
  vi.spyOn(fakeBrowser.runtime.onConnect, 'addListener').mockImplementation((listener) => {
    connected.push(listener as never);
  });
  fakeBrowser.runtime.connect = (() => {
    const pair = portPair(sender);
    pairs.push(pair);
    for (const listener of connected) listener(pair.host);
    return pair.view;
  }) as never;
});
afterEach(() => vi.restoreAllMocks());

const connectHost = () => connectRunningHost(() => Promise.resolve());
const refuse = () => Promise.reject(new Error('not expected'));
/** Handlers of which only those that are given may be asked. */
const handlers = (given: Partial<HostHandlers>): HostHandlers =>
  Object.assign(
    Object.fromEntries(Object.keys(hostMethods).map((method) => [method, refuse])) as never,
    given,
  );
const serve = (given: Partial<HostHandlers>) =>
  serveViews(
    () => Promise.resolve(handlers(given)),
    () => {},
  );

it('carries a request and its answer', async () => {
  serve({ ask: ({ tabId, text }) => ({ turnId: `${tabId}:${text}` }) });
  expect(await connectHost().request('ask', { tabId: 3, text: 'hi' })).toEqual({ turnId: '3:hi' });
});

it('answers a request that does not fit with what is wrong, and never runs it', async () => {
  const ran = vi.fn();
  serve({ ask: ran });
  await expect(connectHost().request('ask', { tabId: 'one', text: '' } as never)).rejects.toThrow(
    /tabId[\s\S]*|expected number/,
  );
  expect(ran).not.toHaveBeenCalled();
});

it('an answer of one request never reaches another', async () => {
  const release: (() => void)[] = [];
  serve({
    ask: ({ text }) => new Promise((resolve) => release.push(() => resolve({ turnId: text }))),
  });
  const host = connectHost();
  const asked = ['a', 'b', 'c'].map((text) => host.request('ask', { tabId: 1, text }));
  await vi.waitUntil(() => release.length === 3);
  for (const one of release.reverse()) one();
  expect((await Promise.all(asked)).map(({ turnId }) => turnId)).toEqual(['a', 'b', 'c']);
});

it('a view that gives up tells the host', async () => {
  let heard: AbortSignal | undefined;
  serve({
    catalog: (_params, _connection, signal) => {
      heard = signal;
      return new Promise(() => {});
    },
  });
  const stop = new AbortController();
  const asked = connectHost().request('catalog', { tabId: 1 }, stop.signal);
  await vi.waitUntil(() => heard);
  stop.abort(new Error('closed'));
  await expect(asked).rejects.toThrow('closed');
  await vi.waitUntil(() => heard?.aborted);
});

it('a view that goes away ends its connection, not other views', async () => {
  const signals: AbortSignal[] = [];
  serveViews(
    () => Promise.resolve(handlers({ stop: () => null })),
    (connection) => signals.push(connection.signal),
  );
  const [one, two] = [connectHost(), connectHost()];
  await one.request('stop', { conversationId: 'c' });
  await two.request('stop', { conversationId: 'c' });
  pairs[0]?.view.disconnect();
  expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
});

it('a lost host fails what waits, in words, and the next request connects again', async () => {
  let silent = true;
  serve({ ask: () => (silent ? new Promise(() => {}) : { turnId: 't' }) });
  const host = connectHost();
  const asked = host.request('ask', { tabId: 1, text: 'x' });
  await vi.waitUntil(() => pairs.length === 1);
  await Promise.resolve();
  silent = false;
  pairs[0]?.host.disconnect();
  await expect(asked).rejects.toThrow('connection');
  expect(await host.request('ask', { tabId: 1, text: 'x' })).toEqual({ turnId: 't' });
  expect(pairs).toHaveLength(2);
});

it('is not disturbed by anything that comes over the port', async () => {
  serve({ ask: () => ({ turnId: 't' }) });
  const host = connectHost();
  await host.request('ask', { tabId: 1, text: 'x' });
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (message) => {
      pairs[0]?.view.postMessage(message);
      await Promise.resolve();
    }),
  );
  for (const method of ['__proto__', 'constructor', 'toString']) {
    await expect(host.request(method as never, {} as never)).rejects.toThrow('Unknown request');
  }
  expect(await host.request('ask', { tabId: 1, text: 'x' })).toEqual({ turnId: 't' });
});

it('does not answer the script of a page, whatever it asks', async () => {
  const ran = vi.fn(() => null);
  serve({ stop: ran, clearAll: ran });
  sender = { url: 'https://hostile.test/', tab: { id: 1 } };
  connectHost()
    .request('clearAll', {})
    .catch(() => {});
  await new Promise((resolve) => setImmediate(resolve));
  expect(ran).not.toHaveBeenCalled();
});

it('says so when an answer is too large to be handed over, and goes on telling what happens', async () => {
  let connection: HostConnection | undefined;
  serveViews(
    () =>
      Promise.resolve(
        handlers({
          watch: () => ({ events: 'x'.repeat(LARGEST) }) as never,
          ask: () => {
            connection?.push({ push: 'catalog-changed', tabId: 1, tools: 2 });
            return { turnId: 't' };
          },
        }),
      ),
    (made) => {
      connection = made;
    },
  );
  const host = connectHost();
  const pushes: unknown[] = [];
  host.onPush((push) => pushes.push(push), new AbortController().signal);
  await expect(host.request('watch', { tabId: 1 })).rejects.toThrow('too large');
  await host.request('ask', { tabId: 1, text: 'x' });
  expect(pushes).toHaveLength(1);
  // A push that cannot be sent must not end the turn that tells it.
  connection?.push({ push: 'events', conversationId: 'x'.repeat(LARGEST), events: [] });
});

const event = { id: '1', at: 1, conversationId: 'c', turnId: 't' };
const notice = { ...event, type: 'notice', level: 'info', text: 'Hello.' };
/** As a host of another version may send it. */
const fromLater = { ...event, type: 'from-a-later-version' };
const taken = (events: object[]) =>
  ({
    conversation: { id: 'c', title: '', origin: '', createdAt: 1, updatedAt: 1, turns: 0 },
    events,
    status: { busy: null, queue: [], engine: { id: 'instant', state: 'ready' } },
  }) as Snapshot;
/** A view that is connected, and what it hears. */
async function connectedView(given: Partial<HostHandlers> = {}) {
  serve({ stop: () => null, ...given });
  const host = connectHost();
  const heard: HeardPush[] = [];
  host.onPush((push) => heard.push(push), new AbortController().signal);
  await host.request('stop', { conversationId: 'c' });
  const push = async (message: unknown) => {
    pairs[0]?.host.postMessage(message);
    await Promise.resolve();
  };
  return { host, heard, push };
}

it('a push that a view does not understand is left out, said once, and disturbs no other', async () => {
  const { heard, push } = await connectedView();
  await push({ push: 'from-a-later-version' });
  await push({ push: 'status', status: { busy: 'yes' } });
  await push({ push: 'catalog-changed', tabId: 1, tools: 2 });
  expect(heard).toEqual([{ push: 'misfit' }, { push: 'catalog-changed', tabId: 1, tools: 2 }]);
});

it('an event that a view does not know is left out, not its neighbours', async () => {
  const { host, heard, push } = await connectedView({ watch: () => taken([fromLater, notice]) });
  await push({ push: 'events', conversationId: 'c', events: [fromLater, notice] });
  expect(heard).toEqual([
    { push: 'misfit' },
    { push: 'events', conversationId: 'c', events: [notice] },
  ]);
  expect((await host.request('watch', { tabId: 1 })).events).toEqual([notice]);
  await push({ push: 'snapshot', snapshot: taken([fromLater]) });
  expect(heard.filter((one) => one.push === 'misfit')).toHaveLength(1);
});

it('an answer that does not fit what was asked is an error that says so', async () => {
  const { host } = await connectedView({ ask: () => ({ turn: 1 }) as never });
  await expect(host.request('ask', { tabId: 1, text: 'x' })).rejects.toThrow(MisfitError);
});

it('a view lives through whatever a host pushes', async () => {
  const { host, heard, push } = await connectedView();
  const shape = fc.record(
    {
      push: fc.constantFrom('events', 'snapshot', 'status', 'catalog-changed', '__proto__'),
      snapshot: fc.jsonValue(),
      status: fc.jsonValue(),
      events: fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())),
      conversationId: fc.oneof(fc.string(), fc.jsonValue()),
      tabId: fc.jsonValue(),
      tools: fc.jsonValue(),
    },
    { requiredKeys: ['push'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(shape, fc.jsonValue()), async (message) => {
      await push(message);
    }),
  );
  expect(heard.filter((one) => one.push === 'misfit').length).toBeLessThanOrEqual(1);
  for (const one of heard) {
    if (one.push === 'events') expect(Array.isArray(one.events)).toBe(true);
  }
  expect(await host.request('stop', { conversationId: 'c' })).toBeNull();
});

it('carries with a refusal how to say it in other languages, and reads one that has no such thing', async () => {
  const words = say('download-stopped', sentences([say('broken-connection')]), { bytes: 5e6 });
  serve({
    stop: () => Promise.reject(new WordsError(words)),
    unloadEngine: () => Promise.reject(new Error('no')),
  });
  const host = connectHost();
  const refused = (asked: Promise<unknown>) => asked.catch(wordsOfError);
  expect(await refused(host.request('stop', { conversationId: 'c' }))).toEqual(words);
  expect(await refused(host.request('unloadEngine', {}))).toEqual({ text: 'no' });
});

it('hears the refusal of a host of before the codes', async () => {
  const host = connectHost();
  const asked = host.request('stop', { conversationId: 'c' }).catch(wordsOfError);
  await vi.waitFor(() => expect(pairs).toHaveLength(1));
  pairs[0]?.host.postMessage({ id: 1, ok: false, error: 'It is gone.' });
  expect(await asked).toEqual({ text: 'It is gone.' });
});
