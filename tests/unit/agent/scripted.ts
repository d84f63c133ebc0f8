import fc from 'fast-check';
import { expect } from 'vitest';
import type {
  ChatMessage,
  DialectId,
  Engine,
  FinishReason,
  GenerateRequest,
} from '../../../lib/agent/engine';
import type { EventBody } from '../../../lib/agent/events';
import type { AgentOptions } from '../../../lib/agent/options';
import type {
  AgentPage,
  ApprovalAnswer,
  ApprovalRequest,
  CallOutcome,
  Question,
} from '../../../lib/agent/ports';
import { runLocalAgent } from '../../../lib/agent/run';
import type { Catalog, JsonObject, JsonSchema, PageTool } from '../../../lib/tools/tool';

/** Any text, controls, marks, lone surrogates and all; fast-check's own `binary` takes seconds to set up. */
export const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0x2ffff }).map((point) => String.fromCodePoint(point)),
  maxLength: 200,
});

/** One reply of the scripted engine, and what the prompt before it must look like. */
export interface ScriptStep {
  /** Texts that the prompt (system and messages) must hold. */
  sees?: string[];
  /** Texts that it must not hold. */
  lacks?: string[];
  /** Names of the tools offered, in order. */
  tools?: string[];
  reply?: string;
  finish?: FinishReason;
  /** Thrown instead of a reply. */
  fails?: Error;
  /** Streams the reply, then never ends. */
  hangs?: boolean;
  /** Called when the request comes, before anything is streamed. */
  before?: () => void;
}

export interface ScriptedEngine extends Engine {
  requests: GenerateRequest[];
  /** Fails the test when the script and the prompts disagreed or replies are left. */
  check(): void;
}

export const call = (name: string, args: JsonObject = {}) =>
  JSON.stringify({ type: 'tool_call', name, arguments: args });
export const say = (text: string) => JSON.stringify({ type: 'message', text });

/** An engine that says what the script tells it to, and holds the loop to the script. */
export function scriptedEngine(
  script: ScriptStep[],
  options: { dialect?: DialectId; window?: number } = {},
): ScriptedEngine {
  const requests: GenerateRequest[] = [];
  const disagreements: string[] = [];

  async function* generate(request: GenerateRequest, signal: AbortSignal) {
    const at = requests.length;
    requests.push(structuredClone(request));
    const step = script[at];
    if (step === undefined) {
      disagreements.push(`reply ${at + 1} was asked for, the script has ${script.length}`);
      throw new Error('The script is over.');
    }
    step.before?.();
    const prompt = textOf(request);
    for (const text of step.sees ?? []) {
      if (!prompt.includes(text)) disagreements.push(`reply ${at + 1}: the prompt lacks ${text}`);
    }
    for (const text of step.lacks ?? []) {
      if (prompt.includes(text)) disagreements.push(`reply ${at + 1}: the prompt holds ${text}`);
    }
    const names = request.tools.map((tool) => tool.name);
    if (step.tools && names.join() !== step.tools.join()) {
      disagreements.push(`reply ${at + 1}: offered were ${names.join()}, not ${step.tools.join()}`);
    }
    if (step.fails) throw step.fails;
    const reply = step.reply ?? '';
    for (let from = 0; from < reply.length; from += 7) {
      signal.throwIfAborted();
      yield { kind: 'text' as const, text: reply.slice(from, from + 7) };
    }
    if (step.hangs) await new Promise(() => {});
    const usage = {
      promptTokens: Math.ceil(prompt.length / 4),
      reusedTokens: 0,
      completionTokens: Math.ceil(reply.length / 4),
      firstTokenMs: 1,
      tokensPerSecond: 10,
    };
    yield { kind: 'end' as const, finish: step.finish ?? 'stop', usage };
  }

  return {
    id: 'web-llm',
    dialect: options.dialect ?? 'json',
    contextWindow: options.window ?? 4096,
    requests,
    describe: () => Promise.reject(new Error('not asked here')),
    load: () => Promise.resolve(),
    generate,
    countTokens: (text) => Math.ceil(text.length / 4),
    unload: () => Promise.resolve(),
    check() {
      if (requests.length < script.length) {
        disagreements.push(`${script.length - requests.length} replies of the script are left`);
      }
      expect(disagreements).toEqual([]);
    },
  };
}

export const textOf = (request: GenerateRequest): string =>
  [request.system, ...request.messages.map(messageText)].join('\n---\n');

const messageText = (message: ChatMessage) =>
  message.role === 'tool' && message.note
    ? `${message.role}: ${message.content}\n${message.note}`
    : `${message.role}: ${message.content}`;

/** A tool of the shop; changing unless `reads`. */
export function tool(
  name: string,
  options: Partial<PageTool> & { reads?: boolean } = {},
): PageTool {
  const { reads, ...rest } = options;
  return {
    key: `doc1/${name}`,
    name,
    description: `Does ${name.replaceAll('_', ' ')}.`,
    origin: 'https://shop.example',
    documentId: 'doc1',
    frameId: 0,
    surface: 'native',
    ...(reads ? { annotations: { readOnlyHint: true } } : {}),
    ...rest,
  };
}

