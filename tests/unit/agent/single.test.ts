import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../lib/agent/events';
import { exchangeOf } from '../../../lib/agent/history';
import { foldTranscript } from '../../../lib/agent/transcript';
import { add, call, fakePage, gives, runTurn, say, search, tool } from './scripted';

const found = gives({ items: [{ slug: 'blue-mug', name: 'Blue mug', price: 9 }] });

describe('a turn', () => {
  it('looks up, acts with approval, and answers', async () => {
    const run = await runTurn({
      script: [
        {
          sees: [
            'user: add two blue mugs to the cart',
            'search_products',
            'date: Monday 2026-11-30',
          ],
          reply: call('search_products', { query: 'blue mug' }),
        },
        { sees: ['slug: blue-mug'], reply: call('add_to_cart', { slug: 'blue-mug', qty: 2 }) },
        { sees: ['items: 2'], reply: say('Two blue mugs are in the cart.') },
      ],
      outcomes: { search_products: found, add_to_cart: gives({ items: 2 }) },
    });
    expect(run.end).toMatchObject({ reason: 'answered', steps: 3, message: '' });
    expect(run.page.calls).toEqual([
      { name: 'search_products', arguments: { query: 'blue mug' } },
      { name: 'add_to_cart', arguments: { slug: 'blue-mug', qty: 2 } },
    ]);
    expect(run.approvals.map((request) => request.tool.name)).toEqual(['add_to_cart']);
    expect(
      run
        .of('text')
        .map((event) => event.text)
        .join(''),
    ).toBe('Two blue mugs are in the cart.');
    expect(run.types.filter((type) => type !== 'text')).toEqual([
      'step-started',
      'catalog-collected',
      'tools-advertised',
      'tools-chosen',
      'prompt-sent',
      'model-replied',
      'call-proposed',
      'call-started',
      'call-finished',
      'step-started',
      'catalog-collected',
      'tools-chosen',
      'prompt-sent',
      'model-replied',
      'call-proposed',
      'approval-asked',
      'approval-answered',
      'call-started',
      'call-finished',
      'step-started',
      'catalog-collected',
      'tools-chosen',
      'prompt-sent',
      'model-replied',
      'brief-updated',
      'turn-ended',
    ]);
  });

  it('answers without a tool', async () => {
    const run = await runTurn({ ask: 'hello', script: [{ reply: say('Hello!') }] });
    expect(run.end.reason).toBe('answered');
    expect(run.page.calls).toEqual([]);
  });

  it('keeps the prefix byte for byte while the page stays the same', async () => {
    const run = await runTurn({
      script: [
        { reply: call('search_products', { query: 'mug' }) },
        { reply: call('view_cart') },
        { reply: say('Done.') },
      ],
      outcomes: { search_products: found },
    });
    expect(new Set(run.of('prompt-sent').map((event) => event.prefix)).size).toBe(1);
    const [first, second, third] = run.engine.requests;
    expect(second?.system).toBe(first?.system);
    expect(third?.messages.slice(0, 3)).toEqual(second?.messages);
  });

  it('reads the tools afresh before every step', async () => {
    const page = fakePage([search], {
      search_products: () => {
        page.tools = [search, add];
        return found;
      },
    });
    const run = await runTurn({
      page,
      script: [
        {
          tools: ['ask_user', 'search_products'],
          reply: call('search_products', { query: 'mug' }),
        },
        { tools: ['add_to_cart', 'ask_user', 'search_products'], reply: say('Found it.') },
      ],
    });
    expect(run.end.reason).toBe('answered');
    expect(run.of('catalog-collected').at(1)?.appeared).toEqual([add.name]);
  });
});

describe('what was said before', () => {
  const earlier = {
    ask: 'show me mugs',
    answer: 'There are two.',
    calls: [
      {
        name: 'search_products',
        arguments: { query: 'mugs' },
        shown: '1. slug: m-1\n2. slug: m-2',
      },
    ],
  };
  const older = { ...earlier, ask: 'show me cups', answer: 'There are none.' };

  it('is repeated, for the last exchange with its calls and their fenced results', async () => {
    const run = await runTurn({
      ask: 'add the second one',
      history: { brief: 'Asked: show me cups.', exchanges: [older, earlier] },
      script: [{ reply: call('add_to_cart', { slug: 'm-2' }) }, { reply: say('Added.') }],
    });
    expect(run.engine.requests[0]?.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(run.engine.requests[0]?.messages[4]?.content).toBe(
      '<data-id1>\n1. slug: m-1\n2. slug: m-2\n</data-id1>',
    );
    expect(run.engine.requests[0]?.system).toContain('Asked: show me cups.');
    expect(run.of('call-proposed')[0]?.unsourced).toEqual([]);
  });

  it('gives way where the window is small: first the calls, then the exchanges', async () => {
    const long = {
      ...earlier,
      calls: [{ ...earlier.calls[0], shown: 'x'.repeat(600) }] as typeof earlier.calls,
    };
    for (const [window, roles] of [
      [2000, ['user', 'assistant', 'tool', 'assistant', 'user']],
      [700, ['user', 'assistant', 'user']],
      [100, ['user']],
    ] as const) {
      const run = await runTurn({
        window,
        limits: { maxReplyTokens: 16 },
        history: { brief: '', exchanges: [long] },
        script: [{ reply: say('Added.') }],
      });
      expect(run.engine.requests[0]?.messages.map((message) => message.role)).toEqual(roles);
    }
  });

  it('is read from the log of a turn', async () => {
    const first = await runTurn({
      script: [
        { reply: call('search_products', { query: 'blue mug' }) },
        { reply: say('There is one.') },
      ],
      outcomes: { search_products: found },
    });
    const log = first.events.map((event, n) => ({
      ...event,
      id: `e${n}`,
      at: n,
      conversationId: 'c',
      turnId: 't',
    }));
    const [turn] = foldTranscript(log as AgentEvent[]);
    if (turn === undefined) throw new Error('no turn');
    expect(exchangeOf({ ...turn, ask: 'is there one?' })).toEqual({
      ask: 'is there one?',
      answer: 'There is one.',
      calls: [
        {
          name: 'search_products',
          origin: 'https://shop.example',
          arguments: { query: 'blue mug' },
          shown: 'items: 1 entry\n1. slug: blue-mug, name: Blue mug, price: 9',
        },
      ],
    });
  });
});

describe('a long turn in a small window', () => {
  it('leaves older results out, keeps the last one, and says so once for each time', async () => {
    const long = gives('word '.repeat(200));
    const run = await runTurn({
      window: 4096,
      limits: { maxSteps: 8, resultCharacters: 2000 },
      pageTools: ['a', 'b', 'c', 'd', 'e'].map((name) => tool(`read_${name}`, { reads: true })),
      outcomes: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`read_${name}`, long])),
      script: [
        ...['a', 'b', 'c', 'd', 'e'].map((name) => ({ reply: call(`read_${name}`) })),
        { reply: say('Read.') },
      ],
    });
    const results = run.engine.requests.at(-1)?.messages.filter((m) => m.role === 'tool') ?? [];
    expect(results.map((message) => message.content.startsWith('(left out'))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    // Four results are over a quarter of the window, and five again.
    expect(run.of('notice')).toHaveLength(2);
  });
});
