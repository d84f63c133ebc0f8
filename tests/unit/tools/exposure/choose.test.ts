import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDefaultRanker } from '../../../../lib/tools/discovery/default-ranker';
import { NO_PROMOTIONS, promote } from '../../../../lib/tools/discovery/promotion';
import type { Ranker } from '../../../../lib/tools/discovery/ranker';
import { wordRanker } from '../../../../lib/tools/discovery/word-ranker';
import { DEFAULT_SITE, type SiteExposure } from '../../../../lib/tools/exposure/rules';
import { renderTools } from '../../../../lib/tools/render/listing';
import type { JsonSchema, PageTool } from '../../../../lib/tools/tool';
import { CATALOG_41, REQUESTS } from '../../../fixtures/catalog-41';
import { choose, object, pageTool } from './catalog';

const many = (count: number): PageTool[] =>
  Array.from({ length: count }, (_, n) => pageTool(`tool_${String(n).padStart(5, '0')}`));
const names = (choice: ReturnType<typeof choose>): string[] =>
  choice.offered.map(({ name }) => name);
const always = (): SiteExposure => ({ ...DEFAULT_SITE, defer: 'always' });
/** Ranks the named tools first, in that order. */
const ranks =
  (...wanted: string[]): Ranker =>
  (_, tools) =>
    wanted.flatMap((name, at) => {
      const tool = tools.find((candidate) => candidate.name === name);
      return tool === undefined ? [] : [{ key: tool.key, score: 100 - at }];
    });

test('few small tools are all offered, by name, without a search', () => {
  const choice = choose({ tools: [pageTool('b'), pageTool('a')] });
  expect(choice.offered.map(({ name, why }) => [name, why])).toEqual([
    ['a', 'direct'],
    ['b', 'direct'],
  ]);
  expect(choice.left).toEqual([]);
});

test('of many tools the most relevant are offered, the rest is deferred with a reason', () => {
  const choice = choose({ tools: many(30), ranker: ranks('tool_00020', 'tool_00010'), max: 2 });
  expect(choice.offered.map(({ name, why, score }) => [name, why, score])).toEqual([
    ['tool_00010', 'ranked', 99],
    ['tool_00020', 'ranked', 100],
    ['tool_search', 'bridge', undefined],
  ]);
  expect(choice.left).toHaveLength(28);
  expect(choice.left[0]).toEqual({
    name: 'tool_00000',
    key: 'doc/tool_00000',
    why: 'less relevant than the 2 tools offered; deferred for this turn',
  });
  expect(choice.registry.dispatch('tool_00000')).toMatchObject({ kind: 'tool', deferred: true });
});

test('the share is kept: a tool too large for what is left is passed over, smaller ones are not', () => {
  const wordy = object(
    Object.fromEntries(
      Array.from({ length: 14 }, (_, n) => [
        `argument_${n}`,
        { type: 'string', description: `what argument number ${n} is there for, in some words` },
      ]),
    ),
  );
  const large = (name: string): PageTool => pageTool(name, { inputSchema: wordy });
  const tools = [
    large('large_a'),
    large('large_b'),
    large('large_c'),
    large('large_d'),
    pageTool('small'),
  ];
  const ranker = ranks('large_a', 'large_b', 'large_c', 'large_d', 'small');
  const choice = choose({ tools, ranker, window: 3_000 });
  expect(names(choice)).toEqual(['large_a', 'large_b', 'small', 'tool_search']);
  expect(choice.budget.direct).toBeLessThanOrEqual((3_000 - 812) * 0.3);
  expect(choice.left.map(({ why }) => why)).toEqual([
    'over the share of direct tools, 656 tokens; deferred for this turn',
    'over the share of direct tools, 656 tokens; deferred for this turn',
  ]);
});

test('what the user or a recipe made direct stays, beyond max and share', () => {
  const site = (): SiteExposure => ({
    ...DEFAULT_SITE,
    tools: { tool_00029: 'direct' },
    recipe: { exposure: { tool_00028: 'direct' } },
  });
  const choice = choose({ tools: many(30), site, max: 1, ranker: ranks('tool_00003') });
  expect(choice.offered.map(({ name, why }) => [name, why])).toEqual([
    ['tool_00003', 'ranked'],
    ['tool_00028', 'pinned'],
    ['tool_00029', 'pinned'],
    ['tool_search', 'bridge'],
  ]);
});

test('a tool chosen for this request is direct though its site defers; a hidden one is not', () => {
  const site = (): SiteExposure => ({ ...always(), tools: { tool_00002: 'hidden' } });
  const pinned = ['doc/tool_00001', 'doc/tool_00002'];
  expect(names(choose({ tools: many(3), site, pinned }))).toEqual(['tool_00001', 'tool_search']);
});

