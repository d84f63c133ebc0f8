import { describe, expect, it } from 'vitest';
import { parseToolCalls } from '../../../lib/calls/parse';

const names = new Set(['f', 'g']);
const F = '{"name":"f","arguments":{"a":1}}';
const G = '{"name":"g","arguments":{}}';
const called = (reply: string): string[] => parseToolCalls(reply, names).calls.map((c) => c.name);
const read = (reply: string) => parseToolCalls(reply, names);

describe('openers and closers', () => {
  it.each([
    '<tool_call id="1">',
    '<TOOL_CALL>',
    '<tool_call|>',
    '<|tool_call>',
    '<|tool_call|>',
    '<toolcall>',
    '<tool-call>',
    '<invoke>',
    '```tool_call\n',
    '```tool_calls\n',
    '```invoke\n',
  ])('%j opens a call', (opener) => {
    expect(called(`${opener}${F}`)).toEqual(['f']);
    expect(read(`Hi ${opener}${F}`).text).toBe('Hi');
  });

  it.each([
    '<tool_calls>',
    '<tool_callable>',
    '<tool_call',
    '<tool_call <b>',
    '< tool_call>',
    '<tool>',
  ])('%j does not', (text) => {
    expect(read(`${text} ${F} x`)).toMatchObject({ calls: [], errors: [], text: `${text} ${F} x` });
  });

  it.each([
    '</tool_call>',
    '</TOOL_CALL>',
    '<|tool_call_end|>',
    '<tool_call|>',
    '<|/tool_call|>',
    '</function>',
    '<|im_end|>',
  ])('%j closes a call that stands whole', (closer) => {
    expect(read(`<|tool_call>${F}${closer} after`)).toMatchObject({
      calls: [{ name: 'f' }],
      errors: [],
      text: 'after',
    });
  });

  it('does not take a closer of another kind in the middle of a call', () => {
    const reply = '<tool_call>{"name":"f","arguments":<|tool_call_end|>{"a":1}}</tool_call> x';
    expect(read(reply).text).toBe('x');
  });

  it('takes a doubled opener as one, and drops the surplus closer only', () => {
    const reply = `<tool_call>\n<tool_call>${F}</tool_call>\n</tool_call></div>`;
    expect(read(reply)).toMatchObject({ calls: [{ name: 'f' }], errors: [], text: '</div>' });
    expect(read(reply).calls).toHaveLength(1);
  });

  it('drops an opener with nothing behind it', () => {
    expect(read('Done. <tool_call>')).toMatchObject({ text: 'Done.', calls: [], errors: [] });
    expect(read('<tool_call></tool_call> ok')).toMatchObject({ text: 'ok', calls: [], errors: [] });
  });

  it('reads a call whose opener got lost', () => {
    expect(read(`${F}\n</tool_call>`)).toMatchObject({ calls: [{ name: 'f' }], text: '' });
  });

  it('reads several, of several kinds, in order, and keeps the prose between them', () => {
    const reply = `a <tool_call>${F}</tool_call> b <|tool_call_start|>[g()]<|tool_call_end|> c`;
    expect(called(reply)).toEqual(['f', 'g']);
    expect(read(reply).text).toBe('a  b  c');
  });

  it('does not look for markers inside strings', () => {
    const text = 'write <tool_call>{}</tool_call> and </tool_call>';
    const reply = `<tool_call>${JSON.stringify({ name: 'f', arguments: { text } })}</tool_call> done`;
    expect(read(reply)).toMatchObject({
      text: 'done',
      calls: [{ arguments: { text } }],
      errors: [],
    });
  });

  it('looks for them after all where a string never ends', () => {
    const reply = `<tool_call>{"name":"f","arguments":{"a":"x}</tool_call> so. <tool_call>{name:'g'}</tool_call> ok`;
    expect(read(reply)).toMatchObject({ text: 'so.  ok', calls: [{ name: 'f' }, { name: 'g' }] });
  });

  it('finds a call that a broken string had swallowed', () => {
    expect(
      called(`<tool_call>{"name":"f","arguments":{"a":"cut<tool_call>${G}</tool_call>`),
    ).toEqual(['f', 'g']);
  });

  it('reads whitespace of every kind around markers', () => {
    expect(called(`\ufeff\r\n<tool_call>\u00a0\r\n${F}\r\n</tool_call>\r\n`)).toEqual(['f']);
  });
});

