import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DialectId } from '../../../lib/calls/dialect-id';
import { parseToolCalls } from '../../../lib/calls/parse';
import { createReplyFilter } from '../../../lib/calls/prose-filter';
import type { Slot } from '../../../lib/calls/result';
import { names, RENDERERS, type Rendered, rendered, slots } from './render';

const read = (raw: string, dialect?: DialectId) => parseToolCalls(raw, names, { slots, dialect });
const bare = (calls: { name: string; arguments: unknown }[]) =>
  calls.map(({ name, arguments: args }) => ({ name, arguments: args }));

describe.each(Object.entries(RENDERERS))('%s', (_, renderer) => {
  it('reads back what was written, told the dialect or not', () => {
    fc.assert(
      fc.property(rendered(renderer), ({ raw, text, calls }: Rendered) => {
        for (const dialect of [undefined, renderer.dialect]) {
          const result = read(raw, dialect);
          expect(result.errors).toEqual([]);
          expect(bare(result.calls)).toEqual(calls);
          expect(result.calls.flatMap((c) => c.repairs)).toEqual([]);
          expect(joined(result.text)).toBe(joined(text));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('shows the same prose however the reply is cut', () => {
    fc.assert(
      fc.property(
        rendered(renderer),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
        ({ raw }: Rendered, sizes) => {
          expect(streamed(raw, sizes)).toBe(read(raw).text);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('cut short anywhere, invents nothing and shows no markup', () => {
    fc.assert(
      fc.property(rendered(renderer), fc.nat(), ({ raw, text, calls }: Rendered, at) => {
        const cut = raw.slice(0, at % (raw.length + 1));
        const result = read(cut);
        expect(result.calls.length).toBeLessThanOrEqual(calls.length);
        result.calls.forEach((call, i) => {
          expect(call.name).toBe(calls[i]?.name);
          for (const key of Object.keys(call.arguments)) {
            expect(Object.keys(calls[i]?.arguments ?? {})).toContain(key);
          }
        });
        // Half an opener at the very end is still prose.
        const whole = result.text.replace(/(?:<|\[|`{1,3})[\w|｜▁=/.-]*$/u, '');
        // A string that is cut after a marker inside it cannot be told from a string that never ended.
        const tricky = /<\/?\|?(?:tool_call|function)/.test(JSON.stringify(calls));
        if (renderer.marked && !tricky) expect(joined(text).startsWith(joined(whole))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

/** Prose without whitespace: line breaks around markup stay in it. */
const joined = (text: string): string => text.replace(/\s+/g, '');

function streamed(raw: string, sizes: readonly number[]): string {
  const filter = createReplyFilter({ toolNames: names, slots });
  let prose = '';
  let at = 0;
  for (let i = 0; at < raw.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    prose += filter.push(raw.slice(at, at + size)).prose;
    at += size;
  }
  return (prose + filter.flush().prose).trim();
}

describe('positional arguments', () => {
  it('take their names from the slots', () => {
    const slot: Slot[] = [
      { name: 'q', type: 'string' },
      { name: 'max', type: 'integer' },
    ];
    const options = { slots: new Map([['search', slot]]) };
    const result = parseToolCalls(
      '<|tool_call_start|>[search("red", max=3)]<|tool_call_end|>',
      new Set(['search']),
      options,
    );
    expect(result.calls).toEqual([
      { name: 'search', arguments: { q: 'red', max: 3 }, repairs: ['read argument 1 as "q"'] },
    ]);
  });

  it.each([
    ['without slots', '[search("red")]', 'argument 1 of search has no name'],
    ['after a named one', '[f(a=1, 2)]', 'follows named ones'],
    ['given twice', '[f(a=1, a=2)]', 'given twice'],
    ['an expression', '[f(a=1+2)]', 'missing'],
    ['a variable', '[f(a=price)]', 'not a plain value'],
    ['an f-string', '[f(a=f"{x}")]', 'f-strings'],
    ['an endless number', '[f(a=1e999)]', 'too large'],
    ['an octal-looking number', '[f(a=01)]', 'not a plain value'],
  ])('refused: %s', (_, body, why) => {
    const result = parseToolCalls(
      `<|tool_call_start|>${body}<|tool_call_end|>`,
      new Set(['search', 'f']),
    );
    expect(result.calls).toEqual([]);
    expect(result.errors[0]).toContain(why);
  });
});

describe('P-Format', () => {
  const options = {
    slots: new Map<string, Slot[]>([
      [
        'f',
        [
          { name: 'a', type: 'string' },
          { name: 'n', type: 'integer' },
          { name: 'on', type: 'boolean' },
        ],
      ],
      ['ping', []],
    ]),
  };
  const offered = new Set(['f', 'ping']);
  const args = (body: string) =>
    parseToolCalls(`<tool_call>${body}</tool_call>`, offered, options).calls[0]?.arguments;

  it('reads numbered values by their types', () => {
    expect(args('f[0|red|1|3|2|true]')).toEqual({ a: 'red', n: 3, on: true });
    expect(args('ping[]')).toEqual({});
    expect(args('f[0|a\\|b\\]c\\\\]')).toEqual({ a: 'a|b]c\\' });
  });

  it('keeps what does not fit its type as text, for validation to name', () => {
    expect(args('f[1|three]')).toEqual({ n: 'three' });
  });

  it('takes the last of a number, and an empty value as none', () => {
    expect(args('f[0|x|0|y]')).toEqual({ a: 'y' });
    expect(args('f[0|x|0|]')).toEqual({});
  });

  it.each([
    ['f[0]', 'every value needs its number'],
    ['f[x|y]', 'not one of the argument numbers of f (0 to 2)'],
    ['f[9|y]', 'not one of the argument numbers'],
    ['f[0|y] and more', 'text follows'],
  ])('refuses %s', (body, why) => {
    const result = parseToolCalls(`<tool_call>${body}</tool_call>`, offered, options);
    expect(result.errors[0]).toContain(why);
  });

  it('stands on a line of its own where the tools are known', () => {
    expect(parseToolCalls('Sure.\nf[0|red]', offered, options)).toMatchObject({
      text: 'Sure.',
      calls: [{ name: 'f', arguments: { a: 'red' } }],
    });
    expect(parseToolCalls('See f[0|red] for that', offered, options).calls).toEqual([]);
  });
});
