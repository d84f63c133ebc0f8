import type { Page } from 'puppeteer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../lib/agent/events';
import {
  CHATML,
  compileScriptedModel,
  PROMPT_VOCABULARY,
  type ScriptedModel,
} from '../../fixtures/scripted-gguf/compile';
import { drive, type Panel } from '../chat/panel';
import { Harness, until } from '../harness';
import { openHost } from './host';
import { ModelServer } from './model-server';

/** A small library that lends books. */
const LIBRARY = `<!doctype html><html lang="en"><title>Library</title><h1>Library</h1><script>
  globalThis.calls = [];
  const tools = [
    {
      name: 'find_books',
      description: 'Find books.',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      annotations: { readOnlyHint: true },
      execute: (input) => { calls.push(['find_books', input]); return { books: [{ ref: 'bk-41' }] }; },
    },
    {
      name: 'reserve_book',
      description: 'Reserve a book.',
      inputSchema: {
        type: 'object',
        // A grammar holds no pattern, so the page can still have to refuse.
        properties: { ref: { type: 'string', pattern: '^bk-' }, copies: { type: 'integer' } },
        required: ['ref'],
      },
      execute: (input) => { calls.push(['reserve_book', input]); return 'Reserved as ZX-9'; },
    },
  ];
  const context = document.modelContext ?? navigator.modelContext;
  for (const tool of tools) context.registerTool(tool);
</script></html>`;

/** What the model does, by the word in the request that makes it do so. */
const SCRIPT: ScriptedModel = {
  template: CHATML,
  contextLength: 32_768,
  vocabulary: PROMPT_VOCABULARY,
  fallback: { pieces: ['Hello', ' from', ' llama.cpp'] },
  intents: [
    {
      keywords: ['quokka'],
      pieces: [
        '<think>',
        'A book',
        ' it is',
        '</think>',
        'I look',
        ' it up',
        '.\n<tool_call>\n{"name": "find_books"',
        ', "arguments": {"query": "lighthouse',
        '"}}\n</tool_call>',
      ],
    },
    {
      // what the search finds
      keywords: ['bk-41'],
      priority: 20,
      pieces: [
        'Found',
        ' one.\n<tool_call>\n{"name": "reserve_book"',
        ', "arguments": {"ref": "bk-',
        '41", "copies": 2}}',
        '\n</tool_call>',
      ],
    },
    // what the reservation says
    { keywords: ['ZX-9'], priority: 500, pieces: ['Two copies', ' are yours', '!'.repeat(3)] },
    {
      keywords: ['wombat'],
      pieces: [
        'Many',
        ' copies.\n<tool_call>\n{"name": "reserve_book", "arguments":',
        ' {"ref": "b',
        '7", "copies": 3}}\n',
        '</tool_call> ',
      ],
    },
    // what Pagehand says about the reference
    { keywords: ['must match'], priority: 500, pieces: ['References', ' begin with', ' bk..'] },
    { keywords: ['endlessly'], endless: true, pieces: [' and', ' so', ' forth'] },
    { keywords: ['silently'], pieces: [] },
  ],
};

/** Another family: its calls are not held to a grammar, and this one writes them badly. */
const SLOPPY: ScriptedModel = {
  template: `${CHATML}{# [TOOL_CALLS] #}`,
  contextLength: 32_768,
  vocabulary: PROMPT_VOCABULARY,
  fallback: { pieces: ['Hm', ' what?'] },
  intents: [
    {
      keywords: ['quokka'],
      pieces: [
        '[TOOL_CALLS][{"name": ',
        "'find_books', ",
        "'arguments': {'query':",
        " 'whales',}}]",
      ],
    },
    { keywords: ['bk-41'], priority: 20, pieces: ['One book', ' was', ' found..'] },
    {
      keywords: ['wombat'],
      pieces: ['[TOOL_CALLS][{"name": "find_', 'movies", "arguments"', ': {}}]'],
    },
    { keywords: ['find_movies'], priority: 300, pieces: ['There are', ' only', ' books here..'] },
  ],
};

let server: ModelServer;
let harness: Harness;
let host: Awaited<ReturnType<typeof openHost>>;
let page: Page;
let chat: Panel;

beforeAll(async () => {
  server = await ModelServer.start({
    '/good.gguf': compileScriptedModel(SCRIPT),
    '/sloppy.gguf': compileScriptedModel(SLOPPY),
  });
  harness = await Harness.start({ '/': LIBRARY });
  host = await openHost(harness);
}, 120_000);
afterAll(async () => {
  await harness?.stop();
  await server?.stop();
});