describe('thoughts', () => {
  it('run nothing, ended or not', () => {
    expect(read(`<think>${F} <tool_call>${F}</tool_call></think>Hi`)).toMatchObject({
      calls: [],
      errors: [],
      text: 'Hi',
    });
    const open = read(`<think>maybe <tool_call>${F}</tool_call>`);
    expect(open).toMatchObject({ calls: [], text: '' });
    expect(open.errors[0]).toMatch(
      /^Couldn't read a tool call: it stands inside a thought that never ends/,
    );
    expect(read('<think>just thinking').errors).toEqual([]);
  });

  it.each([
    ['<think>', '</think>'],
    ['<thinking>', '</thinking>'],
    ['[THINK]', '[/THINK]'],
    ['<|channel>thought\n', '<channel|>'],
  ])('stand between %j and %j', (open, close) => {
    expect(read(`${open}hm${close}\nHi`)).toMatchObject({ text: 'Hi', thinking: 'hm' });
  });

  it('may have begun in the prompt', () => {
    const reply = `hm <tool_call>${F}</tool_call></think>Hi<tool_call>${G}</tool_call>`;
    expect(read(reply)).toMatchObject({ text: 'Hi', calls: [{ name: 'g' }] });
    expect(read(reply).thinking).toMatch(/^hm/);
    expect(parseToolCalls(reply, names, { thinking: true })).toMatchObject({
      text: 'Hi',
      calls: [{ name: 'g' }],
    });
    expect(parseToolCalls('hm', names, { thinking: true })).toMatchObject({
      text: '',
      thinking: 'hm',
    });
  });

  it('do not end at the first look-alike', () => {
    expect(read('<think>a </thin b < c</think>d')).toMatchObject({
      text: 'd',
      thinking: 'a </thin b < c',
    });
  });
});

describe('results the model made up', () => {
  it('are no prose', () => {
    const reply = `<tool_call>${F}</tool_call>\n<tool_response>\n{"ok":true}\n</tool_response>\nDone`;
    expect(read(reply)).toMatchObject({ text: 'Done', calls: [{ name: 'f' }], errors: [] });
  });
  it('end at the next call', () => {
    expect(called(`<tool_response>x <tool_call>${G}</tool_call>`)).toEqual(['g']);
  });
});

describe('fences', () => {
  it.each(['python', 'bash', 'xml', 'js', 'text'])('labelled %s are examples', (label) => {
    const reply = `\`\`\`${label}\n<tool_call>${F}</tool_call>\n${F}\n\`\`\``;
    expect(read(reply)).toMatchObject({ text: reply, calls: [], errors: [] });
    expect(called(`${reply}\n<tool_call>${G}</tool_call>`)).toEqual(['g']);
  });

  it('of tildes, of four backticks, or never closed are examples too', () => {
    for (const reply of [
      `~~~\n<tool_call>${F}</tool_call>\n~~~`,
      `\`\`\`\`\n${F}\n\`\`\`\``,
      `\`\`\`python\n<tool_call>${F}</tool_call>`,
    ]) {
      expect(read(reply)).toMatchObject({ text: reply, calls: [] });
    }
  });

  it('hold a call where they are labelled json, or not at all', () => {
    expect(called(`\`\`\`\n${F}\n\`\`\``)).toEqual(['f']);
    expect(called(`So: \`\`\`json\n${F}\n\`\`\``)).toEqual(['f']);
    expect(called(`So: \`\`\`json\n${F}\n\`\`\` there`)).toEqual([]);
    expect(called(`\`\`\`json\n${F}\n${G}\n\`\`\``)).toEqual(['f', 'g']);
    expect(called(`\`\`\`json\n${F}`)).toEqual(['f']);
  });

  it('with other data stay prose', () => {
    for (const data of [
      '{"slug":"a"}',
      '[1, 2]',
      '{"name":"Alice","age":3}',
      '{"name":"f"}',
      'plain',
      '',
    ]) {
      const reply = `Here:\n\`\`\`json\n${data}\n\`\`\`\nok`;
      expect(read(reply)).toMatchObject({ text: reply, calls: [], errors: [] });
    }
  });

  it('around marked calls are only wrapping', () => {
    expect(read(`\`\`\`\n<tool_call>${F}</tool_call>\n\`\`\`\nok`)).toMatchObject({
      calls: [{ name: 'f' }],
      text: 'ok',
    });
  });

  it('are not seen in inline code', () => {
    expect(read(`\`\`\`x\`\`\` <tool_call>${F}</tool_call>`)).toMatchObject({
      calls: [{ name: 'f' }],
      text: '```x```',
    });
  });
});

