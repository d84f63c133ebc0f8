import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkArguments } from '../../../lib/agent/arguments/check';
import { fixArguments } from '../../../lib/agent/arguments/fixes';
import { asJsonObject, canonical } from '../../../lib/agent/arguments/json';
import { textOf } from '../../../lib/said/said';
import type { JsonObject } from '../../../lib/tools/tool';

const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });
const check = (schema: unknown, args: unknown) => {
  const plain = asJsonObject(args);
  if (plain === undefined) throw new Error('not an object');
  return checkArguments(schema, plain);
};
const messages = (schema: unknown, args: unknown) =>
  check(schema, args).problems.map((p) => p.message);

describe('checkArguments', () => {
  it('says the usual mistakes in friendly words, with the path of the argument', () => {
    const schema = object({ qty: { type: 'integer', minimum: 1 } }, { required: ['qty'] });
    expect(check(schema, { qty: 2 })).toEqual({ problems: [], unchecked: [] });
    expect(check(schema, {}).problems).toMatchObject([
      { path: 'qty', message: 'Missing required argument "qty".' },
    ]);
    expect(check(schema, { qty: 0 }).problems).toMatchObject([
      { path: 'qty', message: '"qty" must be at least 1.' },
    ]);
  });

  it.each([
    [{ code: { type: 'string', minLength: 3 } }, { code: 'ab' }],
    [{ step: { type: 'number', multipleOf: 5 } }, { step: 7 }],
    [{ when: { type: 'string', format: 'date' } }, { when: '2026-02-30' }],
    [{ mail: { type: 'string', format: 'email' } }, { mail: 'nobody' }],
    [{ tags: { type: 'array', items: { type: 'string' }, maxItems: 1 } }, { tags: ['a', 'b'] }],
    [{ tags: { type: 'array', items: { type: 'integer' } } }, { tags: [1, 'b'] }],
    [{ ship: object({ zip: { const: '53111' } }) }, { ship: { zip: '1' } }],
    [{ who: { anyOf: [{ type: 'integer' }, { type: 'string', minLength: 9 }] } }, { who: 'me' }],
    [{ zip: { type: 'string', pattern: '^[0-9]{5}$' } }, { zip: '12' }],
    [
      { id: { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' } },
      { id: '12' },
    ],
  ])('checks what the friendly rules do not know: %j', (properties, args) => {
    expect(messages(object(properties), args)).toHaveLength(1);
  });

  it('names the inner argument', () => {
    const schema = object({ lines: { type: 'array', items: object({ n: { type: 'integer' } }) } });
    expect(check(schema, { lines: [{ n: 1 }, { n: 'x' }] }).problems[0]?.path).toBe('lines.1.n');
  });

  it('follows local references, also recursive ones', () => {
    const schema = {
      ...object({ tree: { $ref: '#/$defs/node' } }),
      $defs: {
        node: object({
          id: { type: 'integer' },
          kids: { type: 'array', items: { $ref: '#/$defs/node' } },
        }),
      },
    };
    expect(messages(schema, { tree: { id: 1, kids: [{ id: 2 }] } })).toEqual([]);
    expect(messages(schema, { tree: { id: 1, kids: [{ id: 'x' }] } })).toHaveLength(1);
  });

  it('reads tuples and booleans of draft 7', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({
        at: { type: 'array', items: [{ type: 'number' }, { type: 'string' }] },
        no: false,
      }),
    };
    expect(messages(schema, { at: [1, 'x'] })).toEqual([]);
    expect(messages(schema, { at: [1, 2] })).toHaveLength(1);
    expect(messages(schema, { no: 1 })).toHaveLength(1);
  });

  it('refuses an unknown argument only where the page forbids it', () => {
    expect(messages(object({ a: {} }), { b: 1 })).toEqual([]);
    expect(messages(object({ a: {} }, { additionalProperties: false }), { b: 1 })).toEqual([
      '"b": the page does not take this.',
    ]);
  });

  it('takes names such as constructor and __proto__ for names', () => {
    const schema = object(
      { constructor: { type: 'string' } },
      { required: ['constructor', 'toString'], additionalProperties: false },
    );
    expect(messages(schema, {})[0]).toBe('Missing required argument "constructor".');
    const proto = JSON.parse('{"properties":{"__proto__":{"type":"integer"}}}');
    expect(messages(proto, JSON.parse('{"__proto__":"x"}'))).toHaveLength(1);
    expect(messages(object({ constructor: { minLength: 2 } }), {})).toEqual([]);
  });
});