test('a site that never defers keeps all tools while the window holds them', () => {
  const site = (): SiteExposure => ({ ...DEFAULT_SITE, defer: 'never' });
  expect(names(choose({ tools: many(40), site }))).toHaveLength(40);
  const crowded = choose({ tools: many(400), site, ranker: ranks('tool_00399') });
  expect(names(crowded)).toContain('tool_00399');
  expect(names(crowded)).toContain('tool_search');
  expect(crowded.left.length).toBeGreaterThan(100);
  expect(crowded.left[0]?.why).toContain('does not fit');
  expect(crowded.budget.direct).toBeLessThan(4_096 - 812);
});

test('296 and more tools never switch everything off', () => {
  for (const count of [296, 1_000]) {
    const choice = choose({ tools: many(count) });
    expect(names(choice)).toHaveLength(9);
    expect(choice.left).toHaveLength(count - 8);
  }
});

test.each([
  ['router', createDefaultRanker()],
  ['plain words', wordRanker],
])('tools called lately take no place of the one that is asked for: %s', (_, ranker) => {
  const missed: string[] = [];
  for (const [at, { tool, plain }] of REQUESTS.entries()) {
    const others = REQUESTS.filter((other) => other.tool !== tool).map((other) => other.tool);
    const recent = Array.from({ length: 8 }, (_, n) => others[(at + n * 5) % others.length] ?? '');
    const choice = choose({ tools: CATALOG_41, ask: plain, ranker, recent, window: 8_192 });
    const alone = choose({ tools: CATALOG_41, ask: plain, ranker, window: 8_192 });
    if (names(alone).includes(tool) && !names(choice).includes(tool)) missed.push(tool);
  }
  expect(missed).toEqual([]);
});

test('tools called lately are offered before those that no word of the request speaks for', () => {
  const tools = [...many(30), pageTool('send_invoice')];
  const recent = ['tool_00025', 'cart_add'];
  const ranker = createDefaultRanker();
  const choice = choose({ tools, ask: 'send the invoice', max: 2, recent, ranker });
  expect(choice.offered.map(({ name, why }) => [name, why])).toEqual([
    ['send_invoice', 'ranked'],
    ['tool_00025', 'recent'],
    ['tool_search', 'bridge'],
  ]);
  const again = choose({ tools, ask: 'and once more', max: 1, recent, ranker });
  expect(names(again)[0]).toBe('tool_00025');
});

test('a tool is known as recent by the name the model called it by, too', () => {
  const tools = [...many(10), pageTool('cart.add')];
  const ranker = createDefaultRanker();
  const choice = choose({ tools, max: 1, recent: ['cart_add'], ranker });
  expect(choice.offered[0]).toMatchObject({ name: 'cart_add', why: 'recent' });
});

test('megabytes of description cost a step little, and ten thousand pinned tools are not all costed', () => {
  const wordy = many(20).map((tool) => ({ ...tool, description: 'word '.repeat(400_000) }));
  let counted = 0;
  const count = (text: string): number => {
    counted += text.length;
    return text.length / 4;
  };
  choose({ tools: wordy, listing: 'json', count });
  expect(counted).toBeLessThan(1_000_000);
  counted = 0;
  const site = (): SiteExposure => ({ ...DEFAULT_SITE, defer: 'never' });
  choose({ tools: many(10_000), site, count });
  expect(counted).toBeLessThan(100_000);
});

test("Pagehand's own tools are offered whatever else is", () => {
  const own = [{ key: 'pagehand/ask_user', name: 'ask_user', description: 'Asks.' }];
  const choice = choose({ tools: many(300), own, max: 0 });
  expect(choice.offered.map(({ name, why }) => [name, why])).toEqual([
    ['ask_user', 'built-in'],
    ['tool_search', 'bridge'],
  ]);
});

test('the most relevant last, for models that look there', () => {
  const choice = choose({
    tools: many(30),
    ranker: ranks('tool_00007', 'tool_00003'),
    max: 2,
    order: 'relevance-last',
  });
  expect(names(choice)).toEqual(['tool_00003', 'tool_00007', 'tool_search']);
});

test('the budget adds up and tells what deferral saved', () => {
  const { budget, offered } = choose({ tools: many(100), count: (text) => text.length });
  const [direct, bridge] = [offered.slice(0, -1), offered.slice(-1)];
  const sum = (list: typeof offered): number => list.reduce((all, { tokens }) => all + tokens, 0);
  expect(budget).toMatchObject({
    direct: sum(direct),
    manifest: sum(bridge),
    promoted: 0,
    window: 4_096,
    instructions: 300,
    history: 200,
    reply: 512,
  });
  expect(budget.allToolsTokens).toBe(100 * 'tool_00000(): Does tool 00000.'.length);
  expect(budget.schemaBytes).toBe(JSON.stringify(offered.map(({ tool }) => tool)).length);
});

/** The text of the prompt's tools after each step of a turn. */
const prefix = (choice: ReturnType<typeof choose>): string =>
  renderTools(choice.listing, choice.tools);

