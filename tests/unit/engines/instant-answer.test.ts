import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../lib/agent/engine';
import { readResult, renderResult } from '../../../lib/agent/results';
import { decide } from '../../../lib/engines/instant/decide';
import type { CompactTool, JsonObject, JsonValue } from '../../../lib/tools/tool';

const text = { type: 'string' };
const tool = (name: string, description: string, properties: JsonObject = {}): CompactTool => ({
  name,
  description,
  parameters: { type: 'object', properties },
});

interface Done {
  name: string;
  args?: JsonObject;
  result: JsonValue | undefined;
}

/** What is said after the calls: each result as the loop hands it on, or `raw` as the page gave it. */
async function answer(ask: string, done: Done[], raw = false): Promise<string> {
  const messages: ChatMessage[] = [{ role: 'user', content: ask }];
  for (const [at, { name, args = {}, result }] of done.entries()) {
    const callId = `c${at}`;
    const read = readResult(JSON.stringify(result) ?? 'undefined');
    const shown = read.error === undefined ? renderResult(read.value) : `Error: ${read.error}`;
    messages.push(
      { role: 'assistant', content: '', calls: [{ callId, name, arguments: args }] },
      {
        role: 'tool',
        callId,
        name,
        content: raw ? JSON.stringify(result) : shown,
        isError: !raw && read.error !== undefined,
      },
    );
  }
  const names = [...new Set(done.map((d) => d.name))];
  const tools = names.map((name) =>
    tool(
      name,
      name.replaceAll('_', ' '),
      Object.fromEntries(
        Object.keys(done.find((d) => d.name === name)?.args ?? {}).map((k) => [k, text]),
      ),
    ),
  );
  const request = { system: '', messages, tools, facts: {}, maxTokens: 500 };
  const reply = await decide(request, {
    memory: () => new Map(),
    signal: new AbortController().signal,
  });
  return reply.type === 'message' ? reply.text.trim() : `call of ${reply.name}`;
}
const hats = [
  { id: 'cap', name: 'Trail Cap', price: 24, currency: 'EUR', stock: 40 },
  { id: 'hat', name: 'Bush Hat', price: 39.5, currency: 'EUR', stock: 3 },
  { id: 'beanie', name: 'Wool Beanie', price: 18, currency: 'EUR', stock: 0 },
];
const found = (result: JsonValue): Done[] => [
  { name: 'search_products', args: { query: 'hats' }, result },
];

