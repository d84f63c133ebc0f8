import { describe, expect, it } from 'vitest';
import { closestNames } from '../../../lib/calls/names';
import { parseToolCalls } from '../../../lib/calls/parse';

const names = new Set([
  'search_products',
  'open_product',
  'open_cart',
  'addToCart',
  'shop.checkout',
]);
const call = (name: string) =>
  `<tool_call>{"name":${JSON.stringify(name)},"arguments":{}}</tool_call>`;

describe('a name that is nearly right', () => {
  it.each([
    ['case', 'Open_Cart', 'open_cart'],
    ['hyphens', 'open-cart', 'open_cart'],
    ['dots', 'open.cart', 'open_cart'],
    ['camel case', 'openCart', 'open_cart'],
    ['snake case', 'add_to_cart', 'addToCart'],
    ['a prefix too many', 'functions.open_cart', 'open_cart'],
    ['a doubled prefix', 'shop.shop.checkout', 'shop.checkout'],
    ['a missing prefix', 'checkout', 'shop.checkout'],
    ['a suffix', 'open_cart_tool', 'open_cart'],
    ['a typo', 'serch_products', 'search_products'],
    ['a missing part', 'search', 'search_products'],
  ])('is not called, and the right one is offered: %s', (_, written, meant) => {
    const { calls, errors } = parseToolCalls(call(written), names);
    expect(calls).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(
      `Unknown tool "${written}". Available now: search_products, open_product, open_cart, addToCart, shop.checkout.`,
    );
    expect(errors[0]).toContain(`Did you mean "${meant}"`);
  });

  it('offers nothing where nothing is near', () => {
    expect(closestNames('weather', names)).toEqual([]);
    expect(closestNames('', names)).toEqual([]);
    expect(closestNames('a', new Set(['b', 'c']))).toEqual([]);
  });

  it('offers at most three, the nearest first', () => {
    const many = new Set(['page_9', 'page_1', 'page_2', 'page_3', 'pages']);
    expect(closestNames('Pages', many)).toHaveLength(3);
    expect(closestNames('Pages', many)[0]).toBe('pages');
  });
});

describe('the list of offered names', () => {
  it('says so when there are none', () => {
    expect(parseToolCalls(call('x'), new Set()).errors).toEqual([
      'Unknown tool "x". Available now: none.',
    ]);
  });

  it('is bounded', () => {
    const many = new Set(Array.from({ length: 3000 }, (_, i) => `tool_number_${i}`));
    const [error = ''] = parseToolCalls(call('weather'), many).errors;
    expect(error.length).toBeLessThan(700);
    expect(error).toMatch(/ and 2976 more\.$/);
  });
});
