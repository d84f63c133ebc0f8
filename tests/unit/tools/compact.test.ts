import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactSchema } from '../../../lib/tools/compact';

const KEPT = ['type', 'properties', 'required', 'enum', 'minimum', 'maximum', 'items'];

describe('compactSchema', () => {
  it('keeps what a small model needs and drops the rest, at every level', () => {
    const schema = {
      $schema: 'x',
      title: 'T',
      type: 'object',
      additionalProperties: false,
      properties: {
        size: { type: 'string', enum: ['S', 'M'], default: 'S', pattern: '.', title: 'Size' },
        lines: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            properties: { qty: { type: 'integer', minimum: 1, maximum: 9, exclusiveMinimum: 0 } },
            required: ['qty'],
            $ref: '#/x',
          },
        },
      },
      required: ['size'],
      anyOf: [{ required: ['lines'] }],
    };
    expect(compactSchema(schema)).toEqual({
      type: 'object',
      properties: {
        size: { type: 'string', enum: ['S', 'M'] },
        lines: {
          type: 'array',
          items: {
            type: 'object',
            properties: { qty: { type: 'integer', minimum: 1, maximum: 9 } },
            required: ['qty'],
          },
        },
      },
      required: ['size'],
    });
  });

  it('cuts descriptions at 160 characters, at every level, never through a character', () => {
    const description = 'd'.repeat(200);
    const compact = compactSchema({
      description,
      properties: { a: { description, items: { description: `${'d'.repeat(159)}😀` } } },
    });
    expect(compact).toEqual({
      description: 'd'.repeat(160),
      properties: { a: { description: 'd'.repeat(160), items: { description: 'd'.repeat(159) } } },
    });
  });

  it('takes keys inside properties for names, whatever they are called', () => {
    const odd = ['format', 'title', 'type', 'properties', 'required', 'constructor', '__proto__'];
    const properties = JSON.parse(`{${odd.map((name) => `"${name}":{"type":"string"}`).join()}}`);
    const compact = compactSchema({ properties });
    expect(Object.keys(compact.properties ?? {}).sort()).toEqual([...odd].sort());
    expect(Object.getPrototypeOf(compact.properties)).toBe(Object.prototype);
  });

  it('makes nothing of what is no schema', () => {
    for (const odd of [undefined, null, true, false, 1, 'x', [], () => 0]) {
      expect(compactSchema(odd)).toEqual({});
    }
    expect(compactSchema({ properties: { a: true, b: null, c: [] }, items: true })).toEqual({
      properties: { a: {}, b: {}, c: {} },
    });
    expect(compactSchema({ type: 7, required: 'a', enum: 'b', minimum: '1', items: 2 })).toEqual(
      {},
    );
  });

  it('keeps lists of types, tuples, and required names that are not declared', () => {
    const schema = {
      type: ['string', 'null'],
      items: [{ type: 'string', format: 'x' }],
      required: ['ghost', 4],
    };
    expect(compactSchema(schema)).toEqual({
      type: ['string', 'null'],
      items: [{ type: 'string' }],
      required: ['ghost'],
    });
  });

  it('runs no getter and follows no inherited key', () => {
    const schema = Object.create({ type: 'object' });
    Object.defineProperty(schema, 'description', {
      enumerable: true,
      get() {
        throw new Error('a getter ran');
      },
    });
    expect(compactSchema(schema)).toEqual({});
  });

  it('ends on cycles, depth and size', () => {
    const cyclic: Record<string, unknown> = { type: 'object' };
    cyclic.properties = { self: cyclic, list: { items: cyclic } };
    cyclic.enum = [cyclic, [cyclic.enum], 'ok'];
    expect(compactSchema(cyclic)).toEqual({
      type: 'object',
      properties: { self: {}, list: { items: {} } },
      enum: [[], 'ok'],
    });

    let deep: unknown = { type: 'string' };
    for (let level = 0; level < 50_000; level++) deep = { items: deep };
    expect(JSON.stringify(compactSchema(deep)).length).toBeLessThan(1000);

    const shared = Array.from({ length: 20 }).reduce<object>(
      (inner) => ({ properties: { a: inner, b: inner, c: inner } }),
      { type: 'string' },
    );
    expect(JSON.stringify(compactSchema(shared)).length).toBeLessThan(1_000_000);
    expect(compactSchema({ required: new Array(1e9) })).toEqual({ required: [] });
  });

  it('gives plain JSON of kept keywords for any JSON, changes nothing and is stable', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (schema) => {
        const before = JSON.stringify(schema);
        const compact = compactSchema(schema);
        expect(JSON.stringify(schema)).toBe(before);
        expect([...KEPT, 'description']).toEqual(expect.arrayContaining(Object.keys(compact)));
        expect(compactSchema(compact)).toEqual(compact);
      }),
    );
  });
});
