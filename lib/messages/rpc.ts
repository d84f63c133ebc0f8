import { browser } from 'wxt/browser';
import * as z from 'zod';
import { Listed, type Words, WordsError, wordsOfError } from '../said/said';
import { say } from '../said/say';
import { callBackground } from './background-api';
import {
  type HeardPush,
  type HostClient,
  type HostMethod,
  HostPush,
  type HostResults,
  hostMethods,
  hostResults,
} from './host-api';
import { MisfitError } from './misfit';
import { isOwnPage } from './sender';

/** Requests that are answered with a snapshot of a conversation. */
const SNAPSHOTS = new Set<string>(['watch', 'newConversation', 'openConversation', 'share']);

/** Name of the port between a view and the host. */
const HOST_PORT = 'pagehand-host';

const Request = z.object({ id: z.number(), method: z.string(), params: z.unknown() });
const Cancel = z.object({ cancel: z.number() });
const Reply = z.union([
  z.object({ id: z.number(), ok: z.literal(true), value: z.unknown() }),
  z.object({ id: z.number(), ok: z.literal(false), error: Listed }),
]);

type Port = ReturnType<typeof browser.runtime.connect>;

export interface HostConnection {
  /** Identifies the view among others; dead once `signal` is aborted. */
  signal: AbortSignal;
  push(push: HostPush): void;
}

export type HostHandlers = {
  [M in HostMethod]: (
    params: z.infer<(typeof hostMethods)[M]>,
    connection: HostConnection,
    signal: AbortSignal,
  ) => Promise<HostResults[M]> | HostResults[M];
};

/**
 * Serves the extension's own pages, and nobody else. A request that does not fit its schema is answered with what is wrong; a handler's
 * error message is the answer's error; a view that goes away aborts its connection's signal, never
 * a turn.
 */
export function serveViews(
  handlers: () => Promise<HostHandlers>,
  onConnection: (c: HostConnection) => void,
): void {
  browser.runtime.onConnect.addListener((port) => {
    if (port.name !== HOST_PORT || !isOwnPage(port.sender)) return;
    /** Chrome refuses what is larger than 64 MiB, and a port that closed. Never throws: turns push. */
    const post = (message: unknown): boolean => {
      try {
        port.postMessage(message);
        return true;
      } catch {
        return false;
      }
    };
    const gone = new AbortController();
    /** Pushes wait while a snapshot is on its way: they are about what comes after it. */
    let snapshots = 0;
    let held: HostPush[] = [];
    const connection: HostConnection = {
      signal: gone.signal,
      push: (push) => {
        if (gone.signal.aborted) return;
        if (snapshots > 0) held.push(push);
        else post(push);
      },
    };
    const running = new Map<number, AbortController>();
    port.onDisconnect.addListener(() => {
      gone.abort();
      for (const controller of running.values()) controller.abort();
    });
    port.onMessage.addListener((raw: unknown) => {
      const cancel = Cancel.safeParse(raw);
      if (cancel.success) {
        running.get(cancel.data.cancel)?.abort();
        return;
      }
      const request = Request.safeParse(raw);
      if (!request.success) return;
      const { id, method, params } = request.data;
      const controller = new AbortController();
      running.set(id, controller);
      if (SNAPSHOTS.has(method)) snapshots++;
      void answer(handlers, method, params, connection, controller.signal).then((reply) => {
        running.delete(id);
        if (gone.signal.aborted) return;
        if (!post({ id, ...reply })) post({ id, ok: false, error: TOO_LARGE });
        if (!SNAPSHOTS.has(method) || --snapshots > 0) return;
        const after = held;
        held = [];
        for (const push of after) post(push);
      });
    });
    onConnection(connection);
  });
}

const TOO_LARGE = say('answer-too-large');

async function answer(
  handlers: () => Promise<HostHandlers>,
  method: string,
  params: unknown,
  connection: HostConnection,
  signal: AbortSignal,
): Promise<{ ok: true; value: unknown } | { ok: false; error: Words }> {
  if (!Object.hasOwn(hostMethods, method))
    return { ok: false, error: say('request-unknown', method) };
  const name = method as HostMethod;
  const checked = hostMethods[name].safeParse(params);
  if (!checked.success) return { ok: false, error: { text: z.prettifyError(checked.error) } };
  try {
    // The schema and the handler belong to the same method name; TypeScript cannot correlate the two lookups.
    const handler = (await handlers())[name] as (
      p: unknown,
      c: HostConnection,
      s: AbortSignal,
    ) => Promise<unknown>;
    return { ok: true, value: (await handler(checked.data, connection, signal)) ?? null };
  } catch (error) {
    return { ok: false, error: wordsOfError(error) };
  }
}

