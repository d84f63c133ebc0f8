import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRouterRank } from '../../../lib/engines/instant/router-rank';
import type { CompactTool, JsonObject } from '../../../lib/tools/tool';

const tool = (name: string, description: string): CompactTool => ({
  name,
  description,
  parameters: { type: 'object', properties: {} },
});
const SHOP = [
  tool('search_products', 'Find products by key words.'),
  tool('track_parcel', 'Tell where a parcel is.'),
  tool('contact_support', 'Write to the support team.'),
];

/** Deeper than anything the router reads. */
const deep = (): JsonObject => {
  let schema: JsonObject = { type: 'string' };
  for (let i = 0; i < 400; i++) schema = { type: 'object', properties: { inner: schema } };
  return schema;
};

it('one definition that cannot be indexed does not take the others with it', () => {
  const broken = { ...tool('broken', 'Find parcels.'), parameters: deep() };
  const scores = createRouterRank()([broken, ...SHOP], 'where is my parcel');
  expect(scores.get('track_parcel')).toBe(1);
  expect(scores.has('broken')).toBe(false);
});

it('two tools of one name do not either', () => {
  const scores = createRouterRank()([...SHOP, tool('search_products', 'The same.')], 'my parcel');
  expect(scores.get('track_parcel')).toBe(1);
});

it('scores the same whatever was ranked before', () => {
  const words = fc.constantFrom('find', 'parcel', 'support', 'products', 'where', 'team', 'write');
  const some = fc.record({
    tools: fc.subarray(SHOP, { minLength: 1 }),
    query: fc.array(words, { maxLength: 4 }).map((list) => list.join(' ')),
  });
  fc.assert(
    fc.property(fc.array(some, { minLength: 1, maxLength: 6 }), (asked) => {
      const kept = createRouterRank();
      for (const { tools, query } of asked) {
        expect([...kept(tools, query)].sort()).toEqual(
          [...createRouterRank()(tools, query)].sort(),
        );
      }
    }),
  );
});
