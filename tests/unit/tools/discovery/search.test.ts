import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDefaultRanker } from '../../../../lib/tools/discovery/default-ranker';
import { discoveryPolicy } from '../../../../lib/tools/discovery/policy';
import type { HostRanker, HostRankHit } from '../../../../lib/tools/discovery/ranker';
import {
  type SearchSetup,
  searchedEvent,
  searchTools,
} from '../../../../lib/tools/discovery/search';
import { DEFAULT_SITE } from '../../../../lib/tools/exposure/rules';
import type { JsonValue } from '../../../../lib/tools/tool';
import { choose, object, pageTool } from '../exposure/catalog';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const TOOLS = [
  pageTool('stock_quote', {
    description: 'Fetch the latest price for a ticker symbol.',
    inputSchema: object({ symbol: { type: 'string' } }, ['symbol']),
  }),
  pageTool('send_mail', { description: 'Send a message to somebody.' }),
  pageTool('weather', { description: 'Tell the weather of a place.' }),
  pageTool('secret', { description: 'Fetch the latest price for a ticker symbol.' }),
];
const STEP = choose({
  tools: TOOLS,
  site: () => ({ ...DEFAULT_SITE, defer: 'always', tools: { secret: 'hidden' } }),
});

const setup = (given: Partial<SearchSetup> = {}): SearchSetup => ({
  deferred: STEP.registry.deferred(),
  policy: discoveryPolicy(),
  bm25: createDefaultRanker(),
  prepare: (entry) => ({
    name: entry.name,
    description: entry.tool.description,
    parameters: entry.schema,
  }),
  now: () => 0,
  ...given,
});
const search = (args: JsonValue, given: Partial<SearchSetup> = {}) =>
  searchTools(args, setup(given), new AbortController().signal);
const hosted = (
  answer: () => Promise<readonly HostRankHit[]>,
): { ranker: HostRanker; rank: ReturnType<typeof vi.fn> } => {
  const rank = vi.fn(answer);
  return { ranker: { name: 'decider', rank }, rank };
};
const hit = (name: string, confidence: number | null = null): HostRankHit => ({
  key: `doc/${name}`,
  score: 1,
  confidence,
});

test('what is found comes with its full schema, and never a hidden tool', async () => {
  const answer = await search({ query: 'price of a stock' });
  expect(JSON.parse(answer.text)).toEqual([
    {
      name: 'stock_quote',
      description: 'Fetch the latest price for a ticker symbol.',
      parameters: object({ symbol: { type: 'string' } }, ['symbol']),
    },
  ]);
  expect(answer.facts).toEqual({
    query: 'price of a stock',
    matched: ['stock_quote'],
    ranker: 'bm25',
    topConfidence: null,
    fallback: null,
    shadowMatched: null,
    latencyMs: 0,
  });
});

test('no match is an answer, not an error', async () => {
  const answer = await search({ query: 'qqqqqq zzzzzz' });
  expect(answer).toMatchObject({ ok: true, matches: [] });
  expect(answer.text).toContain('No match among the 3 tools');
});

test.each<[JsonValue, number]>([
  [{ query: 'a' }, 5],
  [{ query: 'a', limit: 2 }, 2],
  [{ query: 'a', limit: '3' }, 3],
  [{ query: 'a', limit: 0 }, 1],
  [{ query: 'a', limit: 900 }, 20],
  [{ query: 'a', limit: 'many' }, 5],
  [{ q: ' a ', limit: 2.9 }, 2],
  [{ query: ' ', search: 'a' }, 5],
  ['a', 5],
])('%j asks for %i matches', async (args, limit) => {
  const bm25 = vi.fn(() => []);
  await search(args, { bm25 });
  expect(bm25).toHaveBeenCalledWith('a', expect.anything(), limit);
});

test.each<JsonValue>([{}, { query: '  ' }, { query: 7 }, null, []])(
  '%j is told what is missing, and nothing is ranked',
  async (args) => {
    const bm25 = vi.fn(() => []);
    const answer = await search(args, { bm25 });
    expect(answer).toMatchObject({ ok: false, facts: { ranker: '', query: '' } });
    expect(answer.text).toContain('"query"');
    expect(bm25).not.toHaveBeenCalled();
  },
);

test('limits out of order are put in order', () => {
  expect(discoveryPolicy({ maxLimit: 0, defaultLimit: 50 })).toMatchObject({
    maxLimit: 1,
    defaultLimit: 1,
  });
  expect(discoveryPolicy({ maxLimit: 3 })).toMatchObject({ maxLimit: 3, defaultLimit: 3 });
  expect(discoveryPolicy()).toEqual({
    enabled: true,
    manifestTokenBudget: 4_000,
    defaultLimit: 5,
    maxLimit: 20,
  });
});

test("a host's ranker serves; invented and hidden keys never reach the model", async () => {
  const { ranker } = hosted(async () => [hit('invented'), hit('secret'), hit('weather', 0.7)]);
  const answer = await search({ query: 'price' }, { ranker });
  expect(answer.facts).toMatchObject({
    matched: ['weather'],
    ranker: 'decider',
    topConfidence: 0.7,
    fallback: null,
    shadowMatched: null,
  });
});

