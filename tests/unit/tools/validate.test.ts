import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateArgs } from '../../../lib/tools/validate';

const properties = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const one = (property: object, value: unknown) =>
  validateArgs(properties({ qty: property }), { qty: value });

describe('validateArgs', () => {
  it('says what is wrong in words a model can act on', () => {
    const schema = properties(
      {
        slug: { type: 'string' },
        qty: { type: 'integer', minimum: 1, maximum: 9 },
        size: { type: 'string', enum: ['S', 'M', 'L'] },
      },
      ['slug'],
    );
    const check = (args: unknown) => validateArgs(schema, args);
    expect(check({ slug: 'cap', qty: 2, size: 'S' })).toBeNull();
    expect(check({ qty: 2 })).toBe('Missing required argument "slug".');
    expect(check({ slug: 'cap', qty: 'two' })).toBe('"qty" must be integer, got "two".');
    expect(check({ slug: 'cap', size: 'XL' })).toBe('"size" must be one of "S", "M", "L".');
    expect(check({ slug: 'cap', qty: 0 })).toBe('"qty" must be at least 1.');
    expect(check({ slug: 'cap', qty: 10 })).toBe('"qty" must be at most 9.');
  });

  it('wants an object', () => {
    expect(validateArgs({}, [1])).toBe('Arguments must be a JSON object, got [1].');
    for (const args of [null, undefined, 'x', 3, [], true]) {
      expect(validateArgs({}, args)).toMatch(/^Arguments must be a JSON object, got /);
    }
  });

  it('takes an empty or null required argument for a missing one, but not 0 or false', () => {
    const schema = { required: ['a'] };
    for (const args of [{}, { a: '' }, { a: null }, { a: undefined }]) {
      expect(validateArgs(schema, args)).toBe('Missing required argument "a".');
    }
    for (const args of [{ a: 0 }, { a: false }, { a: [] }]) {
      expect(validateArgs(schema, args)).toBeNull();
    }
  });

  it('looks for missing arguments first, then at each property: type, enum, minimum, maximum', () => {
    const schema = properties({ a: { type: 'integer' }, b: {} }, ['b']);
    expect(validateArgs(schema, { a: 'x' })).toBe('Missing required argument "b".');
    const strict = { type: 'integer', enum: [5], minimum: 3, maximum: 2 };
    expect(one(strict, 'x')).toBe('"qty" must be integer, got "x".');
    expect(one(strict, 1)).toBe('"qty" must be one of 5.');
    expect(one({ ...strict, enum: [1, 4] }, 1)).toBe('"qty" must be at least 3.');
    expect(one({ ...strict, enum: [1, 4] }, 4)).toBe('"qty" must be at most 2.');
  });

  it('knows integers from numbers', () => {
    for (const value of [2, 2.0, -1]) expect(one({ type: 'integer' }, value)).toBeNull();
    for (const value of [2.5, Number.NaN, Number.POSITIVE_INFINITY, '2']) {
      expect(one({ type: 'integer' }, value)).toContain('must be integer');
    }
    expect(one({ type: 'number' }, 2)).toBeNull();
    expect(one({ type: 'number' }, Number.NaN)).toBe('"qty" must be number, got NaN.');
  });

  it('accepts any of several types and knows every type there is', () => {
    expect(one({ type: ['string', 'null'] }, null)).toBeNull();
    expect(one({ type: ['string', 'null'] }, 1)).toBe('"qty" must be string or null, got 1.');
    expect(one({ type: 'boolean' }, 'true')).toBe('"qty" must be boolean, got "true".');
    expect(one({ type: 'array' }, {})).toBe('"qty" must be array, got {}.');
    expect(one({ type: 'object' }, [])).toBe('"qty" must be object, got [].');
    expect(one({ type: 'any' }, [])).toBeNull();
  });

  it('compares choices by value', () => {
    const choices = { enum: [1, null, { a: [1] }] };
    for (const value of [1, null, { a: [1] }]) expect(one(choices, value)).toBeNull();
    for (const value of ['1', {}, { a: [2] }, { b: [1] }]) {
      expect(one(choices, value)).toBe('"qty" must be one of 1, null, {"a":[1]}.');
    }
  });

  it('ignores unknown and absent arguments', () => {
    expect(validateArgs(properties({ a: { type: 'string' } }), { b: 1 })).toBeNull();
    expect(validateArgs(properties({ a: { type: 'string' } }), { a: undefined })).toBeNull();
  });

  it('reads own properties only', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(validateArgs({ required: [name] }, {})).toBe(`Missing required argument "${name}".`);
      const args = JSON.parse(`{"${name}":"x"}`);
      expect(validateArgs({ required: [name] }, args)).toBeNull();
    }
    expect(validateArgs(properties({ constructor: { type: 'string' } }), {})).toBeNull();
  });

  it('keeps its messages short', () => {
    expect(one({ type: 'integer' }, 'x'.repeat(5000))?.length).toBeLessThan(150);
    expect(one({ type: 'integer' }, Array(5000).fill('x'))?.length).toBeLessThan(150);
    const choices = Array.from({ length: 5000 }, (_, at) => `choice ${at}`);
    expect(one({ enum: choices }, 'x')).toMatch(/"choice 49" and 4950 more\.$/);
  });

  it('demands nothing where there is no schema, and never throws', () => {
    for (const schema of [undefined, null, true, [], 'x', { properties: 3, required: 'a' }]) {
      expect(validateArgs(schema, { a: 1 })).toBeNull();
    }
    const cyclic: { a?: unknown } = {};
    cyclic.a = cyclic;
    expect(one({ type: 'string' }, cyclic)).toBe('"qty" must be string, got an unreadable object.');
    fc.assert(
      fc.property(fc.jsonValue(), fc.anything(), (schema, args) => {
        const problem = validateArgs(schema, args);
        expect(problem === null || problem.endsWith('.')).toBe(true);
      }),
    );
  });
});
