import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutMiddle, pickFields, readResult, renderResult } from '../../../lib/agent/results';

const read = (value: unknown) => readResult(JSON.stringify(value));

describe('readResult', () => {
  it('takes JSON apart and leaves text as it is', () => {
    expect(readResult('{"a":1}')).toEqual({ value: { a: 1 } });
    expect(readResult('{broken')).toEqual({ value: '{broken' });
    expect(readResult('Added.')).toEqual({ value: 'Added.' });
    expect(readResult(null)).toEqual({ value: null });
  });

  it('reads the content of MCP, with JSON inside', () => {
    expect(read({ content: [{ type: 'text', text: '{"id":7}' }] })).toEqual({ value: { id: 7 } });
    expect(
      read({
        content: [
          { type: 'text', text: 'one' },
          { type: 'image', data: 'x' },
        ],
      }),
    ).toEqual({ value: 'one\n[image]' });
    expect(read({ content: [{ type: 'text', text: 'x' }], structuredContent: { a: 1 } })).toEqual({
      value: { a: 1 },
    });
  });

  it.each([
    [{ content: [{ type: 'text', text: 'Out of stock' }], isError: true }, 'Out of stock'],
    [{ content: [{ type: 'text', text: '{"error":"gone"}' }] }, 'gone'],
    [{ error: 'No such order' }, 'No such order'],
    [{ error: 'not_found', message: 'No order 7' }, 'not_found: No order 7'],
    [{ error: { code: 4, message: 'Card declined' } }, 'Card declined'],
    [{ success: false, message: 'Closed on Mondays' }, 'Closed on Mondays'],
    [{ ok: false, reason: 'Full' }, 'Full'],
    [{ status: 'error', message: 'Down' }, 'Down'],
  ])('recognises %j as an error', (value, error) => {
    expect(read(value).error).toBe(error);
  });

  it.each([
    [{ error: 'timeout', data: null, items: [] }, 'timeout'],
    [{ error: 'No such product', product_id: 'x', known: ['a', 'b'] }, 'No such product'],
    [{ product_id: 'x', success: false, error: 'Sold out' }, 'Sold out'],
    [{ ok: false, code: 409, message: 'Taken' }, 'Taken'],
    ['Error: node "a" already exists', 'node "a" already exists'],
    [{ content: [{ type: 'text', text: 'ERROR - no such board' }] }, 'no such board'],
  ])('recognises %j, which tells of nothing but a failure', (value, error) => {
    expect(read(value).error).toBe(error);
  });

  it.each([
    { paymentId: 7, status: 'failed', reason: 'card expired' },
    { id: 'build-9', ok: false, branch: 'main' },
    { test: 'login', success: false, seconds: 3 },
    { printer: 'hall', pages: 4, error: 'paper jam' },
    { content: [{ type: 'text', text: '{"order":7,"status":"error","message":"late"}' }] },
    'Errors: 0',
    'Error handling is told of in chapter 4.',
    'Error: a word\nand an article about it',
  ])('takes %j for data that speaks of a failure', (value) => {
    expect(read(value)).not.toHaveProperty('error');
  });

  it.each([
    [{ content: [], structuredContent: [{ a: 1 }] }, [{ a: 1 }]],
    [{ content: [], structuredContent: [] }, []],
    [{ structuredContent: { a: 1 } }, { a: 1 }],
    [
      { content: [{ type: 'resource', resource: { uri: 'x:1', text: 'Opening hours: 9 to 5' } }] },
      'Opening hours: 9 to 5',
    ],
    [{ content: [{ type: 'resource', resource: { uri: 'x:1', blob: 'AA==' } }] }, '[resource x:1]'],
    [
      { content: [{ type: 'resource_link', uri: 'https://x.example/a', name: 'Plan' }] },
      'Plan: https://x.example/a',
    ],
    [
      {
        content: [
          { type: 'text', text: 'Found one:' },
          { type: 'text', text: '[{"id":7}]' },
        ],
      },
      { message: 'Found one:', items: [{ id: 7 }] },
    ],
    [{ content: [{ type: 'text', text: 'Here:\n{"id":7}' }] }, { message: 'Here:', id: 7 }],
  ])('reads what the envelope %j holds', (value, inner) => {
    expect(read(value)).toEqual({ value: inner });
  });

  it('takes nothing for nothing', () => {
    expect(readResult('undefined')).toEqual({ value: null });
    expect(readResult('null')).toEqual({ value: null });
  });

  it.each([
    { error: null },
    { error: '' },
    { errors: 0 },
    { success: true, error: false },
    { status: 'shipped' },
    { content: 'an article', title: 'x' },
  ])('does not take %j for one', (value) => {
    expect(read(value).error).toBeUndefined();
  });

  it('reads structured lists and the text of a resource', () => {
    expect(read({ content: [], structuredContent: [{ id: 1 }] })).toEqual({ value: [{ id: 1 }] });
    expect(
      read({ content: [{ type: 'resource', resource: { uri: 'a:b', text: 'the text' } }] }),
    ).toEqual({ value: 'the text' });
  });

  it('keeps the digits of an id that no number holds', () => {
    const { value } = readResult('{"id":7301558820914460033,"n":3,"text":"7301558820914460033"}');
    expect(renderResult(value)).toBe('id: 7301558820914460033\nn: 3\ntext: 7301558820914460033');
  });

  it('cuts an endless error', () => {
    expect(read({ error: 'x'.repeat(9000) }).error?.length).toBeLessThanOrEqual(160);
  });
});

