import { expect, test } from 'vitest';
import { prepareSchema, prepareTool, THIRD_PARTY } from '../../../../lib/tools/schema/prepare';
import { jsonBytes, textBytes } from '../../../../lib/tools/schema/size';
import { stripKeywords } from '../../../../lib/tools/schema/strategies';
import type { JsonSchema } from '../../../../lib/tools/tool';

test('without a strategy only references are resolved', () => {
  const schema = { type: 'object', properties: { a: { const: 1, $comment: 'x' } } };
  expect(prepareSchema(schema).schema).toEqual(schema);
  const referring = { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: {} } };
  expect(prepareSchema(referring, { resolve: false }).schema).toEqual(referring);
});

test('forms are simplified for the reader', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      fixed: { const: 'x' },
      maybe: { anyOf: [{ type: 'string', description: 'text' }, { type: 'null' }] },
      choice: { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
      nullable: { type: ['integer', 'null'] },
      mixed: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    },
  };
  expect(prepareSchema(schema, { strategy: 'conservative' }).schema['properties']).toEqual({
    fixed: { enum: ['x'] },
    maybe: { type: 'string', description: 'text' },
    choice: { type: 'string', enum: ['a', 'b'] },
    nullable: { type: 'integer' },
    mixed: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  });
  expect(prepareSchema(schema, { strategy: 'openai' }).schema).toMatchObject({
    properties: { nullable: { type: ['integer', 'null'] } },
  });
});

test('arguments in compositions of the root are lifted into sight', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: { base: { type: 'string' } },
    allOf: [{ properties: { all: { type: 'string' } }, required: ['all'] }],
    oneOf: [
      { properties: { id: { type: 'string' }, both: {} }, required: ['id', 'both'] },
      { properties: { name: { type: 'string' }, both: {} }, required: ['name', 'both'] },
    ],
  };
  const { schema: lifted } = prepareSchema(schema, { strategy: 'conservative' });
  expect(Object.keys(lifted['properties'] ?? {})).toEqual(['base', 'all', 'id', 'both', 'name']);
  expect(lifted['required']).toEqual(['all', 'both']);
});

test('the Prompt API gets nothing that it refuses', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      a: {
        oneOf: [
          { type: 'string' },
          { type: 'array', uniqueItems: true, items: { type: 'string' } },
        ],
      },
      b: JSON.parse('{"not":{"type":"null"},"if":{},"then":{},"else":{}}'),
      c: { type: 'strnig' },
      d: { type: 'string', pattern: '^(?=a)b', format: 'color' },
      e: { type: 'string', pattern: '^[a-z]+$', format: 'date', maxLength: 10 },
      f: { type: ['string', 'whatever'] },
      uniqueItems: { type: 'boolean' },
    },
    required: ['a'],
  };
  expect(stripKeywords(schema, 'prompt-api')).toEqual({
    type: 'object',
    properties: {
      a: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      b: {},
      c: {},
      d: { type: 'string' },
      e: { type: 'string', pattern: '^[a-z]+$', format: 'date', maxLength: 10 },
      f: { type: 'string' },
      uniqueItems: { type: 'boolean' },
    },
    required: ['a'],
  });
});

test.each<[string, unknown, unknown]>([
  ['arguments as a list, as PHP writes none', { properties: [] }, {}],
  ['required as a text', { required: 'a' }, {}],
  ['required with a number', { required: ['a', 1] }, { required: ['a'] }],
  [
    'an argument that is no schema',
    { properties: { a: 'string', b: null, c: true } },
    { properties: { a: {}, b: {}, c: {} } },
  ],
  ['a bound as text', { minimum: '3', maxLength: -1, minItems: 1.5 }, {}],
  ['a bound no number needs', { maximum: Number.MAX_VALUE, multipleOf: 0 }, {}],
  ['a union of texts', { anyOf: ['string'] }, {}],
  ['a pattern between slashes', { pattern: '/^a$/' }, {}],
  ['a pattern with half a count', { pattern: 'a{,3}' }, {}],
  ['a pattern with an empty class', { pattern: '[^]' }, {}],
  ['a pattern with an end of another language', { pattern: 'a\\Z' }, {}],
  [
    'half a surrogate pair',
    { enum: ['a', '\ud800'], title: '\ud800' },
    { enum: ['a'], title: '\ufffd' },
  ],
])('the Prompt API is not refused a whole reply for %s', (_, declared, kept) => {
  const one = stripKeywords(declared as JsonSchema, 'prompt-api');
  expect(one).toEqual(kept);
  const held = stripKeywords({ anyOf: [declared as JsonSchema, { type: 'string' }] }, 'prompt-api');
  expect(held).toEqual({ anyOf: [kept, { type: 'string' }] });
});

test('Gemini keeps structure, types and choices; arguments named like keywords stay', () => {
  const schema: JsonSchema = {
    type: 'object',
    additionalProperties: false,
    properties: {
      format: { type: 'string', format: 'date', minLength: 1 },
      pattern: { type: 'string', enum: ['a'], examples: ['a'] },
    },
  };
  expect(stripKeywords(schema, 'gemini')).toEqual({
    type: 'object',
    properties: { format: { type: 'string' }, pattern: { type: 'string', enum: ['a'] } },
  });
});

test('strict: all required, nothing else, at every level', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      at: { type: 'object', properties: { x: { type: 'number' } } },
      list: { type: 'array', items: { type: 'object', properties: { y: {} } } },
    },
  };
  expect(prepareSchema(schema, { strict: true }).schema).toEqual({
    type: 'object',
    properties: {
      at: {
        type: 'object',
        properties: { x: { type: 'number' } },
        required: ['x'],
        additionalProperties: false,
      },
      list: {
        type: 'array',
        items: {
          type: 'object',
          properties: { y: {} },
          required: ['y'],
          additionalProperties: false,
        },
      },
    },
    required: ['at', 'list'],
    additionalProperties: false,
  });
});

test('third-party tools cost at most 5 000 bytes of schema and 1 000 of description', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `argument_${n}`,
      { type: 'string', description: 'what it is for, at length '.repeat(8) },
    ]),
  );
  const prepared = prepareTool(
    { name: 'big', description: 'ü'.repeat(900), schema: { type: 'object', properties } },
    { compaction: THIRD_PARTY },
  );
  expect(prepared.bytes).toBeLessThanOrEqual(5_000);
  expect(prepared.bytes).toBe(jsonBytes(prepared.tool.parameters));
  expect(prepared.rung).toBe('all-descriptions');
  expect(textBytes(prepared.tool.description)).toBeLessThanOrEqual(1_000);
  expect(Object.keys(prepared.tool.parameters['properties'] ?? {})).toHaveLength(60);
});
