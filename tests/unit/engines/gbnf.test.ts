import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseToolCalls } from '../../../lib/calls/parse';
import { callsGrammar, jsonGrammar, wholeNumbers } from '../../../lib/engines/gbnf';
import { slotsOf } from '../../../lib/tools/render/p-format';
import type { JsonSchema } from '../../../lib/tools/tool';

/** Every rule that is used is there, once. */
function checkClosed(grammar: string): void {
  const lines = grammar.split('\n');
  const names = lines.map((line) => line.slice(0, line.indexOf(' ::= ')));
  expect(new Set(names).size).toBe(names.length);
  for (const line of lines) {
    const body = line
      .slice(line.indexOf(' ::= ') + 5)
      .replace(/"(?:[^"\\]|\\.)*"/g, ' ')
      .replace(/\[(?:[^\]\\]|\\.)*\]/g, ' ')
      .replace(/\{[\d,]+\}/g, ' ');
    for (const used of body.match(/[a-z][a-z0-9-]*/g) ?? []) expect(names).toContain(used);
  }
}

const tool = (parameters: JsonSchema, name = 'find') => ({ name, description: '', parameters });

describe('a grammar for calls', () => {
  test('lets only the given tools be called, with the declared arguments', () => {
    const grammar = callsGrammar('hermes', [
      tool({
        type: 'object',
        properties: { kind: { enum: ['new', 'used'] }, page: { type: 'integer' } },
        required: ['kind'],
      }),
    ]);
    expect(grammar).toContain('"\\"find\\""');
    expect(grammar).toContain('("\\"new\\"" | "\\"used\\"")');
    checkClosed(grammar ?? '');
  });

  test('writes the values of LFM2 as Python does', () => {
    const grammar = callsGrammar('liquid', [
      tool({ type: 'object', properties: { on: { const: true }, of: { type: 'boolean' } } }),
    ]);
    expect(grammar).toContain('"on=" "True"');
    expect(grammar).toContain('boolean ::= "True" | "False"');
    checkClosed(grammar ?? '');
  });

  test('is not made where there is nothing to call, or no way to write it', () => {
    expect(callsGrammar('hermes', [])).toBeUndefined();
    expect(callsGrammar('deepseek', [tool({})])).toBeUndefined();
  });

  test('quotes names that would end its strings', () => {
    const grammar = callsGrammar('hermes', [
      tool({ type: 'object', properties: { 'a"\n\\b': { type: 'string' } } }, 'x" | evil | "'),
    ]);
    checkClosed(grammar ?? '');
  });
});

describe('bounds', () => {
  const asRegExp = (form: string) =>
    new RegExp(`^(?:${form.replaceAll(' | ', '|').replace(/[" ]/g, '')})$`);

  test('of whole numbers let through what is between them, and nothing else', () => {
    const bound = fc.integer({ min: -5000, max: 5000 });
    fc.assert(
      fc.property(bound, bound, fc.integer({ min: -6000, max: 6000 }), (a, b, n) => {
        const [least, most] = [Math.min(a, b), Math.max(a, b)];
        expect(asRegExp(wholeNumbers(least, most) ?? '').test(String(n))).toBe(
          n >= least && n <= most,
        );
        expect(asRegExp(wholeNumbers(least) ?? '').test(String(n))).toBe(n >= least);
        expect(asRegExp(wholeNumbers(undefined, most) ?? '').test(String(n))).toBe(n <= most);
      }),
    );
    expect(wholeNumbers()).toBeUndefined();
    expect(wholeNumbers(3, 2)).toBeUndefined();
  });

  test('and formats of an argument are in the grammar, also where the listing leaves them out', () => {
    const strict: JsonSchema = {
      type: 'object',
      properties: {
        n: { type: 'integer', minimum: 1, maximum: 20 },
        s: { type: 'string', maxLength: 5 },
        l: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 },
        d: { type: 'string', format: 'date' },
        t: { type: 'string', format: 'date-time' },
        p: { type: 'number', minimum: 0 },
      },
    };
    const grammar = callsGrammar('hermes', [{ ...tool({ type: 'object' }), strict }]) ?? '';
    checkClosed(grammar);
    expect(grammar).toContain('::= [1-9] | "1" ([0-9]) ');
    expect(grammar).toContain('character{0,5}');
    expect(grammar).toContain('("," space string){1,2}');
    expect(grammar).toContain('[0-9]{4} "-"');
    expect(grammar).toContain('"T"');
    expect(grammar).toContain('space unsigned');
  });
});

