import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flattenSchema, unflattenArgs } from '../../../../lib/tools/schema/flatten';
import type { JsonObject, JsonSchema } from '../../../../lib/tools/tool';

const ORDER: JsonSchema = {
  type: 'object',
  properties: {
    item: { type: 'string' },
    address: {
      type: 'object',
      properties: { city: { type: 'string' }, zip: { type: 'string' } },
      required: ['city'],
    },
    lines: { type: 'array', description: 'what to send', items: { type: 'object' } },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['item', 'address'],
};

test('nested objects become dotted arguments, required where everything above is', () => {
  const { schema } = flattenSchema(ORDER);
  expect(schema).toEqual({
    type: 'object',
    properties: {
      item: { type: 'string' },
      'address.city': { type: 'string' },
      'address.zip': { type: 'string' },
      lines: { type: 'string', description: 'what to send (a JSON list)' },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['item', 'address.city'],
  });
});

test('flat arguments are rebuilt into the shape of the tool', () => {
  const flat = flattenSchema(ORDER);
  const args = { item: 'mug', 'address.city': 'Bern', lines: '[{"n":1}]', extra: true };
  expect(unflattenArgs(flat, args)).toEqual({
    arguments: { item: 'mug', address: { city: 'Bern' }, lines: [{ n: 1 }], extra: true },
    problems: [],
  });
});

test('JSON text that does not read is told, not guessed', () => {
  const { problems, arguments: args } = unflattenArgs(flattenSchema(ORDER), { lines: 'two mugs' });
  expect(problems.map((problem) => problem.text)).toEqual([
    '"lines" must be JSON text, such as {"key": "value"}.',
  ]);
  expect(args).toEqual({});
});

test('a value that already has its shape is taken as it is', () => {
  expect(unflattenArgs(flattenSchema(ORDER), { lines: [{ n: 1 }] }).arguments).toEqual({
    lines: [{ n: 1 }],
  });
});

test('names with dots of their own do not collide', () => {
  const flat = flattenSchema({
    type: 'object',
    properties: {
      'a.b': { type: 'string' },
      a: { type: 'object', properties: { b: { type: 'integer' } } },
    },
  });
  expect(Object.keys(flat.schema['properties'] ?? {})).toEqual(['a.b', 'a.b_2']);
  expect(unflattenArgs(flat, { 'a.b': 'x', 'a.b_2': 2 }).arguments).toEqual({
    'a.b': 'x',
    a: { b: 2 },
  });
});

test('no prototype is touched', () => {
  const flat = flattenSchema({
    type: 'object',
    properties: JSON.parse(
      '{"__proto__":{"type":"object","properties":{"polluted":{"type":"boolean"}}}}',
    ),
  });
  const rebuilt = unflattenArgs(flat, { '__proto__.polluted': true }).arguments;
  expect(JSON.stringify(rebuilt)).toBe('{"__proto__":{"polluted":true}}');
  expect(({} as JsonObject)['polluted']).toBeUndefined();
});

const leaf = fc.constantFrom<JsonSchema>(
  { type: 'string' },
  { type: 'integer' },
  { type: 'boolean' },
);
const objectOf = (value: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> =>
  fc
    .dictionary(fc.string({ minLength: 1, maxLength: 4 }), value, { minKeys: 1, maxKeys: 4 })
    .map((properties) => ({ type: 'object', properties }));
const schemas = objectOf(fc.oneof(leaf, objectOf(fc.oneof(leaf, objectOf(leaf)))));

function valueFor(schema: JsonSchema): JsonObject[string] {
  if (schema['type'] === 'string') return 'text';
  if (schema['type'] === 'integer') return 7;
  if (schema['type'] === 'boolean') return true;
  const entries = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries(entries.map(([name, property]) => [name, valueFor(property)]));
}

test('flattening and rebuilding gives the arguments that were meant', () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      const flat = flattenSchema(schema);
      const whole = valueFor(schema);
      const args: JsonObject = {};
      for (const { name, path, json } of flat.fields) {
        let value = whole;
        for (const step of path) value = (value as JsonObject)[step] ?? null;
        Object.defineProperty(args, name, {
          value: json ? JSON.stringify(value) : value,
          enumerable: true,
        });
      }
      const rebuilt = unflattenArgs(flat, args);
      expect(rebuilt.problems).toEqual([]);
      expect(JSON.parse(JSON.stringify(rebuilt.arguments))).toEqual(
        JSON.parse(JSON.stringify(whole)),
      );
    }),
  );
});
