import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseToolCalls } from '../../../lib/calls/parse';
import { createProseFilter, createReplyFilter } from '../../../lib/calls/prose-filter';
import type { ParseOptions } from '../../../lib/calls/result';

const names = new Set(['f', 'search', 'constructor_of']);
const options: ParseOptions = {
  slots: new Map([['f', [{ name: 'a' }, { name: 'b', type: 'integer' }]]]),
};

const TOKENS = [
  '<tool_call>',
  '</tool_call>',
  '<tool_call id="1">',
  '<|tool_call_start|>',
  '<|tool_call_end|>',
  '<|tool_call>',
  '<tool_call|>',
  'call:f{',
  '<|"|>',
  '<escape>',
  '<start_function_call>',
  '<end_function_call>',
  '<function=f>',
  '<parameter=a>',
  '</parameter>',
  '</function>',
  '<invoke name="f">',
  '[TOOL_CALLS]',
  '[ARGS]',
  'functools[',
  '<|tool_call|>',
  '<|python_tag|>',
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁begin｜>',
  '<｜tool▁sep｜>',
  '<｜tool▁call▁end｜>',
  '<think>',
  '</think>',
  '<tool_response>',
  '</tool_response>',
  '<|im_end|>',
  '```',
  '```json\n',
  '```python\n',
  '```tool_code\n',
  '~~~',
  '`',
  '\n',
  '{"name":"f","arguments":{"a":"b"}}',
  '{"name":"f","arguments":{',
  '{"type":"message","text":"',
  '"text"',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '"',
  "'",
  '\\',
  ',',
  ';',
  ':',
  ' ',
  'f',
  'f(a=1)',
  'f[0|x]',
  'search',
  '<',
  '</',
  '|',
  '1',
  'True',
  'word ',
  '🙂',
  '\ud83d',
];
const soup = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...TOKENS) }, fc.string({ maxLength: 3 })),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));

/** Any UTF-16 at all, halves of pairs included. */
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
  .map((codes) => String.fromCharCode(...codes));

function streamed(reply: string, cuts: readonly number[], withNames: boolean): [string, string] {
  const filter = createReplyFilter(withNames ? { ...options, toolNames: names } : {});
  let prose = '';
  let thinking = '';
  let from = 0;
  for (const cut of [
    ...cuts.map((c) => c % (reply.length + 1)).sort((a, b) => a - b),
    reply.length,
  ]) {
    const shown = filter.push(reply.slice(from, cut));
    prose += shown.prose;
    thinking += shown.thinking;
    from = cut;
  }
  const rest = filter.flush();
  return [prose + rest.prose, thinking + rest.thinking];
}

describe('any reply at all', () => {
  it('is read without a throw, and only into offered calls with data for arguments', () => {
    fc.assert(
      fc.property(fc.oneof(soup, units), (reply) => {
        const result = parseToolCalls(reply, names, options);
        for (const call of result.calls) {
          expect(names.has(call.name)).toBe(true);
          expect(Object.getPrototypeOf(call.arguments)).toBe(Object.prototype);
        }
        expect(new Set(result.errors).size).toBe(result.errors.length);
      }),
      { numRuns: 500 },
    );
  });

  it('shows the same however it is cut', () => {
    fc.assert(
      fc.property(
        soup,
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.boolean(),
        (reply, cuts, withNames) => {
          const whole = streamed(reply, [], withNames);
          expect(streamed(reply, cuts, withNames)).toEqual(whole);
          expect(
            streamed(
              reply,
              [...reply].map((_, i) => i),
              withNames,
            ),
          ).toEqual(whole);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('streams what parsing then calls text and thinking', () => {
    fc.assert(
      fc.property(soup, (reply) => {
        const result = parseToolCalls(reply, names, options);
        // What a thought that never began takes back has already been shown.
        fc.pre(!/<\/think>|"message"/.test(reply));
        const [prose, thinking] = streamed(reply, [], true);
        expect(prose.trim()).toBe(result.text);
        expect(thinking.trim()).toBe(result.thinking);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps prose without a marker whole', () => {
    const plain = fc
      .array(
        fc.constantFrom(
          'a < b',
          ' <b>',
          '[1]',
          '{x}',
          '"',
          "it's",
          '\n',
          ' `x`',
          'see ',
          '🙂',
          '</',
          '<|',
          '\\',
          '[f',
          'tool_call',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(plain, (reply) => {
        const filter = createProseFilter();
        expect(filter.push(reply) + filter.flush()).toBe(reply);
      }),
    );
  });
});

describe('hostile names', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is no tool', (name) => {
    for (const reply of [
      `<tool_call>{"name":"${name}","arguments":{}}</tool_call>`,
      `<|tool_call_start|>[${name}(a=1)]<|tool_call_end|>`,
      `<|tool_call>call:${name}{a:1}<tool_call|>`,
      `<tool_call>{"${name}":{"a":1}}</tool_call>`,
    ]) {
      expect(parseToolCalls(reply, names).calls).toEqual([]);
    }
  });

  it.each([
    [
      'JSON',
      '<tool_call>{"name":"f","arguments":{"__proto__":{"bad":1},"constructor":2}}</tool_call>',
    ],
    [
      'mended JSON',
      "<tool_call>{'name':'f','arguments':{'__proto__':{'bad':1},constructor:2,}}</tool_call>",
    ],
    [
      'beside the name',
      '<tool_call>{"name":"f","__proto__":{"bad":1},"constructor":2}</tool_call>',
    ],
    ['Python', "<|tool_call_start|>[f(__proto__={'bad': 1}, constructor=2)]<|tool_call_end|>"],
    ['Gemma', '<|tool_call>call:f{__proto__:{bad:1},constructor:2}<tool_call|>'],
    [
      'XML',
      '<function=f><parameter=__proto__>{"bad":1}</parameter><parameter=constructor>2</parameter></function>',
    ],
  ])('are plain keys in arguments: %s', (_, reply) => {
    const args = parseToolCalls(reply, names).calls[0]?.arguments ?? {};
    expect(Object.getOwnPropertyNames(args).sort()).toEqual(['__proto__', 'constructor']);
    expect(JSON.parse(JSON.stringify(args))).toEqual(args);
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
    expect('bad' in {}).toBe(false);
  });
});

describe('hostile size', () => {
  const LIMIT = 32 * 1024;
  it.each([
    '<',
    '{',
    '[',
    '(',
    '"',
    "'",
    '\\',
    '`',
    '<tool_call>',
    '<tool_call>{"',
    '<|tool_call_start|>[',
    '<think>',
    '\n{',
    '```\n',
    '{"name":',
  ])('32 KB of %j is read and says little', (unit) => {
    const result = parseToolCalls(unit.repeat(LIMIT / unit.length), names);
    expect(result.calls).toEqual([]);
    expect(result.errors.join('').length).toBeLessThan(4000);
  });

  it('refuses arguments nested too deeply to use', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const reply = `<tool_call>{"name":"f","arguments":{"a":${deep}}}</tool_call>`;
    expect(parseToolCalls(reply, names)).toMatchObject({
      calls: [],
      errors: [expect.stringContaining('nested too deeply')],
    });
  });

  it('says no more than 16 things, none twice, none long', () => {
    const many = Array.from(
      { length: 60 },
      (_, i) => `<tool_call>{"name":"t${i % 40}${'x'.repeat(300)}","arguments":{}}</tool_call>`,
    );
    const { errors } = parseToolCalls(many.join(''), names);
    expect(errors).toHaveLength(16);
    for (const error of errors) expect(error.length).toBeLessThan(300);
  });
});
