import { describe, expect, it } from 'vitest';
import { parseToolCalls } from '../../../lib/calls/parse';
import { createProseFilter } from '../../../lib/calls/prose-filter';

const names = new Set(['open_product', 'search_products', 'open_cart']);
const call = (name: string, args: unknown): string =>
  `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;

describe('parseToolCalls, the four specified shapes', () => {
  it('reads a call whose tag was never closed, and keeps the prose before it', () => {
    const result = parseToolCalls(
      'Opening it.<tool_call>{"name": "open_product", "arguments": {"slug": "trail-cap"}}',
      names,
    );
    expect(result.text).toBe('Opening it.');
    expect(result.calls).toMatchObject([
      { name: 'open_product', arguments: { slug: 'trail-cap' } },
    ]);
    expect(result.errors).toEqual([]);
  });

  it.each([
    ['Liquid, pythonic', '<|tool_call_start|>[open_product(slug="a")]<|tool_call_end|>'],
    [
      'Liquid, JSON',
      '<|tool_call_start|>[{"name":"open_product","arguments":{"slug":"a"}}]<|tool_call_end|>',
    ],
    ['Hermes tags', call('open_product', { slug: 'a' })],
    [
      'a fenced block on one line',
      '```json {"name": "open_product", "arguments": {"slug": "a"}} ```',
    ],
    ['a fenced block', '```json\n{"name": "open_product", "arguments": {"slug": "a"}}\n```'],
    [
      'the whole reply',
      '{"type": "tool_call", "name": "open_product", "arguments": {"slug": "a"}}',
    ],
  ])('reads %s', (_, raw) => {
    expect(parseToolCalls(raw, names)).toEqual({
      text: '',
      thinking: '',
      calls: [{ name: 'open_product', arguments: { slug: 'a' }, repairs: [] }],
      errors: [],
    });
  });

  it('reads a whole-reply message as prose', () => {
    const result = parseToolCalls(
      '{"type":"message","text":"It is \\"open\\" \\u2013 go."}',
      names,
    );
    expect(result).toMatchObject({ text: 'It is "open" – go.', calls: [], errors: [] });
  });

  it('prefers marked calls to fenced ones, and fenced ones to the rest', () => {
    const fenced = '```json\n{"name":"open_cart","arguments":{}}\n```\n';
    const marked = call('open_product', {});
    expect(parseToolCalls(fenced + marked, names).calls.map((c) => c.name)).toEqual([
      'open_product',
    ]);
    const after = parseToolCalls(`${marked}\n${fenced}`, names);
    expect(after.calls.map((c) => c.name)).toEqual(['open_product']);
    expect(after.text).toBe(fenced.trim());
  });

  it('removes thoughts, and keeps them apart', () => {
    const result = parseToolCalls(`<think>Cart? ${call('open_cart', {})}</think>Hello`, names);
    expect(result).toMatchObject({ text: 'Hello', calls: [], errors: [] });
    expect(result.thinking).toContain('Cart?');
  });
});

describe('parseToolCalls, repairs', () => {
  const args = (raw: string): unknown => parseToolCalls(raw, names).calls[0]?.arguments;

  it.each([
    ['a cut string', '<tool_call>{"name":"open_product","arguments":{"slug":"tra', { slug: 'tra' }],
    [
      'a trailing comma',
      '<tool_call>{"name":"open_cart","arguments":{"a":1,},}</tool_call>',
      { a: 1 },
    ],
    [
      'single quotes',
      "<tool_call>{'name':'open_cart','arguments':{'a':'b'}}</tool_call>",
      { a: 'b' },
    ],
    ['parameters', '<tool_call>{"name":"open_cart","parameters":{"a":1}}</tool_call>', { a: 1 }],
    [
      'arguments as text',
      '<tool_call>{"name":"open_cart","arguments":"{\\"a\\":1}"}</tool_call>',
      { a: 1 },
    ],
    ['no arguments', '<tool_call>{"name":"open_cart"}</tool_call>', {}],
    ['empty arguments', '<tool_call>{"name":"open_cart","arguments":""}</tool_call>', {}],
    ['null arguments', '<tool_call>{"name":"open_cart","arguments":null}</tool_call>', {}],
    ['a key without its value', '<tool_call>{"name":"open_cart","arguments":{"a":1,"b":', { a: 1 }],
    [
      'a word cut in its middle',
      '<tool_call>{"name":"open_cart","arguments":{"a":1,"b":tr',
      { a: 1 },
    ],
  ])('mends %s', (_, raw, expected) => {
    expect(args(raw)).toEqual(expected);
  });

  it('keeps an apostrophe in double quotes while mending', () => {
    const raw = '<tool_call>{"name":"open_cart","arguments":{"a":"it\'s",}}</tool_call>';
    expect(args(raw)).toEqual({ a: "it's" });
  });

  it('prefers arguments to parameters', () => {
    const raw =
      '<tool_call>{"name":"open_cart","parameters":{"a":1},"arguments":{"a":2}}</tool_call>';
    expect(args(raw)).toEqual({ a: 2 });
  });

  it('ends an unclosed call at the next one', () => {
    const raw =
      '<tool_call>{"name":"open_cart","arguments":{}}<tool_call>{"name":"open_product","arguments":{}}</tool_call>';
    expect(parseToolCalls(raw, names).calls.map((c) => c.name)).toEqual([
      'open_cart',
      'open_product',
    ]);
  });

  it('says what it mended', () => {
    const raw = "<tool_call>{'name': 'open_cart', 'arguments': {'a': True,";
    expect(parseToolCalls(raw, names).calls[0]?.repairs).toEqual([
      'read single quotes as double quotes',
      'read Python literals as JSON',
      'closed JSON that was cut short',
    ]);
  });
});

describe('parseToolCalls, errors', () => {
  const errors = (raw: string): string[] => parseToolCalls(raw, names).errors;

  it('names the tools there are', () => {
    expect(errors(call('fly_to_moon', {}))).toEqual([
      'Unknown tool "fly_to_moon". Available now: open_product, search_products, open_cart.',
    ]);
  });

  it('asks for an object', () => {
    for (const args of ['[1]', '7', '"seven"', 'true']) {
      expect(errors(`<tool_call>{"name":"open_cart","arguments":${args}}</tool_call>`)).toEqual([
        'Arguments for "open_cart" must be a JSON object.',
      ]);
    }
  });

  it('shows what it could not read, and what to write', () => {
    const [error] = errors('<tool_call>open the cart, please</tool_call>');
    expect(error).toMatch(
      /^Couldn't read a tool call: open the cart, please \(.*<tool_call>\{"name"/,
    );
  });

  it('keeps what it could not read out of the prose', () => {
    expect(parseToolCalls('a <tool_call>???</tool_call> b', names).text).toBe('a  b');
  });
});

describe('parseToolCalls, the limit', () => {
  const limit = 32 * 1024;
  const tail = call('open_cart', {});

  it('reads a call that ends exactly at the limit, and mends one that is cut there', () => {
    const exact = 'x'.repeat(limit - tail.length) + tail;
    expect(parseToolCalls(exact, names).calls[0]?.repairs).toEqual([]);
    const over = parseToolCalls(`x${exact}`, names);
    expect(over.calls).toMatchObject([{ name: 'open_cart', arguments: {} }]);
    expect(over.calls[0]?.repairs).toEqual(['closed an unclosed call']);
  });

  it('reads nothing beyond it', () => {
    const result = parseToolCalls('x'.repeat(limit) + tail, names);
    expect(result.calls).toEqual([]);
    expect(result.text).toBe('x'.repeat(limit));
  });
});

describe('createProseFilter', () => {
  it('shows prose and holds back what may become markup', () => {
    const filter = createProseFilter();
    expect(filter.push('Sure <tool_')).toBe('Sure ');
    expect(filter.push('call>{"name":"open_cart"}</tool_call> done')).toBe(' done');
    expect(filter.flush()).toBe('');
  });

  it('lets go of false alarms at once', () => {
    const filter = createProseFilter();
    for (const text of ['a < b', ' <table>', ' <thinker>', ' <|x', ' [see](url)', ' `x` ']) {
      expect(filter.push(text)).toBe(text);
    }
    expect(filter.push('<to')).toBe('');
    expect(filter.flush()).toBe('<to');
  });

  it('drops an open call at the end, and starts afresh', () => {
    const filter = createProseFilter();
    expect(filter.push('<think>x')).toBe('');
    expect(filter.flush()).toBe('');
    expect(filter.push('a<tool_call>{"na')).toBe('a');
    expect(filter.flush()).toBe('');
    expect(filter.push('b')).toBe('b');
  });

  it('streams the text of a whole-reply message, decoded', () => {
    const filter = createProseFilter();
    expect(filter.push('{"type": "message", "text": "Hel')).toBe('Hel');
    expect(filter.push('lo\\')).toBe('lo');
    expect(filter.push('n"')).toBe('\n');
    expect(filter.push('}')).toBe('');
    expect(filter.flush()).toBe('');
  });
});
