import { describe, expect, it } from 'vitest';
import { pickTools, rankTools } from '../../../lib/tools/rank';
import type { ToolDescriptor } from '../../../lib/tools/tool';

const tool = (name: string, description = '', extra: Partial<ToolDescriptor> = {}) => ({
  name,
  description,
  ...extra,
});
const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

/** The winner of two tools, the later one in the list, so that a tie would show. */
const winner = (first: ToolDescriptor, second: ToolDescriptor, query: string, recent?: string[]) =>
  rankTools([first, second], query, { max: 1, recent })[0]?.name;

describe('rankTools', () => {
  it('prefers a tool the request names over one used recently', () => {
    const tools = [
      tool('search_products', 'Search the catalogue by a key word.'),
      tool('add_to_cart', 'Add a product to the cart. Only on a product page.'),
    ];
    const shown = rankTools(tools, 'add two mugs to the cart', {
      max: 1,
      recent: ['search_products'],
    });
    expect(names(shown)).toEqual(['add_to_cart']);
  });

  it('returns eight tools unless told otherwise', () => {
    const tools = Array.from({ length: 20 }, (_, at) => tool(`tool_${at}`));
    expect(rankTools(tools, 'anything')).toHaveLength(8);
    expect(rankTools(tools, 'anything', { max: 3 })).toHaveLength(3);
    expect(rankTools(tools, 'anything', { max: 2.9 })).toHaveLength(2);
    expect(rankTools(tools, 'anything', { max: 0 })).toHaveLength(0);
    expect(rankTools(tools, 'anything', { max: -1 })).toHaveLength(0);
    expect(rankTools(tools, 'anything', { max: Number.NaN })).toHaveLength(8);
  });

  it('keeps the given order where all tools fit', () => {
    const tools = Array.from({ length: 8 }, (_, at) => tool(`tool_${at}`));
    tools[7] = tool('open_cart', 'Open the cart.');
    expect(names(rankTools(tools, 'open the cart'))).toEqual(names(tools));
  });

  it('counts a word of the name for three words of the description', () => {
    expect(winner(tool('a', 'red blue'), tool('cart'), 'red blue cart')).toBe('cart');
    expect(winner(tool('a', 'red blue green'), tool('cart'), 'red blue green cart')).toBe('a');
  });

  it('reads snake_case, kebab-case, dots and camelCase alike', () => {
    for (const name of ['add_to_cart', 'add-to-cart', 'add.to.cart', 'addToCart', 'AddTOCart']) {
      expect(winner(tool('x', 'cart'), tool(name), 'cart')).toBe(name);
    }
  });

  it('takes four shared letters for the same word, in names only and in longer query words only', () => {
    expect(winner(tool('x'), tool('order_status'), 'ordering')).toBe('order_status');
    expect(winner(tool('x'), tool('order_status'), 'ord')).toBe('x');
    expect(winner(tool('x'), tool('y', 'ordering things'), 'order')).toBe('x');
    expect(winner(tool('x'), tool('add'), 'addition')).toBe('x');
  });

  it('gives a recent tool more than one description word and less than one name word', () => {
    expect(winner(tool('x', 'red'), tool('y'), 'red', ['y'])).toBe('y');
    expect(winner(tool('x'), tool('red'), 'red', ['x'])).toBe('red');
  });

  it('counts a word once however often it stands there', () => {
    expect(winner(tool('x', 'red'), tool('y', 'red red red'), 'red red')).toBe('x');
    expect(winner(tool('x', 'a b c d'), tool('cart_cart'), 'a b c d cart')).toBe('x');
  });

  it('keeps the given order among equals', () => {
    const tools = Array.from({ length: 30 }, (_, at) => tool(`t${at}`, at % 2 ? 'red' : ''));
    expect(names(rankTools(tools, 'red', { max: 5 }))).toEqual(['t1', 't3', 't5', 't7', 't9']);
  });

  it('cuts descriptions at 400 characters, never through a character, and compacts schemas', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } };
    const [long, split] = rankTools(
      [
        tool('a', 'x'.repeat(401), { inputSchema }),
        tool('b', `${'x'.repeat(399)}😀`, { inputSchema }),
      ],
      '',
    );
    expect(long?.description).toBe('x'.repeat(400));
    expect(split?.description).toBe('x'.repeat(399));
    expect(long?.parameters).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  });

  it('gives a tool without a schema one that takes nothing', () => {
    expect(rankTools([tool('a')], '')[0]?.parameters).toEqual({ type: 'object', properties: {} });
  });

  it('keeps two tools of one name apart', () => {
    const frames = [
      { ...tool('open', 'Open a page.'), key: 'top/open' },
      { ...tool('open', 'Open a menu.'), key: 'frame/open' },
      { ...tool('close'), key: 'top/close' },
    ];
    const picked = pickTools(frames, 'open a menu', { max: 2 });
    expect(picked.map(({ key }) => key)).toEqual(['frame/open', 'top/open']);
    expect(picked[0]).toBe(frames[1]);
  });

  it('leaves its input alone', () => {
    const tools = Object.freeze([
      Object.freeze(tool('b', 'red', { inputSchema: Object.freeze({ type: 'object' }) })),
      Object.freeze(tool('red')),
    ]);
    expect(names(rankTools(tools, 'red', { max: 1 }))).toEqual(['red']);
  });
});