describe('renderResult', () => {
  it('shows an object as key: value lines, nested ones with dots', () => {
    expect(renderResult({ total: 12.5, ship: { city: 'Bonn', express: true }, note: '' })).toBe(
      'total: 12.5\nship.city: Bonn\nship.express: true\nnote: ',
    );
  });

  it('shows a list by its first entries and a count, what identifies a thing in front', () => {
    const items = Array.from({ length: 30 }, (_, n) => ({ about: `Mug number ${n}`, id: n }));
    const shown = renderResult({ items });
    expect(shown.split('\n').slice(0, 2)).toEqual([
      'items: 30 entries',
      '1. id: 0, about: Mug number 0',
    ]);
    expect(shown).toContain('more not shown)');
  });

  it('has words for nothing', () => {
    expect(renderResult(null)).toBe('done');
    expect(renderResult('')).toBe('done (empty text)');
    expect(renderResult([])).toBe('empty list');
    expect(renderResult({})).toBe('empty object');
    expect(renderResult({ items: [] })).toBe('items: none');
  });

  it('keeps head and tail of a long text', () => {
    const text = `START ${'word '.repeat(400)}END`;
    const shown = renderResult(text);
    expect(shown.length).toBeLessThanOrEqual(600);
    expect(shown.startsWith('START')).toBe(true);
    expect(shown.endsWith('END')).toBe(true);
    expect(shown).toContain('characters left out');
  });

  it('shows only the fields asked for, wherever they stand', () => {
    const value = { page: 1, items: [{ id: 1, html: '<p>', price: 3, seller: { name: 'A' } }] };
    expect(renderResult(value, { fields: ['id', 'price'] })).toBe(
      'items: 1 entry\n1. id: 1, price: 3',
    );
    expect(pickFields(value, ['nothing'])).toBe(value);
  });

  it('never exceeds its limit and never throws, whatever a page returns', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.integer({ min: 20, max: 700 }), (json, limit) => {
        const { value } = readResult(json);
        expect(renderResult(value, { limit }).length).toBeLessThanOrEqual(Math.max(limit, 20));
      }),
    );
  });

  it('survives deep nesting and a million entries', () => {
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    expect(renderResult(readResult(deep).value).length).toBeLessThanOrEqual(600);
    const wide = Array.from({ length: 200_000 }, (_, n) => ({ n }));
    expect(renderResult(wide).length).toBeLessThanOrEqual(600);
  });

  it('treats keys such as __proto__ as data', () => {
    const { value } = readResult('{"__proto__":{"error":"x"},"constructor":1}');
    expect(readResult('{"__proto__":{"error":"x"}}').error).toBeUndefined();
    expect(renderResult(value)).toContain('constructor: 1');
  });
});

describe('cutMiddle', () => {
  const link = `https://shop.example/p/${'a1-'.repeat(20)}?from=list`;

  it('keeps a link whole or leaves it out', () => {
    const around = [`${link} ${'word '.repeat(60)}`, `${'word '.repeat(60)}${link}`];
    const texts = [link, ...around, `${'word '.repeat(20)}(${link})${' word'.repeat(30)}`];
    for (const text of texts) {
      for (let max = 1; max < 400; max++) {
        const cut = cutMiddle(text, max);
        expect(cut.length).toBeLessThanOrEqual(max);
        for (const [found] of cut.matchAll(/https?:[^\s)…]*|\S*a1-\S*/g)) {
          expect(found.replace(/^\(|\)$/g, '')).toBe(link);
        }
      }
    }
  });

  it('cuts between sentences where it can', () => {
    const text = Array.from({ length: 40 }, (_, n) => `Room ${n} costs ${n}.50 euros.`).join(' ');
    const cut = cutMiddle(text, 300);
    expect(cut).toMatch(
      /^(?:Room \d+ costs \d+\.50 euros\. )+… \[\d+ characters left out\] …(?: Room \d+ costs \d+\.50 euros\.)+$/,
    );
  });

  it('never exceeds its limit and keeps every link whole', () => {
    const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.lorem());
    fc.assert(
      fc.property(fc.array(piece), fc.nat(300), (pieces, max) => {
        const text = pieces.join(' ');
        const cut = cutMiddle(text, max);
        expect(cut.length).toBeLessThanOrEqual(max);
        for (const [found] of cut.matchAll(/https?:\/\/[^\s…]+/g)) expect(text).toContain(found);
      }),
    );
  });

  it('never splits a surrogate pair', () => {
    for (let max = 1; max < 90; max++) {
      expect(cutMiddle('😀'.repeat(200), max).isWellFormed()).toBe(true);
    }
  });
});
