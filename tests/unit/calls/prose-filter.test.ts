import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProseFilter, createReplyFilter } from '../../../lib/calls/prose-filter';

/** What each push and the flush showed. */
function shown(...pieces: string[]): string[] {
  const filter = createProseFilter();
  return [...pieces.map((piece) => filter.push(piece)), filter.flush()];
}

describe('createProseFilter', () => {
  it('shows plain words at once, one by one', () => {
    expect(shown('Sure', ', ', 'I can', ' do that.\n')).toEqual([
      'Sure',
      ', ',
      'I can',
      ' do that.\n',
      '',
    ]);
  });

  it.each([
    ['a comparison', 'a <', ' b', ['a ', '< b', '']],
    ['a tag of the page', '<t', 'able>', ['', '<table>', '']],
    ['a longer word', '<think', 'er>', ['', '<thinker>', '']],
    ['a plural', '<tool_call', 's> ', ['', '<tool_calls> ', '']],
    ['a link', '[', 'see](x)', ['', '[see](x)', '']],
    ['inline code', '`', 'x` ', ['', '`x` ', '']],
    ['an example', '```', 'python\n<tool_call>', ['', '```python\n<tool_call>', '']],
    ['other JSON', '{', '"slug":1}', ['', '{"slug":1}', '']],
    ['a pair', '🙂'.charAt(0), '🙂'.charAt(1), ['\ud83d', '\ude42', '']],
  ])('lets go of %s as soon as it is no markup', (_, first, second, expected) => {
    expect(shown(first, second)).toEqual(expected);
  });

  it.each([
    ['a call', 'a <tool_call>{"name":"f"}</tool_call> b', 'a  b'],
    ['adjacent calls', '<tool_call>1</tool_call><tool_call>2</tool_call>', ''],
    ['an empty call', '<tool_call></tool_call>x', 'x'],
    ['Liquid', '<|tool_call_start|>[f()]<|tool_call_end|>x', 'x'],
    ['a closer of another family inside', '<tool_call>{"a":<|tool_call_end|>1}</tool_call>x', 'x'],
    ['Gemma', '<|tool_call>call:f{a:<|"|>x<|"|>}<tool_call|>x', 'x'],
    ['Mistral', '[TOOL_CALLS]f[ARGS]{"a":1}\nx', '\nx'],
    ['DeepSeek', '<｜tool▁call▁begin｜>f<｜tool▁sep｜>{}<｜tool▁call▁end｜>x', 'x'],
    ['Llama', 'x<|python_tag|>{"name":"f","parameters":{}}', 'x'],
    ['Phi', '<|tool_call|>{"name":"f"}<|/tool_call|>x', 'x'],
    ['Qwen XML', '<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>x', '\nx'],
    ['a thought', '<think>hm</think>x', 'x'],
    ['a fenced call', 'x\n```json\n{"name":"f","arguments":{}}\n```', 'x\n'],
    ['a bare call', '{"name":"f","arguments":{}}', ''],
    ['a call left open', 'x<tool_call>{"name"', 'x'],
    ['half an opener, which was prose', 'x <tool_', 'x <tool_'],
  ])('one character at a time: %s', (_, reply, expected) => {
    expect(shown(...reply.split('')).join('')).toBe(expected);
    expect(shown(reply).join('')).toBe(expected);
  });

  it('holds back little, and only where markup may begin', () => {
    const words = fc.array(
      fc.constantFrom(
        'word ',
        'a < b',
        '<b>',
        '<tool',
        '<|tool_call',
        '[1] ',
        '`x`',
        '\n',
        "it's ",
        '🙂',
        '- [ ] x',
        '</',
        '<th',
        '| >',
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(words, (pieces) => {
        const filter = createProseFilter();
        let pushed = 0;
        let out = 0;
        for (const piece of pieces) {
          pushed += piece.length;
          out += filter.push(piece).length;
          // The longest opener is about as long.
          expect(pushed - out).toBeLessThanOrEqual(24);
        }
      }),
    );
  });

  it('takes an empty push, and anything after a flush', () => {
    const filter = createProseFilter();
    expect(filter.push('')).toBe('');
    expect(filter.flush()).toBe('');
    expect(filter.flush()).toBe('');
    expect(filter.push('{"type":"message","text":"a"}')).toBe('a');
    filter.flush();
    expect(filter.push('{"type":"message","text":"b"}')).toBe('b');
  });
});

describe('createReplyFilter', () => {
  it('gives thoughts a stream of their own', () => {
    const filter = createReplyFilter();
    expect(filter.push('<think>One mo')).toEqual({ prose: '', thinking: 'One mo' });
    expect(filter.push('ment.</thi')).toEqual({ prose: '', thinking: 'ment.' });
    expect(filter.push('nk>Here')).toEqual({ prose: 'Here', thinking: '' });
    expect(filter.flush()).toEqual({ prose: '', thinking: '' });
  });

  it('may begin inside one, and does so again after a flush', () => {
    const filter = createReplyFilter({ thinking: true });
    for (let turn = 0; turn < 2; turn++) {
      expect(filter.push('hm</think>Hi')).toEqual({ prose: 'Hi', thinking: 'hm' });
      filter.flush();
    }
  });

  it('told the tools, holds back calls that only a name gives away', () => {
    const toolNames = new Set(['search', 'open_cart']);
    const all = (reply: string) => {
      const filter = createReplyFilter({ toolNames });
      const pieces = reply.split('').map((c) => filter.push(c).prose);
      return [...pieces, filter.flush().prose].join('');
    };
    expect(all('Sure.\nsearch(q="red")')).toBe('Sure.\n');
    expect(all('[search(q="red"), open_cart()]')).toBe('');
    expect(all('search for red')).toBe('search for red');
    expect(all('[open] cart')).toBe('[open] cart');
    const filter = createReplyFilter({ toolNames });
    expect(filter.push('se').prose).toBe('');
    expect(filter.push('e it').prose).toBe('see it');
  });
});