export const object = (properties: JsonObject, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

export const search = tool('search_products', {
  reads: true,
  description: 'Search the catalogue by key words.',
  inputSchema: object({ query: { type: 'string' } }, ['query']),
});
export const add = tool('add_to_cart', {
  description: 'Add a product to the cart.',
  inputSchema: object({ slug: { type: 'string' }, qty: { type: 'integer', minimum: 1 } }, ['slug']),
});
export const cart = tool('view_cart', { reads: true, description: 'Show what is in the cart.' });
export const order = tool('place_order', {
  description: 'Order everything in the cart.',
  annotations: { consequentialHint: true },
});

type Outcomes = Record<
  string,
  CallOutcome | ((args: JsonObject) => CallOutcome | Promise<CallOutcome>)
>;

export const gives = (value: unknown): CallOutcome => ({
  kind: 'result',
  value: value === null || typeof value === 'string' ? value : JSON.stringify(value),
});

export interface FakePage extends AgentPage {
  calls: { name: string; arguments: JsonObject }[];
  tools: PageTool[];
  url: string;
}

export function fakePage(tools: PageTool[], outcomes: Outcomes = {}): FakePage {
  const page: FakePage = {
    calls: [],
    tools,
    url: 'https://shop.example/mugs',
    async collect(signal): Promise<Catalog> {
      signal.throwIfAborted();
      return { tabId: 1, url: page.url, title: 'Mugs', tools: [...page.tools], notes: [] };
    },
    async call(called, args, signal) {
      signal.throwIfAborted();
      page.calls.push({ name: called.name, arguments: args });
      const outcome = outcomes[called.name] ?? gives('done');
      return typeof outcome === 'function' ? await outcome(args) : outcome;
    },
  };
  return page;
}

export const allow: ApprovalAnswer = { decision: 'allow', by: 'user', remember: false };
export const deny: ApprovalAnswer = { decision: 'deny', by: 'user', remember: false };

export interface TurnRun {
  events: EventBody[];
  types: EventBody['type'][];
  end: Extract<EventBody, { type: 'turn-ended' }>;
  engine: ScriptedEngine;
  page: FakePage;
  approvals: ApprovalRequest[];
  questions: Question[];
  remembered: string[];
  of<T extends EventBody['type']>(type: T): Extract<EventBody, { type: T }>[];
}

export interface TurnSetup extends Partial<Omit<AgentOptions, 'engine' | 'page'>> {
  script: ScriptStep[];
  engine?: ScriptedEngine;
  page?: FakePage;
  tools?: never;
  own?: AgentOptions['tools'];
  pageTools?: PageTool[];
  outcomes?: Outcomes;
  approve?: (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>;
  answer?: (question: Question) => string | JsonObject | null | Promise<string | JsonObject | null>;
  dialect?: DialectId;
  window?: number;
  onEvent?: (event: EventBody) => void;
}

/** Runs one turn against the script; checks that it ended once and that every started call finished once. */
export async function runTurn(setup: TurnSetup): Promise<TurnRun> {
  const engine = setup.engine ?? scriptedEngine(setup.script, setup);
  const page = setup.page ?? fakePage(setup.pageTools ?? [search, add, cart], setup.outcomes);
  const events: EventBody[] = [];
  const approvals: ApprovalRequest[] = [];
  const questions: Question[] = [];
  const remembered: string[] = [];
  let id = 0;
  await runLocalAgent({
    ask: 'add two blue mugs to the cart',
    history: { brief: '', exchanges: [] },
    settings: {
      ranking: 'router',
      capture: false,
      site: () => ({ defer: 'auto', tools: {} }),
    },
    facts: { 'page title': 'Mugs', date: 'Monday 2026-11-30' },
    approvals: { remembered: new Set(), remember: (key) => remembered.push(key) },
    signal: new AbortController().signal,
    now: () => Date.parse('2026-11-30T10:00:00Z'),
    newId: () => `id${++id}`,
    ...setup,
    tools: setup.own ?? [],
    engine,
    page,
    user: {
      async approve(request) {
        approvals.push(request);
        return (await setup.approve?.(request)) ?? allow;
      },
      async ask(question) {
        questions.push(question);
        return (await setup.answer?.(question)) ?? null;
      },
    },
    emit(event) {
      events.push(structuredClone(event));
      setup.onEvent?.(event);
    },
  });
  engine.check();
  const of = <T extends EventBody['type']>(type: T) =>
    events.filter((event): event is Extract<EventBody, { type: T }> => event.type === type);
  const ends = of('turn-ended');
  expect(ends).toHaveLength(1);
  expect(events.at(-1)?.type).toBe('turn-ended');
  const started = of('call-started').map((event) => event.callId);
  const finished = of('call-finished').map((event) => event.callId);
  expect(finished.sort()).toEqual(started.sort());
  const [end] = ends;
  if (end === undefined) throw new Error('no end');
  const types = events.map((event) => event.type);
  return { events, types, end, engine, page, approvals, questions, remembered, of };
}