test('without discovery every step of a turn has byte for byte the same tools', () => {
  const properties = fc.dictionary(
    fc.string({ maxLength: 6 }),
    fc.constantFrom<JsonSchema>({ type: 'string' }, { type: 'integer' }, {}),
  );
  const tool = fc.record({
    name: fc.string({ maxLength: 12 }),
    description: fc.string(),
    properties,
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(tool, { selector: ({ name }) => name, maxLength: 20 }),
      fc.nat(6),
      (given, max) => {
        const collect = (): PageTool[] =>
          given.map(({ name, description, properties: args }) =>
            pageTool(name, { description, inputSchema: object(structuredClone(args)) }),
          );
        // A ranker that changes its mind: the choice must not follow it within a turn.
        let calls = 0;
        const ranker: Ranker = (_, tools) =>
          ++calls % 2 === 0 ? [] : tools.map(({ key }, at) => ({ key, score: at + 1 }));
        const first = choose({ tools: collect(), max, ranker });
        const second = choose({ tools: collect(), max, ranker, previous: first, history: 900 });
        const third = choose({
          tools: collect().reverse(),
          max,
          ranker,
          previous: choose({
            tools: collect(),
            max,
            ranker,
            previous: second,
            recent: given.map(({ name }) => name),
          }),
        });
        expect(prefix(second)).toBe(prefix(first));
        expect(third.offered.map(({ name }) => name)).toEqual(
          first.offered.map(({ name }) => name),
        );
      },
    ),
    { numRuns: 50 },
  );
});

test('a discovery changes the prefix once; promoted tools stand between direct ones and the search', () => {
  const tools = ['read_file', 'stock_quote', 'weather'].map((name) => pageTool(name));
  const site = (): SiteExposure => ({ ...always(), tools: { read_file: 'direct' } });
  const first = choose({ tools, site });
  expect(names(first)).toEqual(['read_file', 'tool_search']);
  const found = first.registry.get('stock_quote');
  const promotions = promote(first.promotions, found === undefined ? [] : [found]);
  const second = choose({ tools, site, promotions, previous: first });
  const third = choose({ tools, site, promotions: second.promotions, previous: second });
  expect(second.offered.map(({ name, why }) => [name, why])).toEqual([
    ['read_file', 'pinned'],
    ['stock_quote', 'promoted'],
    ['tool_search', 'bridge'],
  ]);
  expect(prefix(third)).toBe(prefix(second));
  expect(prefix(second).replace(/stock_quote\(.*\n/, '')).toBe(prefix(first));
  expect(second.registry.dispatch('stock_quote')).toMatchObject({ deferred: true });
  expect(second.left.map(({ name }) => name)).toEqual(['weather']);
});

test('a tool that appears or vanishes changes the choice; promotions of vanished tools go', () => {
  const tools = ['a', 'b'].map((name) => pageTool(name));
  const first = choose({ tools, site: always });
  const promotions = promote(NO_PROMOTIONS, first.registry.entries);
  const second = choose({ tools: tools.slice(1), site: always, promotions, previous: first });
  expect(names(second)).toEqual(['b', 'tool_search']);
  expect(second.promotionNotes.dropped).toMatchObject([
    { name: 'a', why: 'no longer on the page' },
  ]);
  const third = choose({
    tools: [...tools, pageTool('c')],
    site: always,
    promotions: second.promotions,
    previous: second,
  });
  expect(names(third)).toEqual(['b', 'tool_search']);
  expect(third.tools.at(-1)?.description).toContain('c: Does c');
});

test('no ranker failure reaches the step', () => {
  const ranker: Ranker = () => {
    throw new Error('index broken');
  };
  expect(names(choose({ tools: many(30), ranker, max: 3 }))).toEqual([
    'tool_00000',
    'tool_00001',
    'tool_00002',
    'tool_search',
  ]);
});

test('the manifest keeps within its share of the window', () => {
  const tools = Array.from({ length: 60 }, (_, n) =>
    pageTool(`deferred_tool_${n}`, {
      description: 'Does what its long first sentence says it does.',
    }),
  );
  const small = choose({ tools, site: always });
  expect(small.policy.manifestTokenBudget).toBe(327);
  expect(small.tools.at(-1)?.description).toContain('deferred_tool_0, deferred_tool_1, ');
  const large = choose({ tools, site: always, window: 64_000 });
  expect(large.tools.at(-1)?.description).toContain('- deferred_tool_0: Does what');
});

test('a tool that changes is ranked anew', () => {
  const words: Ranker = (query, tools) =>
    tools
      .filter(({ description }) => description.includes(query))
      .map(({ key }) => ({ key, score: 1 }));
  const before = many(20);
  const first = choose({ tools: before, max: 1, ask: 'mugs', ranker: words });
  expect(names(first)).toEqual(['tool_00000', 'tool_search']);
  const now = before.map((tool, n) => (n === 7 ? { ...tool, description: 'Sells mugs.' } : tool));
  const second = choose({ tools: now, max: 1, ask: 'mugs', ranker: words, previous: first });
  expect(names(second)).toEqual(['tool_00007', 'tool_search']);
});
