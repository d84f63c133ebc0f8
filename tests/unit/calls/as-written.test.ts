import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { qwenXml } from '../../../lib/agent/dialects/qwen-xml';
import { parseToolCalls } from '../../../lib/calls/parse';
import { createReplyFilter } from '../../../lib/calls/prose-filter';

/** Values come out of a reply as they were written into it. */

const names = new Set(['note', 'person']);
const slots = new Map([
  [
    'note',
    [
      { name: 'text', type: 'string' },
      { name: 'max', type: 'integer' },
    ],
  ],
  [
    'person',
    ['First name', 'größe', '数量', 'a.b', '$x', '1st'].map((name) => ({ name, type: 'string' })),
  ],
]);
const read = (raw: string) => {
  const { calls, errors, text } = parseToolCalls(raw, names, { slots });
  const filter = createReplyFilter({ slots, toolNames: names });
  const shown = [...raw].map((c) => filter.push(c).prose).join('') + filter.flush().prose;
  expect(shown.trim()).toBe(text);
  return { arguments: calls.map((call) => call.arguments), errors, text };
};
const argumentsOf = (raw: string) => read(raw).arguments;

describe('a value between qwen tags', () => {
  const written = (text: string, max?: number) =>
    qwenXml.calls(
      [{ callId: '1', name: 'note', arguments: max === undefined ? { text } : { text, max } }],
      [],
    );

  test.each([
    'One </parameter> two',
    'One </function> two',
    'One </invoke> two',
    '<function=note> opens a call',
    '<parameter=text> opens a value',
    'One </tool_call> two <tool_call> three',
    'One\n</function>\ntwo',
    'a <think>b</think> <|im_end|>',
  ])('keeps the tags in %j', (text) => {
    expect(argumentsOf(written(text))).toEqual([{ text }]);
    expect(argumentsOf(written(text, 3))).toEqual([{ text, max: 3 }]);
  });

  test('keeps them inline', () => {
    const raw =
      '<function=note><parameter=text>One </parameter> two</parameter><parameter=max>3</parameter></function> ok';
    expect(read(raw)).toEqual({
      arguments: [{ text: 'One </parameter> two', max: 3 }],
      errors: [],
      text: 'ok',
    });
  });

  test('whatever tags a value holds, it never breaks and never reads as another tool', () => {
    const piece = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '</parameter>',
      '</function>',
      '</tool_call>',
      '<parameter=max>',
      '<function=note>',
      '"',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const value = `x${pieces.join('')}x`;
        const { arguments: found } = read(written(value));
        // What looks like the end of a value and the start of another one cannot be told from it.
        const isDoubtful =
          /<\/parameter>\s*<parameter|\n\s*<(parameter|function)|<\/(parameter|function)>\s*<[/]?(function|tool_call)|<\/parameter>\s*<\/|<\/tool_call>/.test(
            value,
          );
        if (!isDoubtful) expect(found).toEqual([{ text: value }]);
      }),
    );
  });

  test('still ends where its end tag was forgotten', () => {
    expect(
      argumentsOf('<function=note>\n<parameter=text>\nred\n<parameter=max>\n3\n</function>'),
    ).toEqual([{ text: 'red', max: 3 }]);
    expect(
      argumentsOf(
        '<function=note>\n<parameter=text>\nred\n</function>\n<function=note>\n<parameter=text>\nblue\n</function>',
      ),
    ).toEqual([{ text: 'red' }, { text: 'blue' }]);
    expect(read('<function=note><parameter=text>red</function> I will look.')).toEqual({
      arguments: [{ text: 'red' }],
      errors: [],
      text: 'I will look.',
    });
  });
});

describe('gemma quotes out of step', () => {
  const call = (inner: string) => `<|tool_call>call:note{${inner}}<tool_call|>`;
  test.each([
    ['text:blue mug<|"|>', { text: 'blue mug' }],
    ['text:<|"|>x', { text: 'x' }],
    ['text:<|"|>x,max:5', { text: 'x', max: 5 }],
    ['text:<|"|>x<|"|>max:5', { text: 'x', max: 5 }],
    ['text:<|"|>a, {b}: c<|"|>,max:5', { text: 'a, {b}: c', max: 5 }],
  ])('%j', (inner, args) => {
    expect(read(call(inner))).toEqual({ arguments: [args], errors: [], text: '' });
  });

  test('tokens that match nothing are reported', () => {
    const { arguments: found, errors } = read(call('text:<|"|>a<|"|>b<|"|>'));
    expect(found).toEqual([]);
    expect(errors).toHaveLength(1);
  });

  test.each([
    'call:note(text="a", max=3)',
    'note({"text": "a", "max": 3})',
    'call:note({"text": "a", "max": 3})',
  ])('the mark of one family before the form of another: %s', (body) => {
    expect(argumentsOf(`<|tool_call>${body}<tool_call|>`)).toEqual([{ text: 'a', max: 3 }]);
  });
});

