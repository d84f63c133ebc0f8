import { describe, expect, it } from 'vitest';
import { createSources, unsourcedValues } from '../../../lib/agent/arguments/sources';

const now = new Date('2026-11-30T10:00:00');
const said = (...texts: string[]) => {
  const sources = createSources(now);
  for (const text of texts) sources.add(text, 'spoken');
  return sources;
};

describe('where a value comes from', () => {
  it.each([
    ['find red running shoes', 'running shoes'],
    ['running shoes in red please', 'red running shoe'],
    ['put two mugs into the cart', 2],
    ['a mug please', 1],
    ['under $1,200.50', 1200.5],
    ['höchstens 1.200 Euro', 1200],
    ['over 15k', 15_000],
    ['20% off', 0.2],
    ['book it for tomorrow at 6 pm', '2026-12-01'],
    ['book it for tomorrow at 6 pm', '18:00'],
    ['book it for tomorrow at 6 pm', '2026-12-01T18:00:00'],
    ['from friday to sunday', '2026-12-06'],
    ['write to ann@example.org', 'ann@example.org'],
    ['open SKU-1234', 'sku_1234'],
    ['tell Bob that the meeting moved to Tuesday', 'Meeting moved to Tuesday'],
  ])('%s: %s is sourced', (ask, value) => {
    expect(said(ask).has(value)).toBe(true);
  });

  it.each([
    ['find red running shoes', 'blue boots'],
    ['put two mugs into the cart', 3],
    ['book a table', '2026-12-24'],
    ['book it for tomorrow', '2026-12-02'],
    ['book it for tomorrow at 6 pm', '19:00'],
    ['write to Ann', 'ann@example.com'],
    ['book the window room', 'window room 4'],
    ['open the product', 'SKU-1234'],
    ['cancel my order', 'A-1001'],
  ])('%s: %s is not', (ask, value) => {
    expect(said(ask).has(value)).toBe(false);
  });

  it('counts what a result showed', () => {
    const sources = said('cancel my last order');
    expect(sources.has('A-1001')).toBe(false);
    sources.add('{"orders":[{"id":"A-1001","total":12.5}]}', 'seen');
    expect(sources.has('A-1001')).toBe(true);
    expect(sources.has(12.5)).toBe(true);
  });
});

describe('unsourcedValues', () => {
  const schema = {
    properties: {
      qty: { type: 'integer', default: 5 },
      gift: { type: 'boolean' },
      ship: { properties: { city: { type: 'string' } } },
    },
  };

  it('names the argument and its value, however deep', () => {
    const args = { qty: 7, gift: true, ship: { city: 'Paris' }, tags: ['mug', 'blue'] };
    expect(unsourcedValues(schema, args, said('two mugs'))).toEqual([
      'qty: 7',
      'ship.city: Paris',
      'tags: blue',
    ]);
  });

  it('does not call the page’s own default invented', () => {
    expect(unsourcedValues(schema, { qty: 5 }, said('x'))).toEqual([]);
  });
});