async function use(path: string): Promise<void> {
  const model = server.origin + path;
  await host.set({ engine: 'wllama', models: { wllama: model } });
  await host.call('loadEngine', { engine: 'wllama', model });
}
beforeEach(async () => {
  page = await harness.open(`${harness.origin}/`);
  chat = drive(await harness.sidePanel(page));
  await until('two tools on the chip', async () => /\b2\b/.test(await chat.chip()));
});
afterEach(async () => {
  await chat.panel.close();
  await page.close();
});
const calls = () => page.evaluate('calls') as Promise<[string, unknown][]>;
const events = () => host.events(`${harness.origin}/`);
type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;
async function all<T extends AgentEvent['type']>(type: T): Promise<EventOf<T>[]> {
  return (await events()).filter((event): event is EventOf<T> => event.type === type);
}

test('a turn never downloads a model; it says what to do', async () => {
  await host.set({ engine: 'wllama', models: { wllama: `${server.origin}/good.gguf` } });
  await chat.ask('a quokka');
  expect(await chat.ended()).toBe('engine-failed');
  expect(await chat.lastTurn()).toMatch(/not on this machine/);
  expect(server.requests).toEqual([]);
});

describe('a real model in the real host', { timeout: 120_000 }, () => {
  beforeAll(() => use('/good.gguf'), 120_000);

  test('thinks, calls, reads, asks, calls again and answers', async () => {
    await chat.ask('a quokka');
    await chat.card('reserve_book', 'awaiting-approval');
    expect(await calls()).toEqual([['find_books', { query: 'lighthouse' }]]);
    await chat.press('approve');
    expect(await chat.ended()).toBe('answered');
    expect(await chat.cards()).toEqual(['find_books done', 'reserve_book done']);
    expect((await calls())[1]).toEqual(['reserve_book', { ref: 'bk-41', copies: 2 }]);
    const shown = await chat.lastTurn();
    expect(shown).toContain('I look it up.');
    expect(shown).toContain('Two copies are yours');
    expect(shown).not.toContain('<tool_call>');

    const texts = await all('text');
    expect(texts.some((text) => text.channel === 'thinking' && /A book/.test(text.text))).toBe(
      true,
    );
    // Step by step only what is new is read: all that was there before comes from the cache.
    const replies = await all('model-replied');
    expect(replies).toHaveLength(3);
    for (const [i, reply] of replies.slice(1).entries()) {
      const before = replies[i];
      const known = (before?.promptTokens ?? 0) + (before?.completionTokens ?? 0);
      expect(reply.reusedTokens / known).toBeGreaterThan(0.97);
    }
    for (const reply of replies) {
      expect(reply.firstTokenMs).toBeGreaterThan(0);
      expect(reply.tokensPerSecond).toBeGreaterThan(0);
    }
  });

  test('arguments the page refuses go back to the model, and nothing runs', async () => {
    await chat.ask('a wombat');
    expect(await chat.ended()).toBe('answered');
    expect(await chat.cards()).toEqual(['reserve_book invalid']);
    expect(await chat.lastTurn()).toContain('References begin with bk');
    expect(await calls()).toEqual([]);
  });

  test('Stop in mid-stream, three times, and it goes on', async () => {
    for (const time of ['first', 'second', 'third']) {
      await chat.ask(`endlessly, ${time} time`);
      await until('some of it', async () => /and so forth/.test(await chat.lastTurn()));
      await chat.press('stop');
      expect(await chat.ended()).toBe('stopped');
    }
    await chat.panel.close();
    await page.close();
    page = await harness.open(`${harness.origin}/`);
    chat = drive(await harness.sidePanel(page));
    await chat.ask('hello there');
    expect(await chat.ended()).toBe('answered');
    expect(await chat.lastTurn()).toContain('Hello from llama.cpp');
  });

  test('an empty reply ends the turn in words', async () => {
    await chat.ask('silently');
    expect(await chat.ended()).toBe('empty-answer');
  });

  test('is loaded again from the store for the next request, without asking anybody', async () => {
    await host.call('unloadEngine', {});
    const before = server.requests.length;
    await chat.ask('hello there');
    expect(await chat.ended()).toBe('answered');
    expect(server.requests.length).toBe(before);
  });

  test('outlives the worker and the panel in mid-reply', async () => {
    await chat.ask('endlessly, please');
    await until('some of it', async () => /and so forth/.test(await chat.lastTurn()));
    await harness.killWorker();
    await chat.panel.close();
    chat = drive(await harness.sidePanel(page));
    await until('more of it', async () => (await chat.lastTurn()).length > 500);
    await chat.press('stop');
    expect(await chat.ended()).toBe('stopped');
  });
});

describe('a model that writes calls badly', { timeout: 120_000 }, () => {
  beforeAll(() => use('/sloppy.gguf'), 120_000);

  test('is understood where it can be', async () => {
    await chat.ask('a quokka');
    expect(await chat.ended()).toBe('answered');
    expect(await calls()).toEqual([['find_books', { query: 'whales' }]]);
    expect(await chat.lastTurn()).toContain('One book was found');
  });

  test('is told where it cannot', async () => {
    await chat.ask('a wombat');
    expect(await chat.ended()).toBe('answered');
    expect(await chat.lastTurn()).toContain('There are only books here');
    expect(await calls()).toEqual([]);
  });
});