describe('escapes that JSON does not have', () => {
  test.each(['\\alpha', '\\vec', '\\frac{1}{2}', 'C:\\bin\\app', '\\sum', '\\d+', '\\0', '\\x41'])(
    '%s',
    (text) => {
      // The last escape is none of JSON's, so that the strict reader refuses the whole.
      const raw = `<tool_call>{"name": "note", "arguments": {"text": "${text} \\s"}}</tool_call>`;
      expect(argumentsOf(raw)).toEqual([{ text: `${text} \\s` }]);
    },
  );

  test('Python keeps its backslash before a letter that would ring a bell', () => {
    expect(
      argumentsOf('<|tool_call_start|>[note(text="\\alpha \\x41\\n")]<|tool_call_end|>'),
    ).toEqual([{ text: '\\alpha A\n' }]);
  });
});

describe('digits beyond a double', () => {
  test.each([
    '<tool_call>{"name":"note","arguments":{"text":7301558820914460033}}</tool_call>',
    "<tool_call>{'name':'note','arguments':{'text':7301558820914460033}}</tool_call>",
    '<|tool_call_start|>[note(text=7301558820914460033)]<|tool_call_end|>',
    '<|tool_call>call:note{text:7301558820914460033}<tool_call|>',
    '<function=note><parameter=text>7301558820914460033</parameter></function>',
    '{"type":"tool_call","name":"note","arguments":{"text":7301558820914460033}}',
  ])('%s', (raw) => {
    expect(argumentsOf(raw)).toEqual([{ text: '7301558820914460033' }]);
  });

  test('every whole number stays what was written, as a number where it can be one', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (n) => {
        const [found] = argumentsOf(
          `<tool_call>{"name":"note","arguments":{"max":${n}}}</tool_call>`,
        );
        expect(String(found?.['max'])).toBe(String(n));
        const exact = Number.isSafeInteger(Number(n));
        expect(typeof found?.['max']).toBe(exact ? 'number' : 'string');
      }),
    );
  });

  test('digits in a text are left alone', () => {
    const text = '7301558820914460033 "1e400" \\\\';
    const raw = `<tool_call>${JSON.stringify({ name: 'note', arguments: { text, max: 1 } })}</tool_call>`;
    expect(argumentsOf(raw)).toEqual([{ text, max: 1 }]);
  });
});

describe('arguments that are repeated', () => {
  const args = '{"text":"x"}';
  test.each([
    `{"name":"note","arguments":${args}${args}}`,
    `{"name":"note","arguments":${args} ${args} ${args}}`,
    `{"name":"note","arguments":${JSON.stringify(args + args)}}`,
    `{"name":"note","arguments":${JSON.stringify(JSON.stringify(args))}}`,
  ])('%s', (json) => {
    expect(read(`<tool_call>${json}</tool_call>`)).toEqual({
      arguments: [{ text: 'x' }],
      errors: [],
      text: '',
    });
  });

  test('two that differ are no arguments', () => {
    const { arguments: found, errors } = read(
      `<tool_call>{"name":"note","arguments":${JSON.stringify(`${args}{"text":"y"}`)}}</tool_call>`,
    );
    expect(found).toEqual([]);
    expect(errors).toHaveLength(1);
  });
});

test.each(['First name', 'größe', '数量', 'a.b', '$x', '1st'])(
  'an argument called %s is read as Python and as Gemma write it',
  (name) => {
    expect(argumentsOf(`<|tool_call_start|>[person(${name}="v")]<|tool_call_end|>`)).toEqual([
      { [name]: 'v' },
    ]);
    expect(argumentsOf(`<|tool_call>call:person{${name}:<|"|>v<|"|>}<tool_call|>`)).toEqual([
      { [name]: 'v' },
    ]);
  },
);
