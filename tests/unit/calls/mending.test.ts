import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseToolCalls } from '../../../lib/calls/parse';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const names = new Set(['search']);

/** Text with the characters that mending gets wrong first: quotes, brackets, apostrophes, other scripts. */
const text = fc
  .array(
    fc.constantFrom(
      'a',
      ' ',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      "it's",
      '\\',
      '"',
      '日本',
      '🙂',
      'True',
      '\n',
      '//',
      '#',
    ),
    {
      maxLength: 5,
    },
  )
  .map((parts) => parts.join(''));
const key = fc.constantFrom('q', 'max_price', 'on', 'list', 'größe', '$x', '__proto__');
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
})).value;
const args = fc
  .uniqueArray(fc.tuple(key, value), { selector: ([k]) => k, maxLength: 4 })
  .map((entries): { [key: string]: Json } => Object.fromEntries(entries));

/** One way a model spoils JSON. */
interface Spoiler {
  comma?: boolean;
  single?: boolean;
  python?: boolean;
  bareKeys?: boolean;
}
function write(json: Json, how: Spoiler): string {
  const quote = (s: string): string =>
    how.single
      ? `'${JSON.stringify(s).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
      : JSON.stringify(s);
  const tail = how.comma ? ',' : '';
  if (json === null) return how.python ? 'None' : 'null';
  if (typeof json === 'boolean') return how.python ? (json ? 'True' : 'False') : String(json);
  if (typeof json === 'string') return quote(json);
  if (typeof json === 'number') return String(json);
  if (Array.isArray(json)) {
    return json.length === 0 ? '[]' : `[${json.map((v) => write(v, how)).join(', ')}${tail}]`;
  }
  const entries = Object.entries(json).map(
    ([k, v]) => `${how.bareKeys && /^[a-z_]+$/.test(k) ? k : quote(k)}: ${write(v, how)}`,
  );
  return entries.length === 0 ? '{}' : `{${entries.join(', ')}${tail}}`;
}

const WRAPPERS: Record<string, (json: string) => string> = {
  'in tags': (json) => `Sure.\n<tool_call>\n${json}\n</tool_call>`,
  'in an open tag': (json) => `<tool_call>${json}`,
  'in a fence in tags': (json) => `<tool_call>\n\`\`\`json\n${json}\n\`\`\`\n</tool_call>`,
  'in Liquid markers': (json) => `<|tool_call_start|>[${json}]<|tool_call_end|>`,
  'in a fence': (json) => `\`\`\`json\n${json}\n\`\`\``,
  alone: (json) => json,
};

describe.each(Object.entries(WRAPPERS))('JSON %s', (_, wrap) => {
  it.each<[string, Spoiler]>([
    ['trailing commas', { comma: true }],
    ['single quotes', { single: true }],
    ['Python literals', { python: true }],
    ['bare keys', { bareKeys: true }],
    ['all of it at once', { comma: true, single: true, python: true, bareKeys: true }],
  ])('is mended: %s', (_name, how) => {
    fc.assert(
      fc.property(args, (wanted) => {
        const raw = wrap(write({ name: 'search', arguments: wanted }, how));
        const result = parseToolCalls(raw, names);
        expect(result.errors).toEqual([]);
        expect(result.calls.map((c) => c.arguments)).toEqual([wanted]);
      }),
      { numRuns: 150 },
    );
  });

  it('cut short, keeps every argument that was whole and invents none', () => {
    fc.assert(
      fc.property(args, fc.nat(), (wanted, at) => {
        const json = JSON.stringify({ name: 'search', arguments: wanted });
        const cut = json.slice(0, '{"name":"search","arguments":{'.length + (at % json.length));
        const [call] = parseToolCalls(wrap(cut).split(cut, 1)[0] + cut, names).calls;
        expect(call?.name).toBe('search');
        const read = call?.arguments ?? {};
        const keys = Object.keys(wanted);
        expect(Object.keys(read)).toEqual(keys.slice(0, Object.keys(read).length));
        for (const k of Object.keys(read).slice(0, -1)) expect(read[k]).toEqual(wanted[k]);
      }),
      { numRuns: 150 },
    );
  });
});

