import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactToFit, RUNGS } from '../../../../lib/tools/schema/compaction';
import { liftSurface } from '../../../../lib/tools/schema/merge';
import { resolveSurface } from '../../../../lib/tools/schema/resolve';
import { clipBytes, jsonBytes } from '../../../../lib/tools/schema/size';
import { surfaceOf } from '../../../../lib/tools/schema/walk';
import type { JsonSchema } from '../../../../lib/tools/tool';

/** Every rung of the ladder, from the schema as it is to nothing but an object. */
function rungs(schema: JsonSchema): Map<string, JsonSchema> {
  const seen = new Map<string, JsonSchema>();
  for (let max = jsonBytes(schema); max >= 0; ) {
    const result = compactToFit(schema, max);
    seen.set(result.rung, result.schema);
    if (result.rung === 'open') break;
    max = Math.min(max, result.bytes) - 1;
  }
  return seen;
}

const RICH: JsonSchema = {
  type: 'object',
  description: 'the root',
  properties: {
    when: { $ref: '#/$defs/When', description: 'the day' },
    where: {
      type: 'object',
      description: 'a place that is described at some length',
      properties: {
        city: { type: 'string', description: 'its city, as people write it' },
        spot: {
          type: 'object',
          properties: {
            at: {
              type: 'object',
              properties: { lat: { type: 'number' }, lon: { type: 'number' } },
            },
          },
        },
      },
    },
    how: {
      oneOf: [
        { type: 'string', enum: ['fast', 'slow', 'as it comes', 'as late as possible'] },
        { type: 'integer', minimum: 1, maximum: 100 },
      ],
    },
  },
  required: ['when'],
  $defs: {
    When: { type: 'string', format: 'date' },
    Unused: { type: 'string', description: 'nobody refers to this' },
  },
};

test('what fits is left as it is', () => {
  expect(compactToFit(RICH, 5_000)).toMatchObject({ schema: RICH, rung: 'whole' });
});

test('the rungs come in order, each taking one thing away', () => {
  const seen = rungs(RICH);
  expect([...seen.keys()]).toEqual([...RUNGS]);
  expect(seen.get('definitions-pruned')?.['$defs']).toEqual({
    When: { type: 'string', format: 'date' },
  });
  const nested = JSON.stringify(seen.get('nested-descriptions'));
  expect(nested).not.toContain('its city');
  expect(nested).toContain('a place');
  const described = seen.get('all-descriptions');
  expect(described?.['description']).toBe('the root');
  expect(JSON.stringify(described?.['properties'])).not.toContain('description');
  expect(seen.get('references-opened')).toMatchObject({ properties: { when: {} } });
  expect(seen.get('references-opened')).not.toHaveProperty('$defs');
  expect(seen.get('deep-collapsed')).toMatchObject({
    properties: { where: { properties: { spot: { properties: { at: { type: 'object' } } } } } },
  });
  expect(JSON.stringify(seen.get('deep-collapsed'))).not.toContain('"lat"');
  expect(seen.get('compositions-dropped')).toMatchObject({ properties: { how: {} } });
  expect(seen.get('names-and-types')).toEqual({
    type: 'object',
    properties: { when: {}, where: { type: 'object' }, how: {} },
    required: ['when'],
  });
  expect(compactToFit(RICH, 0).schema).toEqual({
    type: 'object',
    properties: { when: {} },
    required: ['when'],
  });
});

test('arguments that are named like keywords survive every rung but the last', () => {
  const names = [
    '$ref',
    'definitions',
    '$defs',
    'anyOf',
    'oneOf',
    'allOf',
    'description',
    '__proto__',
  ];
  const properties = JSON.parse(
    `{${names.map((name) => `"${name}":{"type":"string","description":"an argument"}`).join(',')}}`,
  );
  const seen = rungs({ type: 'object', properties, required: names });
  seen.delete('open');
  for (const schema of seen.values()) {
    expect(Object.keys(surfaceOf(schema).properties)).toEqual(names);
    expect(surfaceOf(schema).required).toEqual(names);
  }
});

test('data that looks like schema is left alone', () => {
  const data = {
    description: 'data',
    $ref: '#/x',
    anyOf: [1],
    properties: { a: { description: 'x' } },
  };
  const schema = {
    type: 'object',
    properties: { a: { default: data, enum: [data], examples: [data] } },
    $defs: { Unused: { type: 'string' } },
  };
  for (const [rung, shrunk] of rungs(schema)) {
    if (rung === 'names-and-types' || rung === 'open') continue;
    expect(surfaceOf(shrunk).properties['a']).toEqual({
      default: data,
      enum: [data],
      examples: [data],
    });
  }
});

test('a root that is a reference keeps its arguments', () => {
  const schema = {
    type: 'object',
    $ref: '#/$defs/Args',
    $defs: {
      Args: {
        properties: { a: { type: 'string', description: 'long '.repeat(50) } },
        required: ['a'],
      },
    },
  };
  expect(compactToFit(schema, 100).schema).toMatchObject({
    properties: { a: { type: 'string' } },
    required: ['a'],
  });
});

const argument = fc.oneof(
  fc.constant<JsonSchema>({ type: 'string', description: 'some words about it' }),
  fc.constant<JsonSchema>({ $ref: '#/$defs/A' }),
  fc.constant<JsonSchema>({ anyOf: [{ type: 'string' }, { $ref: '#/$defs/B' }] }),
  fc.constant<JsonSchema>({
    type: 'array',
    prefixItems: [{ $ref: '#/$defs/A' }],
    not: { const: 1 },
  }),
);
const name = fc.constantFrom('a', 'b', 'c', '$ref', 'anyOf', 'definitions', 'allOf', 'properties');
const part = fc
  .dictionary(name, argument, { maxKeys: 5 })
  .chain((properties) =>
    fc.subarray(Object.keys(properties)).map((required): JsonSchema => ({ properties, required })),
  );
const schemas = fc
  .record({
    root: part,
    all: fc.array(part, { maxLength: 2 }),
    any: fc.array(part, { maxLength: 2 }),
  })
  .map(
    ({ root, all, any }): JsonSchema => ({
      type: 'object',
      ...root,
      ...(all.length > 0 ? { allOf: [...all, { $ref: '#/$defs/Base' }] } : {}),
      ...(any.length > 0 ? { anyOf: any } : {}),
      $defs: {
        A: { type: 'string' },
        B: { type: 'object', properties: { a: { $ref: '#/$defs/B' } } },
        Base: { properties: { base: { type: 'string' } }, required: ['base'] },
      },
    }),
  );

test('every rung but the last keeps names and required of the top-level arguments', () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      const whole = surfaceOf(liftSurface(resolveSurface(schema)));
      for (const [rung, shrunk] of rungs(schema)) {
        if (rung === 'open') continue;
        const left = surfaceOf(liftSurface(resolveSurface(shrunk)));
        expect(Object.keys(left.properties).sort()).toEqual(Object.keys(whole.properties).sort());
        expect([...left.required].sort()).toEqual([...whole.required].sort());
      }
    }),
  );
});

test('descriptions are cut between characters, the mark counting', () => {
  expect(clipBytes('short', 10)).toBe('short');
  expect(clipBytes('aaaaaaaa', 6)).toBe('aaa…');
  expect(clipBytes('ääää', 7)).toBe('ää…');
  expect(clipBytes('👍👍', 7)).toBe('👍…');
  expect(clipBytes('👍👍', 6)).toBe('…');
  expect(clipBytes('abc', 2)).toBe('');
});
