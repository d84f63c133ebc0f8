import 'fake-indexeddb/auto';
import { vi } from 'vitest';
import type { Engine, EngineId, GenerateRequest } from '../../../lib/agent/engine';
import type { AgentEvent } from '../../../lib/agent/events';
import type { AgentPage } from '../../../lib/agent/ports';
import type { Database, StoredConversation } from '../../../lib/host/database';
import { createHost } from '../../../lib/host/host';
import { createIds } from '../../../lib/host/ids';
import { openDatabase } from '../../../lib/host/indexed-database';
import type { callBackground } from '../../../lib/messages/background-api';
import { HostPush, type HostResults, hostResults } from '../../../lib/messages/host-api';
import type { HostConnection } from '../../../lib/messages/rpc';
import { Settings } from '../../../lib/settings/settings';
import type { PageTool } from '../../../lib/tools/tool';

export const tool = (name: string, readOnly: boolean): PageTool => ({
  key: `doc/${name}`,
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  annotations: { readOnlyHint: readOnly },
  origin: 'https://site.test',
  documentId: 'doc',
  frameId: 0,
  surface: 'native',
});
export const call = (name: string, n: unknown) =>
  JSON.stringify({ type: 'tool_call', name, arguments: { n } });
export const say = (text: string) => JSON.stringify({ type: 'message', text });

/** As Chrome hands it over. */
const overWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** As if it had been stored before. */
export const store = (database: Database, info: StoredConversation) =>
  database.updateConversation(info.id, () => info);

let databases = 0;

/** A host whose engine says what it is told to, on a page with one reading and one changing tool. */
export async function setup(
  replies: (string | Error | (() => Promise<string>))[],
  given: { database?: Database; engine?: EngineId; mark?: number } = {},
) {
  const prompts: GenerateRequest[] = [];
  const ran: string[] = [];
  let loads = 0;
  /** What the settings are, what the page does when it is called. */
  const world: {
    settings: Partial<Settings>;
    url: string;
    onCall: () => void;
    incognito: boolean;
    /** How often what is kept by site was forgotten. */
    forgotSites: number;
    /** How many conversations are kept, as the browser remembers it. */
    mark: number;
    /** Told which tab is meant whenever a page is asked for anything. */
    onPage: (tabId: number) => void;
    onSettings: () => Promise<void>;
  } = {
    settings: given.engine ? { engine: given.engine } : {},
    url: 'https://site.test/a',
    onCall: () => {},
    incognito: false,
    forgotSites: 0,
    mark: given.mark ?? 0,
    onPage: () => {},
    onSettings: async () => {},
  };
  const engine: Engine = {
    id: given.engine ?? 'instant',
    dialect: 'json',
    contextWindow: 8192,
    countTokens: (text) => Math.ceil(text.length / 4),
    describe: async () => ({
      id: given.engine ?? 'instant',
      label: '',
      available: true,
      models: [],
    }),
    load: async () => void loads++,
    unload: async () => {},
    async *generate(request, signal) {
      prompts.push(request);
      const next = replies.shift();
      if (next instanceof Error) throw next;
      const text = typeof next === 'function' ? await next() : (next ?? say('Done.'));
      signal.throwIfAborted();
      yield { kind: 'text', text };
      const usage = {
        promptTokens: 1,
        reusedTokens: 0,
        completionTokens: 1,
        firstTokenMs: 1,
        tokensPerSecond: 1,
      };
      yield { kind: 'end', finish: 'stop', usage };
    },
  };
  const page: AgentPage = {
    collect: async () => ({
      tabId: 1,
      url: world.url,
      title: 'Site',
      tools: [tool('look', true), tool('change', false)],
      notes: [],
    }),
    read: async () => 'The text of the page.',
    call: async ({ name }, args) => {
      ran.push(`${name} ${JSON.stringify(args)}`);
      world.onCall();
      return { kind: 'result', value: `${name} worked` };
    },
  };
  const background = (async (method: string, params: unknown) => {
    if (method === 'settings') {
      await world.onSettings();
      return Settings.parse(world.settings);
    }
    if (method === 'tab') {
      return { url: world.url, title: 'Site', restricted: false, incognito: world.incognito };
    }
    if (method === 'forgetSites') world.forgotSites++;
    if (method === 'storeMark') {
      const { count } = params as { count?: number };
      if (count !== undefined) world.mark = count;
      return world.mark;
    }
    if (method === 'session') return 'session';
    return null;
  }) as unknown as typeof callBackground;
  const database = given.database ?? openDatabase(`host-${databases++}`);
  const host = createHost({
    database,
    engines: [engine],
    background,
    page: (tabId) => {
      world.onPage(tabId);
      return page;
    },
    newId: createIds(Date.now),
    now: Date.now,
    environment: { pagehand: '0', browser: 'test', language: 'en' },
    storage: { estimate: async () => ({ usage: 1, quota: 2 }), persisted: async () => false },
  });
  await host.start();
  const pushes: HostPush[] = [];
  const connection: HostConnection = {
    signal: new AbortController().signal,
    push: (push) => void pushes.push(HostPush.parse(overWire(push))),
  };
  host.connected(connection);
  const never = new AbortController().signal;
  const request = async <M extends keyof HostResults>(
    method: M,
    params: Parameters<(typeof host.handlers)[M]>[0],
  ): Promise<HostResults[M]> => {
    const answer = await host.handlers[method](params as never, connection, never);
    return hostResults[method].parse(overWire(answer)) as HostResults[M];
  };
  const events = (): AgentEvent[] =>
    pushes.flatMap((push) => (push.push === 'events' ? push.events : []));
  const heard = <T extends AgentEvent['type']>(type: T) =>
    vi.waitUntil(
      () => events().findLast((e): e is Extract<AgentEvent, { type: T }> => e.type === type),
      { timeout: 3000 },
    );
  return {
    host,
    database,
    world,
    request,
    events,
    heard,
    pushes,
    prompts,
    ran,
    loads: () => loads,
  };
}