describe('mending by hand', () => {
  const read = (body: string) => parseToolCalls(`<tool_call>${body}</tool_call>`, names);
  it.each<[string, string, unknown]>([
    [
      'quotes inside a string',
      '{"name":"search","arguments":{"q":"the "red" one"}}',
      { q: 'the "red" one' },
    ],
    ['a line break inside a string', '{"name":"search","arguments":{"q":"a\nb"}}', { q: 'a\nb' }],
    ['curly quotes', '{“name”:“search”,“arguments”:{“q”:“x”}}', { q: 'x' }],
    ['a comment', '{"name":"search", /* why */ "arguments":{"q":"x"}}', { q: 'x' }],
    ['a missing comma', '{"name":"search" "arguments":{"q":"x"}}', { q: 'x' }],
    ['a surplus brace', '{"name":"search","arguments":{"q":"x"}}}', { q: 'x' }],
    ['doubled braces', '{{"name":"search","arguments":{"q":"x"}}}', { q: 'x' }],
    ['the first brace missing', '"name":"search","arguments":{"q":"x"}}', { q: 'x' }],
    ['a leaked quote token', '{"name":"search","arguments":{"q":<|"|>x<|"|>}}', { q: 'x' }],
    ['words before it', 'Here: {"name":"search","arguments":{"q":"x"}}', { q: 'x' }],
    ['words after it', '{"name":"search","arguments":{"q":"x"}} done', { q: 'x' }],
    ['arguments beside the name', '{"name":"search","q":"x"}', { q: 'x' }],
    ['the name as the key', '{"search":{"q":"x"}}', { q: 'x' }],
    ['another word for name', '{"tool":"search","args":{"q":"x"}}', { q: 'x' }],
    [
      'a call in a call',
      '{"name":"search","arguments":{"name":"search","arguments":{"q":"x"}}}',
      { q: 'x' },
    ],
    [
      'text in the call in the call',
      '{"name":"search","arguments":{"name":"search","parameters":"{\\"q\\":\\"x\\"}"}}',
      { q: 'x' },
    ],
    [
      'a function wrapper',
      '{"type":"function","function":{"name":"search","arguments":"{\\"q\\":\\"x\\"}"}}',
      { q: 'x' },
    ],
    ['broken arguments as text', '{"name":"search","arguments":"{\'q\': \'x\',}"}', { q: 'x' }],
    ['a list of one', '[{"name":"search","arguments":{"q":"x"}}]', { q: 'x' }],
    ['a name before the braces', 'search {"q":"x"}', { q: 'x' }],
    ['Python', 'search(q="x")', { q: 'x' }],
    ['Python in print', 'print(search(q="x"))', { q: 'x' }],
    ['Python, assigned', 'result = search(q="x")', { q: 'x' }],
    ['Python, unpacked', 'search(**{"q": "x"})', { q: 'x' }],
    ['Python, cut', 'search(q="x", ma', { q: 'x' }],
    ['Gemma markup', 'call:search{q:<|"|>x<|"|>}', { q: 'x' }],
    ['Gemma markup without its quotes', 'call:search{q:x}', { q: 'x' }],
    ['spaces around the name', '{"name":" search ","arguments":{"q":"x"}}', { q: 'x' }],
  ])('reads %s', (_, body, expected) => {
    const result = read(body);
    expect(result.errors).toEqual([]);
    expect(result.calls).toMatchObject([{ name: 'search', arguments: expected }]);
  });

  it('reads several calls in one tag', () => {
    expect(
      read('{"name":"search","arguments":{"q":"x"}}\n{"name":"search","arguments":{}}').calls,
    ).toHaveLength(2);
  });

  it('leaves a tool its own arguments called name and arguments', () => {
    const reply =
      '<tool_call>{"name":"search","arguments":{"name":"search","arguments":{"q":"x"}}}</tool_call>';
    const slots = new Map([['search', [{ name: 'name' }, { name: 'arguments' }]]]);
    expect(parseToolCalls(reply, names, { slots }).calls[0]?.arguments).toHaveProperty(
      'name',
      'search',
    );
  });

  it('reads typed values of XML by the slots, and by their look without', () => {
    const reply =
      '<function=search><parameter=q>12</parameter><parameter=on>true</parameter></function>';
    expect(parseToolCalls(reply, names).calls[0]?.arguments).toEqual({ q: 12, on: true });
    const slots = new Map([
      [
        'search',
        [
          { name: 'q', type: 'string' },
          { name: 'on', type: 'unknown' },
        ],
      ],
    ]);
    expect(parseToolCalls(reply, names, { slots }).calls[0]?.arguments).toEqual({
      q: '12',
      on: true,
    });
  });

  it('ends XML values whose end tag was forgotten', () => {
    const reply =
      '<tool_call>\n<function=search>\n<parameter=q>\nx\n<parameter=on>\ny\n</function>\n</tool_call> Bye';
    expect(parseToolCalls(reply, names)).toMatchObject({
      text: 'Bye',
      calls: [
        {
          arguments: { q: 'x', on: 'y' },
          repairs: ['closed the parameter "q"', 'closed the parameter "on"'],
        },
      ],
    });
  });
});
