import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDefaultRanker } from '../../../../lib/tools/discovery/default-ranker';
import { rankCandidates } from '../../../../lib/tools/discovery/ranker';
import { wordRanker } from '../../../../lib/tools/discovery/word-ranker';
import type { PageTool } from '../../../../lib/tools/tool';
import { choose, object, pageTool } from '../exposure/catalog';

const candidates = (tools: PageTool[]) => rankCandidates(choose({ tools }).entries);
const SHOP = [
  pageTool('search_products', { description: 'Search the catalogue by a key word.' }),
  pageTool('add_to_cart', { description: 'Add a product to the cart.' }),
  pageTool('kasse', { title: 'Checkout', description: 'Zur Kasse.' }),
];

test('the tool that fits comes first; what does not fit is not named', () => {
  const rank = createDefaultRanker();
  const hits = rank('put two mugs into the cart', candidates(SHOP), 5);
  expect(hits[0]?.key).toBe('doc/add_to_cart');
  expect(hits.every(({ score }) => score > 0)).toBe(true);
  expect(rank('qqqq', candidates(SHOP), 5)).toEqual([]);
  expect(rank('cart', candidates(SHOP), 0)).toEqual([]);
  expect(rank('cart', [], 5)).toEqual([]);
});

test('a title is found, and a name that the model knows otherwise', () => {
  const rank = createDefaultRanker();
  expect(rank('checkout', candidates(SHOP), 1)[0]?.key).toBe('doc/kasse');
  const spelled = candidates([pageTool('größe.ändern', { description: '' })]);
  expect(spelled[0]?.name).not.toContain('ä');
  expect(rank('ändern', spelled, 1)[0]?.key).toBe('doc/größe.ändern');
});

test('the only tool of a catalog can be found', () => {
  const hits = createDefaultRanker()('weather', candidates([pageTool('weather_forecast')]), 5);
  expect(hits.map(({ key }) => key)).toEqual(['doc/weather_forecast']);
});

test('a hostile tool does not keep the others from being found', () => {
  let deep = {};
  for (let n = 0; n < 400; n++) deep = { type: 'object', properties: { a: deep } };
  const tools = [
    ...SHOP,
    pageTool('deep', { inputSchema: object({ deep }) }),
    pageTool('long', { description: 'cart '.repeat(100_000), title: 'x'.repeat(1_000_000) }),
  ];
  const hits = createDefaultRanker()('search the catalogue', candidates(tools), 3);
  expect(hits[0]?.key).toBe('doc/search_products');
  expect(createDefaultRanker()('cart '.repeat(5_000), candidates(tools), 3)).not.toEqual([]);
});

test('a definition that the index refuses does not take others with it', () => {
  const [first, second, third] = candidates(SHOP);
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('no tools');
  const hits = createDefaultRanker()('cart', [first, { ...third, name: '' }, second], 5);
  expect(hits[0]?.key).toBe('doc/add_to_cart');
  expect(hits.map(({ key }) => key)).not.toContain('doc/kasse');
});

test('a tool that left is not found any more', () => {
  const tools = Array.from({ length: 10 }, (_, n) => pageTool(`cart_${n}`));
  const rank = createDefaultRanker();
  expect(rank('cart', candidates(tools), 20)).toHaveLength(10);
  const keys = rank('cart', candidates(tools.slice(1)), 20).map(({ key }) => key);
  expect(keys).toHaveLength(9);
  expect(keys).not.toContain('doc/cart_0');
});

const word = fc.constantFrom('cart', 'mug', 'price', 'order', 'ship', 'find');
const tool = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  words: fc.array(word),
});
const catalog = fc
  .uniqueArray(tool, { selector: ({ name }) => name })
  .map((tools) => tools.map(({ name, words }) => pageTool(name, { description: words.join(' ') })));

test('an index kept over changing catalogs ranks like a new one', () => {
  fc.assert(
    fc.property(fc.array(catalog, { minLength: 2, maxLength: 5 }), word, (catalogs, query) => {
      const kept = createDefaultRanker();
      for (const tools of catalogs) kept(query, candidates(tools), 10);
      const last = candidates(catalogs.at(-1) ?? []);
      const keys = (rank: typeof kept) =>
        rank(query, last, 10)
          .map(({ key }) => key)
          .sort();
      expect(keys(kept)).toEqual(keys(createDefaultRanker()));
    }),
    { numRuns: 15 },
  );
});

test('the plain rule of word overlap ranks too', () => {
  const hits = wordRanker('search the catalogue', candidates(SHOP), 1);
  expect(hits.map(({ key }) => key)).toEqual(['doc/search_products']);
});
