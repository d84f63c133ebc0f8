import type { AgentEvent, EventBody } from '../../../lib/agent/events';
import type {
  CatalogView,
  ConversationInfo,
  HostClient,
  HostMethod,
  HostPush,
  HostResults,
  HostStatus,
  Snapshot,
} from '../../../lib/messages/host-api';

type Answers = {
  [M in HostMethod]?: (params: unknown) => HostResults[M] | Promise<HostResults[M]>;
};

/** A host that answers from a table, remembers what it was asked, and pushes what a test says. */
export function fakeHost(answers: Answers) {
  const asked: { method: HostMethod; params: unknown }[] = [];
  const listeners = new Set<(push: HostPush) => void>();
  const client: HostClient = {
    async request(method, params, signal) {
      asked.push({ method, params });
      const answer = answers[method];
      if (!answer) throw new Error(`The fake host has no answer for ${method}.`);
      return Promise.race([answer(params), aborted(signal)]);
    },
    onPush(listener, signal) {
      listeners.add(listener);
      signal.addEventListener('abort', () => listeners.delete(listener));
    },
  };
  return {
    client,
    asked,
    push: (push: HostPush) => {
      for (const listener of listeners) listener(push);
    },
    askedFor: (method: HostMethod) =>
      asked.filter((request) => request.method === method).map((request) => request.params),
  };
}

const aborted = (signal?: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

export const IDLE: HostStatus = {
  busy: null,
  queue: [],
  engine: { id: 'instant', state: 'ready' },
};

export function conversation(id: string, tabId: number): ConversationInfo {
  return {
    id,
    title: `Conversation ${id}`,
    tabId,
    origin: 'https://shop.example',
    createdAt: 1,
    updatedAt: 2,
    turns: 0,
  };
}

export function snapshot(id: string, tabId: number, events: AgentEvent[] = []): Snapshot {
  return { conversation: conversation(id, tabId), events, status: IDLE };
}

export function emptyCatalog(tabId: number): CatalogView {
  return {
    catalog: {
      tabId,
      url: 'https://shop.example/',
      title: 'Shop',
      tools: [],
      notes: [],
    },
    listed: [],
    budget: {
      window: 4096,
      instructions: 300,
      direct: 0,
      promoted: 0,
      manifest: 0,
      history: 0,
      reply: 512,
      schemaBytes: 0,
      allToolsTokens: 0,
    },
  };
}

/** Events of one turn of one conversation, with ids and times of their own. */
export function eventsOf(
  conversationId: string,
  turnId: string,
  bodies: EventBody[],
): AgentEvent[] {
  return bodies.map(
    (body, index): AgentEvent => ({
      ...body,
      id: `${turnId}-${String(index).padStart(5, '0')}`,
      at: 1_700_000_000_000 + index * 100,
      conversationId,
      turnId,
    }),
  );
}
