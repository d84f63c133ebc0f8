import { describe, expect, it } from 'vitest';
import { dialectOf } from '../../../lib/agent/dialects/table';
import type { DialectId, Engine, GenerateRequest } from '../../../lib/agent/engine';
import type { AgentEvent } from '../../../lib/agent/events';
import { promptTokens } from '../../../lib/agent/prompt';
import { runLocalAgent } from '../../../lib/agent/run';
import { historyOf } from '../../../lib/host/history';
import { createIds } from '../../../lib/host/ids';
import { estimateTokens } from '../../../lib/tools/budget';
import { NO_PROMOTIONS } from '../../../lib/tools/discovery/promotion';
import type { CompactTool, JsonObject } from '../../../lib/tools/tool';
import { CATALOG_41, REQUESTS } from '../../fixtures/catalog-41';
import { allow, fakePage, gives } from './scripted';

/** Sixty requests: each of the forty wishes, then twenty of them again. */
const ASKS = [...REQUESTS, ...REQUESTS.slice(0, 20)];

/** Values for whatever a tool requires. */
function argumentsFor({ parameters }: CompactTool): JsonObject {
  const properties = parameters['properties'] as Record<string, JsonObject>;
  const required = (parameters['required'] ?? []) as string[];
  return Object.fromEntries(
    required.map((name) => {
      const { type, enum: choices } = properties[name] ?? {};
      if (Array.isArray(choices)) return [name, choices[0] ?? null];
      if (type === 'array') return [name, ['one']];
      if (type === 'number' || type === 'integer') return [name, 1];
      if (type === 'boolean') return [name, true];
      if (type === 'object') return [name, {}];
      return [name, '2026-12-01'];
    }),
  );
}

interface Sent {
  request: GenerateRequest;
  wanted: string;
}

/** A conversation with a model that calls the right tool where it is offered, and else searches for it. */
async function converse(dialect: DialectId, window: number, requests: number) {
  const style = dialectOf(dialect);
  const sent: Sent[][] = [];
  let turn: Sent[] = [];
  let wanted = '';
  const reply = (request: GenerateRequest): string => {
    const tool = request.tools.find(({ name }) => name === wanted);
    const steps = turn.length;
    if (steps > 1 && turn.some((one) => one !== turn.at(-1) && offers(one))) {
      return style.answer('It is done.');
    }
    if (tool !== undefined) {
      return style.calls(
        [{ callId: '', name: wanted, arguments: argumentsFor(tool) }],
        request.tools,
      );
    }
    const search = request.tools.find(({ name }) => name === 'tool_search');
    if (search === undefined || steps > 1) return style.answer('I cannot.');
    const query = wanted.replaceAll('_', ' ');
    return style.calls([{ callId: '', name: 'tool_search', arguments: { query } }], request.tools);
  };
  const engine: Engine = {
    id: 'web-llm',
    dialect,
    contextWindow: window,
    describe: () => Promise.reject(new Error('not asked here')),
    load: () => Promise.resolve(),
    unload: () => Promise.resolve(),
    countTokens: estimateTokens,
    async *generate(request) {
      turn.push({ request: structuredClone(request), wanted });
      yield { kind: 'text' as const, text: reply(request) };
      const usage = {
        promptTokens: 1,
        reusedTokens: 0,
        completionTokens: 1,
        firstTokenMs: 1,
        tokensPerSecond: 1,
      };
      yield { kind: 'end' as const, finish: 'stop' as const, usage };
    },
  };
  const newId = createIds(() => 1);
  let events: AgentEvent[] = [];
  const page = fakePage(CATALOG_41);
  page.call = async ({ name }) => {
    ran.push(name);
    return gives({
      ok: true,
      items: [
        { id: 'a1', title: 'First' },
        { id: 'b2', title: 'Second' },
      ],
    });
  };
  const ran: string[] = [];
  let promotions = NO_PROMOTIONS;
  for (const [at, { tool, plain }] of ASKS.slice(0, requests).entries()) {
    wanted = tool;
    turn = [];
    const place = { conversationId: 'c', turnId: `t${at}` };
    const emit = (body: object) =>
      void events.push({ ...body, ...place, id: newId(), at } as AgentEvent);
    emit({ type: 'turn-started', ask: plain, tabId: 1, url: page.url, engine: 'web-llm' });
    await runLocalAgent({
      engine,
      page,
      user: { approve: async () => allow, ask: async () => null },
      emit,
      ask: plain,
      history: { ...historyOf(events, 'https://shop.example'), promotions },
      settings: { ranking: 'router', capture: false, site: () => ({ defer: 'auto', tools: {} }) },
      facts: { date: 'Tuesday 2026-12-01' },
      approvals: { remembered: new Set(), remember: () => {} },
      signal: new AbortController().signal,
      keepPromotions: (kept) => {
        promotions = kept;
      },
    });
    sent.push(turn);
    // As far back as a history goes; folding all of it sixty times is what takes long.
    events = events.filter((event) => Number(event.at) > at - 10);
  }
  return { sent, ran, engine };
}

const offers = ({ request, wanted }: Sent): boolean =>
  request.tools.some(({ name }) => name === wanted);

/** All sixty in every window; in the other dialects as many as fill the list of tools called lately. */
const CASES: [DialectId, number, number][] = [
  ['json', 2_048, 60],
  ['hermes', 4_096, 60],
  ['liquid', 8_192, 60],
  ['p-format', 32_768, 60],
  ['hermes', 2_048, 20],
  ['llama', 8_192, 20],
  ['mistral', 4_096, 20],
  ['gemma', 2_048, 20],
  ['functiongemma', 2_048, 20],
  ['granite', 8_192, 20],
  ['phi', 4_096, 20],
  ['deepseek', 8_192, 20],
  ['qwen-xml', 2_048, 20],
];

describe('a long conversation over a page of 41 tools', () => {
  it.each(CASES)(
    '%s, a window of %i, %i requests: the right tool is offered, the prompt fits, the prefix stays',
    async (dialect, window, requests) => {
      const { sent, ran, engine } = await converse(dialect, window, requests);
      const missed = sent.flatMap(([first]) =>
        first && offers(first) ? [] : (first?.wanted ?? '?'),
      );
      expect(missed.length, missed.join()).toBeLessThanOrEqual(2);
      // Enough have run for the tools called lately to fill every place.
      expect(new Set(ran).size).toBeGreaterThan(8);
      const turn = { options: { engine } } as Parameters<typeof promptTokens>[0];
      for (const { request } of sent.flat()) {
        const tokens = promptTokens(turn, request.system, request.messages);
        expect(tokens + request.maxTokens).toBeLessThanOrEqual(window);
      }
      for (const [first, ...rest] of sent) {
        if (first === undefined || !offers(first)) continue;
        for (const { request } of rest) expect(request.system).toBe(first.request.system);
      }
    },
  );
});
