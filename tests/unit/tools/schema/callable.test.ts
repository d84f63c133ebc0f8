import { describe, expect, test } from 'vitest';
import { checkArguments } from '../../../../lib/agent/arguments/check';
import { fixArguments } from '../../../../lib/agent/arguments/fixes';
import { dialectOf } from '../../../../lib/agent/dialects/table';
import { callsGrammar } from '../../../../lib/engines/gbnf';
import { textOf } from '../../../../lib/said/said';
import { presentationFor, presentEntry } from '../../../../lib/tools/exposure/presentation';
import { renderTool } from '../../../../lib/tools/render/listing';
import { typeSignature } from '../../../../lib/tools/render/signature';
import { surfaceOf } from '../../../../lib/tools/schema/walk';
import type { CompactTool, JsonObject, JsonSchema } from '../../../../lib/tools/tool';

/** Whatever a page declares, a model is shown how to call it and lets itself be held to that. */

const object = (properties: JsonObject, rest: JsonObject = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...rest,
});
const text = { type: 'string' };

function shown(schema: JsonSchema, window = 4_096): CompactTool {
  const entry = {
    name: 't',
    source: 'page' as const,
    schema,
    tool: { name: 't', description: 'does it', inputSchema: schema },
  };
  return presentEntry(entry as never, presentationFor(window, 'json'));
}
const problems = (schema: JsonSchema, args: JsonObject) =>
  checkArguments(schema, args).problems.map((problem) => problem.message);

describe('a union at the root', () => {
  const kinds: JsonSchema = {
    oneOf: [
      object({ kind: { const: 'a' }, x: { type: 'integer', minimum: 5 } }, { required: ['kind'] }),
      object(
        { kind: { const: 'b' }, x: { type: 'integer', minimum: 1 }, y: text },
        { required: ['kind'] },
      ),
    ],
  };
  test.each([2_048, 32_768])('shows every alternative in a window of %d', (window) => {
    const { parameters } = shown(kinds, window);
    expect(typeSignature(parameters)).toBe('{kind: "a" | "b", x?: integer, y?: string}');
    expect(surfaceOf(parameters).properties['x']).toMatchObject({ minimum: 1 });
  });

  test('lets every alternative be written under the grammar and the constraint', () => {
    const tool = shown(kinds);
    expect(callsGrammar('hermes', [tool])).toContain('("\\"a\\"" | "\\"b\\"")');
    const constraint = dialectOf('json').constraint([tool]);
    expect(JSON.stringify(constraint)).toContain('"enum":["a","b"]');
  });

  test('takes the alternatives of one name apart no further than all of them allow', () => {
    const { parameters } = shown({
      anyOf: [
        object({ v: { type: 'integer', maximum: 3 }, o: object({ p: text }) }),
        object({ v: { type: 'string' }, o: object({ q: text }) }),
        object({ w: text }),
      ],
    });
    expect(typeSignature(parameters)).toBe(
      '{v?: integer | string, o?: {p?: string, q?: string}, w?: string}',
    );
  });

  test('mends by the alternative that is meant', () => {
    const { args, fixes } = fixArguments(kinds, { kind: 'B', x: '3' });
    expect(args).toEqual({ kind: 'b', x: 3 });
    expect(fixes).toHaveLength(2);
    expect(problems(kinds, args)).toEqual([]);
  });
});

describe('null and the empty text, where the page takes them', () => {
  test.each<[string, JsonSchema, null | '']>([
    ['a list of types', { type: ['string', 'null'] }, null],
    ['the type itself', { type: 'null' }, null],
    ['a choice', { enum: ['a', null] }, null],
    ['an alternative', { anyOf: [text, { type: 'null' }] }, null],
    ['a reference', { $ref: '#/$defs/N' }, null],
    ['an empty choice', { enum: ['', 'a'] }, ''],
    ['an empty constant', { const: '' }, ''],
  ])('are given for a required argument: %s', (_, property, value) => {
    const schema = object(
      { a: property },
      { required: ['a'], $defs: { N: { type: ['integer', 'null'] } } },
    );
    expect(fixArguments(schema, { a: value })).toEqual({ args: { a: value }, fixes: [] });
    expect(problems(schema, { a: value })).toEqual([]);
    expect(problems(schema, {})).toEqual(['Missing required argument "a".']);
  });

  test('are refused elsewhere', () => {
    const schema = object({ a: text }, { required: ['a'] });
    expect(problems(schema, { a: '' })).toEqual(['Missing required argument "a".']);
  });

  test('are shown where they must be written, and left out where the argument may be', () => {
    const nullable = { anyOf: [text, { type: 'null' }] };
    const { parameters } = shown(
      object(
        { a: nullable, b: nullable, c: { type: ['integer', 'null'] } },
        { required: ['a', 'c'] },
      ),
    );
    expect(typeSignature(parameters)).toBe('{a: string | null, b?: string, c: integer | null}');
    const grammar = callsGrammar('hermes', [shown(object({ a: nullable }, { required: ['a'] }))]);
    expect(grammar).toContain('(string | nothing)');
  });
});