describe('hostile schemas', () => {
  const evil = '^(a+)+$';
  it('checks a catastrophic pattern without hanging', () => {
    const schema = object({ x: { type: 'string', pattern: evil } });
    expect(messages(schema, { x: `${'a'.repeat(200)}!` })).toHaveLength(1);
    expect(messages(schema, { x: 'a'.repeat(200) })).toEqual([]);
  });

  it.each([
    ['look-ahead', { pattern: '^(?=.*[A-Z]).+$' }],
    ['a thousand repeats of a thousand', { pattern: '(x{1000}){1000}' }],
    ['many long repeats', { pattern: 'x{0,900}y{0,900}z{0,900}' }],
    ['too long a pattern', { pattern: 'a'.repeat(5000) }],
    ['a broken pattern', { pattern: '([' }],
  ])('says that %s was not checked', (_, property) => {
    const { problems, unchecked } = check(object({ x: { type: 'string', ...property } }), {
      x: 'a',
    });
    expect(problems).toEqual([]);
    expect(unchecked.map(textOf).join()).toMatch(/pattern/);
  });

  it('says that patterns inside alternatives were not checked', () => {
    const schema = object({ x: { anyOf: [{ pattern: evil }, { type: 'null' }] } });
    expect(check(schema, { x: 'b' })).toMatchObject({
      problems: [],
      unchecked: [{ text: 'Patterns inside alternatives or conditions were not checked.' }],
    });
  });

  it.each([
    ['a reference to itself', { $ref: '#' }],
    [
      'two that point at each other',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
    ['one through allOf', { allOf: [{ $ref: '#' }] }],
  ])('survives %s', (_, schema) => {
    expect(check(schema, { x: 1 }).unchecked.map(textOf).join()).toMatch(/too many checks/);
  });

  it('survives a reference that leads nowhere or out of the document', () => {
    for (const $ref of [
      '#/nowhere',
      'https://evil.example/s.json',
      '#/properties/x/type',
      '%',
      '#/%E0',
    ]) {
      const { problems, unchecked } = check(object({ x: { $ref } }), { x: 1 });
      expect(problems).toEqual([]);
      expect(unchecked.map(textOf).join()).toMatch(/leads nowhere/);
    }
  });

  it('survives schemas that are deep, wide, or double at every level', () => {
    let deep: object = { type: 'string' };
    for (let i = 0; i < 3000; i++) deep = object({ a: deep });
    expect(check(deep, { a: {} }).unchecked.map(textOf).join()).toMatch(/too large or too deep/);

    const defs: Record<string, object> = { l0: { type: 'integer' } };
    for (let i = 1; i <= 40; i++) {
      defs[`l${i}`] = { anyOf: [{ $ref: `#/$defs/l${i - 1}` }, { $ref: `#/$defs/l${i - 1}` }] };
    }
    const bomb = { ...object({ x: { $ref: '#/$defs/l40' } }), $defs: defs };
    expect(check(bomb, { x: 'no' }).unchecked.map(textOf).join()).toMatch(/too many checks/);
  });

  it('does not refuse arguments whose names were too many to look at', () => {
    const names = Array.from({ length: 20_000 }, (_, n) => [`a${n}`, { type: 'string' }]);
    const wide = object(Object.fromEntries(names), { additionalProperties: false });
    const { problems, unchecked } = check(wide, { a19999: 'x' });
    expect(problems).toEqual([]);
    expect(unchecked.map(textOf).join()).toMatch(/too large/);
  });

  it('ignores keywords of the wrong kind and says so', () => {
    const schema = object({ x: { type: 'strnig', minimum: '3', required: 'x', enum: 'a' } });
    const { problems, unchecked } = check(schema, { x: 1 });
    expect(problems).toEqual([]);
    expect(unchecked.length).toBeGreaterThan(0);
  });

  it('never throws, whatever schema a page declares', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      'anyOf',
      'allOf',
      'oneOf',
      'not',
      'if',
      'then',
      '$ref',
      '$id',
      'id',
      'pattern',
      'format',
      'enum',
      'const',
      'required',
      'patternProperties',
      'additionalProperties',
      'dependencies',
      'dependentSchemas',
      'unevaluatedProperties',
      'contains',
      '$anchor',
      '$dynamicRef',
    );
    const text = fc.constantFrom(
      'object',
      'string',
      '#',
      '#/properties/a',
      'a',
      '^a+$',
      '',
      '[',
      'date',
    );
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 5, depthSize: 'small' },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(keyword, fc.constantFrom('a', '__proto__')), tie('node'), {
          maxKeys: 4,
        }),
      ),
    }));
    const args = fc.dictionary(fc.constantFrom('a', 'b', 'x'), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(node, args, (schema, value) => {
        const { problems, unchecked } = check(schema, value);
        expect(Array.isArray(problems) && Array.isArray(unchecked)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('fixArguments', () => {
  const schema = object({
    qty: { type: 'integer' },
    size: { type: 'string', enum: ['S', 'M', 'Extra Large'] },
    gift: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    zip: { type: 'string' },
    ship: object({ express: { type: 'boolean' } }),
  });

  it.each([
    [{ qty: '3' }, { qty: 3 }, '"3" → 3 for "qty"'],
    [{ zip: 53111 }, { zip: '53111' }, '53111 → "53111" for "zip"'],
    [{ gift: 'True' }, { gift: true }, '"True" → true for "gift"'],
    [{ tags: 'red' }, { tags: ['red'] }, '"red" → ["red"] for "tags"'],
    [{ qty: [4] }, { qty: 4 }, '[4] → 4 for "qty"'],
    [{ size: 'm' }, { size: 'M' }, '"m" → "M" for "size"'],
    [{ size: 'extra_large' }, { size: 'Extra Large' }, '"extra_large" → "Extra Large" for "size"'],
    [{ Qty: 1 }, { qty: 1 }, '"Qty" → "qty"'],
    [{ color: 'red' }, {}, '"color" dropped: the tool has no such argument'],
    [{ gift: null }, {}, '"gift" dropped: it was null'],
    [
      { ship: '{"express":true}' },
      { ship: { express: true } },
      '"{\\"express\\":true}" → {"express":true} for "ship"',
    ],
    [
      { ship: { express: 'false' } },
      { ship: { express: false } },
      '"false" → false for "ship.express"',
    ],
  ])('mends %j', (args, fixed, words) => {
    const mended = fixArguments(schema, args);
    expect(mended.args).toEqual(fixed);
    expect(mended.fixes.map(textOf)).toEqual([words]);
  });

  it.each([
    { qty: 'three' },
    { qty: '3 mugs' },
    { qty: 2.5 },
    { size: 'large' },
    { gift: 'yes please' },
    { tags: ['a', 'b'] },
    { qty: [1, 2] },
  ] as JsonObject[])('leaves %j to the check', (args) => {
    expect(fixArguments(schema, args)).toEqual({ args, fixes: [] });
  });

  it('keeps what a schema leaves open', () => {
    const args = { anything: 1 };
    expect(fixArguments({ type: 'object' }, args).args).toEqual(args);
    expect(fixArguments(object({ a: {} }, { additionalProperties: true }), args).args).toEqual(
      args,
    );
    expect(fixArguments({ allOf: [object({ anything: {} })], properties: {} }, args).args).toEqual(
      args,
    );
    expect(fixArguments(undefined, args).args).toEqual(args);
  });

  it('never makes valid arguments invalid', () => {
    const value = fc.record(
      {
        qty: fc.integer(),
        size: fc.constantFrom('S', 'M', 'Extra Large'),
        gift: fc.boolean(),
        tags: fc.array(fc.string()),
        zip: fc.string({ minLength: 1 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(value, (args) => {
        expect(fixArguments(schema, args)).toEqual({ args, fixes: [] });
      }),
    );
  });
});

describe('canonical', () => {
  it('does not depend on the order of keys', () => {
    expect(canonical({ b: [1, { d: 1, c: 2 }], a: 'x' })).toBe(
      canonical({ a: 'x', b: [1, { c: 2, d: 1 }] }),
    );
    expect(canonical({ a: 1 })).not.toBe(canonical({ a: '1' }));
  });
});
