import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callsGrammar, jsonGrammar } from '../../../lib/engines/gbnf';
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