describe('a long list of arguments', () => {
  const many = (count: number, required: string[]): JsonSchema =>
    object(
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [
          `field_${n}`,
          { type: 'string', description: `what to write into field number ${n}` },
        ]),
      ),
      { required },
    );
  test.each([
    [100, 2_048],
    [256, 4_096],
    [250, 32_768],
  ])(
    'of %d in a window of %d shows the required ones and as many others as fit',
    (count, window) => {
      const last = `field_${count - 1}`;
      const tool = shown(many(count, [last]), window);
      const { properties, required } = surfaceOf(tool.parameters);
      expect(required).toEqual([last]);
      expect(Object.keys(properties)).toContain(last);
      expect(Object.keys(properties).length).toBeGreaterThan(30);
      expect(renderTool('typescript', tool)).toContain(`${last}`);
      expect(callsGrammar('hermes', [tool])).toContain(last);
    },
  );

  test('shows the required ones first in a signature that has no room for all', () => {
    expect(typeSignature(many(60, ['field_59']))).toMatch(/^\{field_59/);
  });
});

describe('notes on numbers', () => {
  test('say nothing that every number keeps to', () => {
    const { MAX_SAFE_INTEGER: most } = Number;
    const id = { type: 'integer', minimum: -most, maximum: most };
    const count = { type: 'integer', exclusiveMinimum: 0, maximum: most };
    const tool = shown(object({ id, count }));
    expect(renderTool('typescript', tool)).toBe(
      't({id?: integer, count?: integer}): does it\n  count: ≥ 1',
    );
    expect(JSON.stringify(tool)).not.toContain(String(most));
  });
});