test('mode bm25 does not even ask the host', async () => {
  const { ranker, rank } = hosted(async () => [hit('weather')]);
  const answer = await search({ query: 'price' }, { ranker, mode: 'bm25' });
  expect(rank).not.toHaveBeenCalled();
  expect(answer.facts).toMatchObject({ matched: ['stock_quote'], ranker: 'bm25', fallback: null });
});

test('mode compare serves the host and reports what BM25 would have said', async () => {
  const { ranker } = hosted(async () => [hit('weather')]);
  const answer = await search({ query: 'price' }, { ranker, mode: 'compare' });
  expect(answer.facts).toMatchObject({ matched: ['weather'], shadowMatched: ['stock_quote'] });
  expect(answer.text).not.toContain('stock_quote');
});

test.each<[string, () => Promise<readonly HostRankHit[]>]>([
  ['failed: out of memory', () => Promise.reject(new Error('out of memory'))],
  ['returned no match', () => Promise.resolve([])],
  ['returned no match', () => Promise.resolve([hit('invented')])],
])('a host ranker that %s is replaced by BM25', async (fallback, answerOf) => {
  const { ranker } = hosted(answerOf);
  const answer = await search({ query: 'price' }, { ranker, mode: 'compare' });
  expect(answer.facts).toMatchObject({
    matched: ['stock_quote'],
    ranker: 'bm25',
    fallback,
    shadowMatched: null,
  });
});

test('a host ranker that throws at once or is late is replaced by BM25', async () => {
  const throwing: HostRanker = {
    name: 'decider',
    rank: () => {
      throw new Error('no model');
    },
  };
  expect((await search({ query: 'price' }, { ranker: throwing })).facts.fallback).toBe(
    'failed: no model',
  );
  let told: AbortSignal | undefined;
  const late: HostRanker = {
    name: 'decider',
    rank: (_query, _tools, _limit, signal) => {
      told = signal;
      return new Promise(() => {});
    },
  };
  const answer = search({ query: 'price' }, { ranker: late, timeLimitMs: 500 });
  await vi.advanceTimersByTimeAsync(500);
  expect((await answer).facts).toMatchObject({
    matched: ['stock_quote'],
    fallback: 'took longer than 500 ms',
  });
  expect(told?.aborted).toBe(true);
});

test('even a broken built-in ranker gives an answer', async () => {
  const answer = await search(
    { query: 'price' },
    {
      bm25: () => {
        throw new Error('index broken');
      },
    },
  );
  expect(answer).toMatchObject({
    ok: true,
    matches: [],
    facts: { fallback: 'failed: index broken' },
  });
});

test('Stop ends a search with its own reason', async () => {
  const stop = new AbortController();
  const { ranker } = hosted(() => new Promise(() => {}));
  const answer = searchTools({ query: 'price' }, setup({ ranker }), stop.signal);
  stop.abort(new Error('stopped'));
  await expect(answer).rejects.toThrow('stopped');
  await expect(searchTools({ query: 'x' }, setup(), stop.signal)).rejects.toThrow('stopped');
});

test('query and error texts are told only under capture', async () => {
  const { ranker } = hosted(() => Promise.reject(new Error('cannot rank "my salary"')));
  const { facts } = await search({ query: 'my salary' }, { ranker });
  expect(searchedEvent(facts, 'c1', false)).toMatchObject({
    callId: 'c1',
    query: '',
    fallback: 'failed',
  });
  expect(JSON.stringify(searchedEvent(facts, 'c1', false))).not.toContain('salary');
  expect(searchedEvent(facts, 'c1', true)).toMatchObject({
    query: 'my salary',
    fallback: 'failed: cannot rank "my salary"',
  });
});

test('an answer is shortened to fit: the best match keeps its schema, then the last matches go', async () => {
  const wordy = object(
    Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        `a${n}`,
        { type: 'string', description: 'x'.repeat(99) },
      ]),
    ),
  );
  const tools = Array.from({ length: 20 }, (_, n) =>
    pageTool(`find_${n}`, { inputSchema: wordy, description: 'Find it. '.repeat(100) }),
  );
  const step = choose({ tools, site: () => ({ ...DEFAULT_SITE, defer: 'always' }) });
  const deferred = step.registry.deferred();
  const at = async (maxAnswerBytes: number) =>
    (await search({ query: 'find', limit: 20 }, { deferred, maxAnswerBytes })).text;
  for (const bytes of [80_000, 30_000, 10_000, 1_000, 200]) {
    const text = await at(bytes);
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(bytes);
    expect(JSON.parse(text).length).toBeGreaterThan(0);
  }
  expect(JSON.parse(await at(80_000))[0].parameters).toEqual(wordy);
  expect(Object.keys(JSON.parse(await at(30_000))[0].parameters.properties)).toHaveLength(20);
  for (const bytes of [6_000, 3_000]) {
    const [best, ...others] = JSON.parse(await at(bytes));
    expect(Object.keys(best.parameters.properties)).toHaveLength(20);
    expect(others.at(-1)).not.toHaveProperty('parameters');
  }
  expect(JSON.parse(await at(80_000))[0].description).toHaveLength(500);
});