describe.each([
  ['as the loop shows it', false],
  ['as the page gave it', true],
])('what is told of a result %s', (_, raw) => {
  test('several things are a small table with the currency beside them', async () => {
    expect(await answer('search products for hats', found({ products: hats }), raw)).toBe(
      [
        'I found 3:',
        '',
        '| Name | Price | Stock |',
        '| --- | --- | --- |',
        '| Trail Cap | €24 | 40 |',
        '| Bush Hat | €39.50 | 3 |',
        '| Wool Beanie | €18 | 0 |',
      ].join('\n'),
    );
  });

  test('the currency may stand around the list or in an amount of its own', async () => {
    const plain = hats.map(({ name, price }) => ({ name, price }));
    const around = { currency: 'GBP', products: plain };
    expect(await answer('search products for hats', found(around), raw)).toContain(
      '| Bush Hat | £39.50 |',
    );
    const own = plain.map(({ name, price }) => ({
      name,
      price: { amount: price, currency: 'USD' },
    }));
    expect(await answer('search products for hats', found(own), raw)).toContain(
      '| Bush Hat | $39.50 |',
    );
  });

  test('one thing is a sentence', async () => {
    expect(await answer('search products for hats', found(hats.slice(0, 1)), raw)).toBe(
      'I found one: Trail Cap (€24, stock 40).',
    );
  });

  test.each([
    ['what is the cheapest hat in the products?', 'Wool Beanie (€18, stock 0).'],
    ['search products for the most expensive hat', 'Bush Hat (€39.50, stock 3).'],
    ['how much is the trail cap in the products?', 'Trail Cap: price €24.'],
  ])('%s', async (ask, said) => {
    expect(await answer(ask, found(hats), raw)).toBe(said);
  });

  test('a superlative of several asks for all of them', async () => {
    expect(await answer('search products for the cheapest hats', found(hats), raw)).toContain(
      'I found 3',
    );
  });

  test('a cart with its total', async () => {
    const cart = {
      items: [
        { name: 'Trail Cap', quantity: 3, price: 24 },
        { name: 'Bush Hat', quantity: 1, price: 39.5 },
      ],
      total: 111.5,
      currency: 'EUR',
    };
    const said = await answer(
      'what is in my cart and how much is it?',
      [{ name: 'view_cart', result: cart }],
      raw,
    );
    expect(said).toContain('| Bush Hat | €39.50 | 1 |');
    expect(said).toMatch(/\n\nTotal: €111\.50\.$/);
  });

  test.each<[string, Done, string]>([
    [
      'what is in my cart?',
      { name: 'view_cart', result: { items: [], subtotal: 0, total: 0, currency: 'EUR' } },
      'Your cart is empty.',
    ],
    ['show the cart', { name: 'get_cart', result: { cart: [] } }, 'The cart is empty.'],
    ['list my orders', { name: 'list_orders', result: [] }, 'There are no orders.'],
    [
      'search products for sleds',
      {
        name: 'search_products',
        args: { query: 'sleds' },
        result: { status: 'success', query: 'sleds', count: 0, results: [] },
      },
      'Nothing was found for “sleds”.',
    ],
  ])('%s: nothing there', async (ask, done, said) => {
    expect(await answer(ask, [done], raw)).toBe(said);
  });

  test.each<[string, Done, string]>([
    [
      'add 3 trail caps to the cart',
      {
        name: 'add_to_cart',
        args: { product_id: 'cap', quantity: 3 },
        result: {
          items: [{ product_id: 'cap', name: 'Trail Cap', quantity: 3 }],
          total: 72,
          currency: 'EUR',
        },
      },
      'Added 3 × Trail Cap to the cart. Total: €72.',
    ],
    [
      'cancel order 1042',
      { name: 'cancel_order', args: { order_id: '1042' }, result: { ok: true, refund: 12 } },
      'Cancelled the order: 1042. Refund: 12.',
    ],
    [
      'create an event "Dentist"',
      { name: 'create_event', args: { title: 'Dentist' }, result: null },
      'Created the event: Dentist.',
    ],
    ['turn off the lamp', { name: 'turn_off_lamp', result: 'ok' }, 'Turned off the lamp.'],
    [
      'book a table "Ann"',
      { name: 'book_table', args: { name: 'Ann' }, result: { message: 'Table 4 is yours' } },
      'Table 4 is yours.',
    ],
  ])('%s: done', async (ask, done, said) => {
    expect(await answer(ask, [done], raw)).toBe(said);
  });

  test.each<[string, JsonValue]>([
    ['add node "a"', { error: 'Node “a” already exists' }],
    ['add node "b"', { error: 'Node “b” already exists', nodes: 3 }],
    ['add node "c"', { content: [{ type: 'text', text: 'Error: Node “c” already exists' }] }],
    [
      'add node "d"',
      { isError: true, content: [{ type: 'text', text: 'Node “d” already exists' }] },
    ],
  ])('%s: a failure is told as one', async (ask, result) => {
    expect(
      await answer(ask, [{ name: 'add_node', args: { name: ask.slice(10, 11) }, result }], raw),
    ).toMatch(/^“add node” did not work: Node “.” already exists\.$/);
  });

  test('data that speaks of a failure is told as data', async () => {
    const result = { paymentId: 7, status: 'failed', reason: 'card expired' };
    const said = await answer('show payment 7', [{ name: 'show_payment', result }], raw);
    expect(said).toContain('status: failed');
    expect(said).not.toContain('did not work');
  });

  test('linked data and envelopes are read, not shown', async () => {
    const product = {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Trail Cap',
      offers: { '@type': 'Offer', price: 24, priceCurrency: 'EUR' },
    };
    const said = await answer('show the product', [{ name: 'show_product', result: product }], raw);
    expect(said).toBe('Trail Cap: price: €24.');
    const content = [{ type: 'text', text: JSON.stringify(product) }];
    expect(
      await answer('show the product', [{ name: 'show_product', result: { content } }], raw),
    ).toBe(said);
  });
});

test('a link is told whole, and a long text up to the end of a sentence', async () => {
  const link = `https://shop.example/orders/${'0123456789'.repeat(14)}?follow=yes`;
  const tracked = [{ name: 'show_parcel', result: { parcel: 'p1', follow: link } }];
  expect(await answer('show the parcel', tracked)).toContain(link);
  const prose = Array.from({ length: 60 }, (_, n) => `Room ${n} costs ${n}.50 euros.`).join(' ');
  const said = await answer('show the rooms', [{ name: 'show_rooms', result: prose }], true);
  expect(said).toMatch(/^(?:Room \d+ costs \d+\.50 euros\. )+… \(\d+ more characters\)\.?$/);
});

test('amounts written in words are compared by their value', async () => {
  const items = [
    { name: 'A', price: '1.299,00 €' },
    { name: 'B', price: '€ 24,90' },
    { name: 'C', price: '€1,000' },
  ];
  expect(await answer('search products for the cheapest hat', found(items), true)).toMatch(/^B /);
});

test('whatever comes back, there are words, and no row of a table breaks', async () => {
  const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer(), fc.boolean());
  const item = fc.dictionary(
    fc.constantFrom('name', 'price', 'currency', 'note', '__proto__'),
    value,
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (items, raw) => {
        const said = await answer('search products for hats', found(items as JsonValue), raw);
        expect(said).not.toBe('');
        const rows = said.split('\n').filter((line) => line.startsWith('|'));
        const cells = rows.map((row) => row.replaceAll('\\|', '').split('|').length);
        expect(new Set(cells).size).toBeLessThanOrEqual(1);
      },
    ),
  );
});