describe('mending by the schema as declared', () => {
  const defs = {
    $defs: {
      Count: { type: 'integer' },
      Color: { enum: ['Red', 'Blue'] },
      Place: object({ n: { type: 'integer' } }),
    },
  };
  test.each<[string, JsonSchema, JsonObject, JsonObject]>([
    [
      'a number that may be null',
      { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      { a: '3' },
      { a: 3 },
    ],
    ['a number behind a reference', { $ref: '#/$defs/Count' }, { a: '3' }, { a: 3 }],
    ['a choice behind a reference', { $ref: '#/$defs/Color' }, { a: 'red' }, { a: 'Red' }],
    [
      'yes or no that may be null',
      { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      { a: 'true' },
      { a: true },
    ],
    [
      'a list that may be null',
      { anyOf: [{ type: 'array', items: text }, { type: 'null' }] },
      { a: 'red' },
      { a: ['red'] },
    ],
    ['an object as text', { $ref: '#/$defs/Place' }, { a: '{"n":"3"}' }, { a: { n: 3 } }],
    ['an object as Python', object({ n: text }), { a: "{'n': 'x'}" }, { a: { n: 'x' } }],
    ['null for a reference', { $ref: '#/$defs/Place' }, { a: null }, {}],
    ['null for a choice without a type', { enum: ['x'] }, { a: null }, {}],
    ['null for a constant', { const: 'x' }, { a: null }, {}],
    ['the word null for a number', { type: 'integer' }, { a: 'None' }, {}],
    [
      'the word null where null is taken',
      { type: ['integer', 'null'] },
      { a: 'null' },
      { a: null },
    ],
    ['an empty text for a number', { type: 'integer' }, { a: '' }, {}],
    ['an empty text for a list', { type: 'array', items: text }, { a: '' }, {}],
    [
      'an alternative of two objects',
      {
        oneOf: [
          object({ k: { const: 'x' } }, { required: ['k'] }),
          object({ k: { const: 'y' }, n: { type: 'integer' } }, { required: ['k'] }),
        ],
      },
      { a: '{"k":"y","n":"2"}' },
      { a: { k: 'y', n: 2 } },
    ],
  ])('%s', (_, property, args, fixed) => {
    const schema = object({ a: property }, defs);
    const mended = fixArguments(schema, args);
    expect(mended.args).toEqual(fixed);
    expect(mended.fixes.length).toBeGreaterThan(0);
    expect(problems(schema, mended.args)).toEqual([]);
  });

  test.each([
    "['red', 'blue']",
    '["red","blue",]',
    '[red, blue]',
    '("red","blue")',
    "['red',\n'blue']",
  ])('a list written as %j', (written) => {
    const schema = object({ a: { type: 'array', items: text } });
    expect(fixArguments(schema, { a: written }).args).toEqual({ a: ['red', 'blue'] });
  });

  test('a text that only begins like a list is one item, and half a list is none', () => {
    const schema = object({ a: { type: 'array', items: text } });
    expect(fixArguments(schema, { a: '[urgent] call' }).args).toEqual({ a: ['[urgent] call'] });
    expect(fixArguments(schema, { a: '(see below)' }).args).toEqual({ a: ['(see below)'] });
    expect(fixArguments(schema, { a: "['red', 'bl" }).fixes).toEqual([]);
  });

  test('digits that a number cannot hold stay text, for the check to refuse', () => {
    const schema = object({ a: { type: 'integer' } });
    expect(fixArguments(schema, { a: '7301558820914460033' })).toEqual({
      args: { a: '7301558820914460033' },
      fixes: [],
    });
  });

  test.each<[string, JsonSchema, JsonObject]>([
    [
      'more arguments of a kind',
      object({ a: text }, { additionalProperties: text }),
      { a: 'x', b: 'y' },
    ],
    ['any more', object({ a: text }, { additionalProperties: true }), { a: 'x', b: 1 }],
    [
      'names by a pattern',
      object({ a: text }, { patternProperties: { '^b': text } }),
      { a: 'x', b: 'y' },
    ],
    [
      'oneOf beside properties',
      object(
        { kind: text },
        {
          oneOf: [
            object({ number: text }, { required: ['number'] }),
            object({ cash: text }, { required: ['cash'] }),
          ],
        },
      ),
      { kind: 'card', number: '4' },
    ],
    [
      'a condition',
      object(
        { kind: text },
        {
          if: object({ kind: { const: 'card' } }),
          // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
          then: object({ number: text }, { required: ['number'] }),
        },
      ),
      { kind: 'card', number: '4' },
    ],
    ['allOf', object({ a: text }, { allOf: [object({ b: text })] }), { a: 'x', b: 'y' }],
    [
      'dependentSchemas',
      object({ a: text }, { dependentSchemas: { a: object({ b: text }, { required: ['b'] }) } }),
      { a: 'x', b: 'y' },
    ],
    [
      'dependencies of draft 7',
      object({ a: text }, { dependencies: { a: ['b'], c: object({ d: text }) } }),
      { a: 'x', b: 'y', d: 'z' },
    ],
    [
      'a required name without a property',
      object({ a: text }, { required: ['b'] }),
      { a: 'x', b: 'y' },
    ],
    [
      'unevaluatedProperties',
      object({ a: text }, { unevaluatedProperties: text }),
      { a: 'x', b: 'y' },
    ],
    [
      'a reference that leads nowhere',
      object({ a: text }, { allOf: [{ $ref: 'https://elsewhere.example/x' }] }),
      { a: 'x', b: 'y' },
    ],
  ])('declared arguments are kept, at the root and below: %s', (_, schema, args) => {
    expect(fixArguments(schema, args)).toEqual({ args, fixes: [] });
    const below = object({ o: schema, l: { type: 'array', items: schema } });
    expect(fixArguments(below, { o: args, l: [args] })).toEqual({
      args: { o: args, l: [args] },
      fixes: [],
    });
  });

  test('an argument of no alternative is dropped with a word', () => {
    const { args, fixes } = fixArguments(object({ a: text }), { a: 'x', colour: 'red' });
    expect(args).toEqual({ a: 'x' });
    expect(fixes.map(textOf)).toEqual(['"colour" dropped: the tool has no such argument']);
  });
});