describe('talk about calls', () => {
  it.each([
    `You could send ${F} to me.`,
    `A call looks like this:\n${F}\nbut I made none.`,
    `${F} is what I would send.`,
    'Put it between `<tool_call>` and `</tool_call>`.',
    'It thinks in `<think>` tags.',
    '{"name":"Alice"}',
    '{"name":"Alice","input":{}}',
    '{"name":"f"}',
    '{"name":"f","arguments":{},"note":"for example"}',
    '[{"name":"Alice"},{"name":"Bob"}]',
    'Use f(a=1) for that.',
    '[f](https://example.com)',
    'f[0] is the first.',
    '{"type":"list","items":[]}',
    // A value that never ends hides what begins in it: nothing is looked at three times.
    '{"name":\n{"name":"f","arguments":{}}',
  ])('is prose: %s', (reply) => {
    expect(read(reply)).toMatchObject({ text: reply, calls: [], errors: [] });
  });

  it('at the end of a reply, unmarked JSON counts when it names an offered tool', () => {
    expect(read(`Opening.\n${F}`)).toMatchObject({ text: 'Opening.', calls: [{ name: 'f' }] });
    const other = 'See:\n{"name":"Alice","arguments":{}}';
    expect(read(other)).toMatchObject({ text: other, calls: [], errors: [] });
  });

  it('as the whole reply, a call of an unknown tool is an error', () => {
    expect(read('{"type":"tool_call","name":"h","arguments":{}}').errors[0]).toContain(
      'Unknown tool "h".',
    );
    expect(read('{"name":"h","parameters":{}}').errors[0]).toContain('Unknown tool "h".');
  });
});

describe('the whole reply as JSON', () => {
  it.each([
    ['a message', '{"type":"message","text":"Hi"}'],
    ['a message, text first', '{"text":"Hi","type":"message"}'],
    ['a message, spaced', ' {\n "type" : "message",\n "text" : "Hi"\n}\n'],
    ['a message cut short', '{"type":"message","text":"Hi'],
    ['a message and its turn end', '{"type":"message","text":"Hi"}<|im_end|>'],
    ['a message with more keys', '{"type":"message","text":"Hi","mood":"fine"}'],
  ])('%s', (_, reply) => {
    expect(read(reply)).toMatchObject({ text: 'Hi', calls: [], errors: [] });
  });

  it('keeps quotes that a message forgot to escape', () => {
    expect(read('{"type":"message","text":"the "red" one"}').text).toBe('the "red" one');
  });

  it('leaves markup in a message alone', () => {
    expect(read('{"type":"message","text":"<tool_call>{}</tool_call>"}')).toMatchObject({
      text: '<tool_call>{}</tool_call>',
      calls: [],
      errors: [],
    });
  });

  it('takes messages and calls in one list', () => {
    const reply = `[{"type":"message","text":"Opening."},{"type":"tool_call","name":"f","arguments":{}}]`;
    expect(read(reply)).toMatchObject({ text: 'Opening.', calls: [{ name: 'f' }] });
  });

  it('told the dialect, takes the call even with words behind it', () => {
    const reply = `${F}\nOpening it.`;
    expect(parseToolCalls(reply, names, { dialect: 'llama' })).toMatchObject({
      text: 'Opening it.',
      calls: [{ name: 'f' }],
    });
    expect(read(reply).calls).toEqual([]);
  });
});