describe('names', () => {
  test('are written with the escapes that GBNF has', () => {
    const name = 'a\f\b\u0007\u0000\u007f\t"\\';
    const schema: JsonSchema = { type: 'object', properties: { [name]: { enum: [name] } } };
    for (const dialect of ['hermes', 'liquid'] as const) {
      const grammar = callsGrammar(dialect, [tool(schema)]) ?? '';
      for (const [, mark] of grammar.matchAll(/\\(.)/gs))
        expect('"\\xnrt[]u/'.includes(mark ?? '')).toBe(true);
      expect(grammar).not.toMatch(/(?<!\\)(?:\\\\)*\\[fb]/);
    }
  });

  test('that the grammar of LFM2 makes a model write are read back', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((text) => text.isWellFormed() && text.trim() === text && !/[<\n"'`]/.test(text));
    fc.assert(
      fc.property(name, (argument) => {
        const parameters: JsonSchema = {
          type: 'object',
          properties: { [argument]: { type: 'string' } },
        };
        const slots = new Map([['find', slotsOf(parameters)]]);
        const raw = `<|tool_call_start|>[find(${argument}="v")]<|tool_call_end|>`;
        const { calls } = parseToolCalls(raw, new Set(['find']), { slots });
        expect(calls.map((call) => call.arguments)).toEqual([{ [argument]: 'v' }]);
      }),
    );
  });

  test('of required arguments are there, however many others there are', () => {
    const properties = Object.fromEntries(Array.from({ length: 240 }, (_, n) => [`p${n}`, {}]));
    const grammar = callsGrammar('hermes', [
      tool({ type: 'object', properties, required: ['p239'] }),
    ]);
    expect(grammar).toContain('p239');
  });
});

describe('a grammar for JSON', () => {
  test('puts required members in, and leaves the others free', () => {
    const grammar = jsonGrammar({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'null' } },
      required: ['b'],
    });
    expect(grammar).toContain(
      'members-0-next-1 ::= "," space "\\"b\\"" space ":" space nothing ""',
    );
    expect(grammar).toMatch(/members-0-first-0 ::= .* \| members-0-first-1/);
    checkClosed(grammar);
  });

  test('is whole and bounded for whatever a page declares', () => {
    const level = (inner: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> =>
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom('string', 'object', 'array', 'null', 'strnig', 'integer'),
            fc.array(fc.constantFrom('string', 'null', 'object'), { maxLength: 3 }),
          ),
          enum: fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { maxLength: 3 }),
          const: fc.string(),
          properties: fc.dictionary(fc.string(), inner, { maxKeys: 3 }),
          required: fc.array(fc.string(), { maxLength: 3 }),
          items: inner,
          anyOf: fc.array(inner, { maxLength: 2 }),
          oneOf: fc.constantFrom('nonsense', 3, null),
        },
        { requiredKeys: [] },
      );
    const schema = level(level(level(fc.constant({}))));
    fc.assert(
      fc.property(schema, (declared) => {
        const grammar = jsonGrammar(declared);
        expect(grammar.split('\n').length).toBeLessThan(2000);
        checkClosed(grammar);
      }),
      { numRuns: 150 },
    );
  });

  test('ends for schemas that do not', () => {
    let deep: JsonSchema = { type: 'string' };
    for (let i = 0; i < 3000; i++) deep = { type: 'object', properties: { a: deep, b: deep } };
    checkClosed(jsonGrammar(deep));
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`p${i}`, {}]));
    expect(jsonGrammar({ type: 'object', properties: wide }).length).toBeLessThan(100_000);
  });
});
