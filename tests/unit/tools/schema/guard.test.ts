import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardSchema, SCHEMA_LIMITS } from '../../../../lib/tools/schema/guard';

const nested = (levels: number): object => {
  let schema: object = { type: 'string' };
  for (let n = 0; n < levels; n++) schema = { type: 'object', properties: { a: schema } };
  return schema;
};

test('an ordinary schema comes through as it is', () => {
  const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
  expect(guardSchema(schema)).toEqual({ ok: true, schema, notes: [] });
});

test('a tool without a schema takes no arguments', () => {
  const none = { ok: true, schema: { type: 'object', properties: {} }, notes: [] };
  expect(guardSchema(undefined)).toEqual(none);
  expect(guardSchema(null)).toEqual(none);
});

test('boolean schemas: true takes anything, false nothing', () => {
  expect(guardSchema(true)).toEqual({ ok: true, schema: { type: 'object' }, notes: [] });
  expect(guardSchema(false)).toMatchObject({
    ok: false,
    reason: 'its schema (false) accepts no call at all',
  });
});

test.each([
  [{ type: 'string' }, 'its schema takes string, not named arguments'],
  [{ type: ['array', 'null'] }, 'its schema takes array or null, not named arguments'],
  [{ $ref: '#/$defs/x', $defs: { x: { type: 'array' } } }, 'takes array'],
  ['{"type":"object"}', 'its schema is a text, not a JSON Schema object'],
  [[], 'its schema is a list'],
  [7, 'its schema is a number'],
])('a root that is no object is refused with the reason: %j', (schema, reason) => {
  const guarded = guardSchema(schema);
  expect(guarded.ok).toBe(false);
  expect(guarded).toHaveProperty('reason', expect.stringContaining(reason));
});

test('a missing root type is filled in, a nullable object is an object', () => {
  expect(guardSchema({ properties: {} })).toMatchObject({ schema: { type: 'object' } });
  expect(guardSchema({ type: ['object', 'null'] })).toMatchObject({ schema: { type: 'object' } });
});

test('500 levels are cut, and the note says so', () => {
  const guarded = guardSchema(nested(500));
  expect(guarded).toMatchObject({ ok: true, notes: ['its schema was cut below 48 levels'] });
  const depth = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depth))
      : 0;
  expect(guarded.ok && depth(guarded.schema)).toBeLessThanOrEqual(SCHEMA_LIMITS.depth + 1);
});

test('5 MB of description leave names, types and choices', () => {
  const guarded = guardSchema({
    type: 'object',
    properties: {
      size: { type: 'string', enum: ['S', 'M'], description: 'x'.repeat(5_000_000) },
      deep: { type: 'object', properties: { a: {} } },
    },
    required: ['size'],
  });
  expect(guarded).toMatchObject({
    ok: true,
    schema: {
      type: 'object',
      properties: { size: { type: 'string', enum: ['S', 'M'] }, deep: { type: 'object' } },
      required: ['size'],
    },
  });
  expect(JSON.stringify(guarded).length).toBeLessThan(1_000);
});

test('too many arguments are refused with their number', () => {
  const properties = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`a${n}`, {}]));
  expect(guardSchema({ type: 'object', properties })).toMatchObject({
    ok: false,
    reason: 'it declares 300 arguments; at most 256 can be offered',
  });
});

test('an object that contains itself is cut where it closes', () => {
  const schema: { type: string; properties: Record<string, unknown> } = {
    type: 'object',
    properties: {},
  };
  schema.properties['self'] = schema;
  const guarded = guardSchema(schema);
  expect(guarded).toMatchObject({ ok: true, schema: { properties: { self: {} } } });
});

test('no getter runs and no prototype is touched', () => {
  let ran = false;
  const schema = {
    type: 'object',
    properties: JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"number"}}'),
    get description() {
      ran = true;
      return 'x';
    },
  };
  const guarded = guardSchema(schema);
  expect(ran).toBe(false);
  expect(guarded.ok && Object.keys(guarded.schema['properties'] ?? {})).toEqual([
    '__proto__',
    'constructor',
  ]);
  expect(({} as Record<string, unknown>)['type']).toBeUndefined();
});

test('whatever it is given, it answers with bounded JSON or a reason', () => {
  fc.assert(
    fc.property(fc.anything({ maxDepth: 6, withNullPrototype: true }), (input) => {
      const guarded = guardSchema(input);
      if (!guarded.ok) return guarded.reason.length > 0;
      const text = JSON.stringify(guarded.schema);
      expect(JSON.parse(text)).toEqual(guarded.schema);
      return guarded.schema['type'] === 'object';
    }),
  );
});