/**
 * The host, for a view. Starts the host if it is not running, connects again when the connection is
 * lost (and repeats the last `watch`), and never resends another request by itself: what was asked
 * may have run, so the caller is told instead. What does not fit (the host may be of another version)
 * is left out and said once; an answer that does not fit rejects with a `MisfitError`.
 */
export function connectHost(
  startHost: () => Promise<unknown> = () => callBackground('ensureHost', {}),
): HostClient {
  let port: Promise<Port> | undefined;
  let nextId = 1;
  let watching: unknown;
  const waiting = new Map<
    number,
    { method: HostMethod; resolve: (v: never) => void; reject: (e: Error) => void }
  >();
  const listeners = new Set<(push: HeardPush) => void>();
  const tell = (push: HeardPush) => {
    for (const listener of listeners) listener(push);
  };
  let isMisfitTold = false;
  const tellMisfit = () => {
    if (isMisfitTold) return;
    isMisfitTold = true;
    tell({ push: 'misfit' });
  };

  const hear = (raw: unknown) => {
    const reply = Reply.safeParse(raw);
    if (!reply.success) {
      const push = HostPush.safeParse(raw);
      if (!push.success || lostEvents(raw, push.data)) tellMisfit();
      if (push.success) tell(push.data);
      return;
    }
    const request = waiting.get(reply.data.id);
    if (!request) return;
    waiting.delete(reply.data.id);
    if (!reply.data.ok) {
      request.reject(new WordsError(reply.data.error));
      return;
    }
    const value = hostResults[request.method].safeParse(reply.data.value);
    if (!value.success) {
      request.reject(new MisfitError(request.method, value.error));
      return;
    }
    if (lostEvents(reply.data.value, value.data)) tellMisfit();
    request.resolve(value.data as never);
  };

  const open = async (): Promise<Port> => {
    await startHost();
    const opened = browser.runtime.connect({ name: HOST_PORT });
    opened.onMessage.addListener(hear);
    opened.onDisconnect.addListener(() => {
      port = undefined;
      for (const [id, request] of waiting) {
        waiting.delete(id);
        request.reject(new WordsError(say('connection-lost')));
      }
      if (watching !== undefined && listeners.size > 0) {
        void request('watch', watching as never)
          .then((snapshot) => tell({ push: 'snapshot', snapshot }))
          .catch(() => {});
      }
    });
    return opened;
  };

  async function request<M extends HostMethod>(
    method: M,
    params: z.infer<(typeof hostMethods)[M]>,
    signal?: AbortSignal,
  ): Promise<HostResults[M]> {
    signal?.throwIfAborted();
    if (method === 'watch') watching = params;
    port ??= open().catch((error: unknown) => {
      port = undefined;
      throw error;
    });
    const opened = await port;
    signal?.throwIfAborted();
    const id = nextId++;
    return new Promise<HostResults[M]>((resolve, reject) => {
      waiting.set(id, { method, resolve: resolve as (v: never) => void, reject });
      signal?.addEventListener(
        'abort',
        () => {
          if (!waiting.delete(id)) return;
          opened.postMessage({ cancel: id });
          reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped.'));
        },
        { once: true },
      );
      opened.postMessage({ id, method, params });
    });
  }

  return {
    request,
    onPush(listener, signal) {
      listeners.add(listener);
      signal.addEventListener('abort', () => listeners.delete(listener), { once: true });
    },
  };
}

/** Whether events were left out of a push or a snapshot because they could not be read. */
function lostEvents(raw: unknown, read: unknown): boolean {
  return countEvents(raw) !== countEvents(read);
}

function countEvents(message: unknown): number {
  if (typeof message !== 'object' || message === null) return 0;
  if ('snapshot' in message) return countEvents(message.snapshot);
  return 'events' in message && Array.isArray(message.events) ? message.events.length : 0;
}
