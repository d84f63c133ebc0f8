import { expect, test } from 'vitest';
import { resolveRefs, resolveSurface } from '../../../../lib/tools/schema/resolve';

test('a local reference is replaced by what it points to, and the tables go', () => {
  const schema = {
    type: 'object',
    properties: { size: { $ref: '#/$defs/Size', description: 'of the shirt' } },
    $defs: { Size: { type: 'string', enum: ['S', 'M'], description: 'a size' } },
  };
  expect(resolveRefs(schema)).toEqual({
    type: 'object',
    properties: { size: { type: 'string', enum: ['S', 'M'], description: 'of the shirt' } },
  });
});

test('pointers are decoded', () => {
  const schema = {
    properties: { a: { $ref: '#/definitions/x~1y~0z%20q' } },
    definitions: { 'x/y~z q': { type: 'integer' } },
  };
  expect(resolveRefs(schema)).toEqual({ properties: { a: { type: 'integer' } } });
});

test.each([
  'https://elsewhere.test/schema.json',
  '#/$defs/Nowhere',
  '#missing',
  '#/properties/__proto__',
  '#/%E0%A4%A',
])('a reference that leads nowhere opens the argument and keeps its words: %s', ($ref) => {
  const schema = { properties: { a: { $ref, title: 'A', description: 'an a', default: 1 } } };
  expect(resolveRefs(schema)).toEqual({
    properties: { a: { title: 'A', description: 'an a', default: 1 } },
  });
});

test('a cycle ends after one round', () => {
  const schema = {
    properties: { tree: { $ref: '#/$defs/Node' } },
    $defs: {
      Node: {
        type: 'object',
        properties: { children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      },
    },
  };
  expect(resolveRefs(schema)).toEqual({
    properties: {
      tree: { type: 'object', properties: { children: { type: 'array', items: {} } } },
    },
  });
  expect(resolveRefs({ properties: { self: { $ref: '#' } } })).toEqual({
    properties: { self: {} },
  });
});

test('an allOf bomb stays small', () => {
  const $defs: Record<string, { allOf: { $ref: string }[] } | { type: string }> = {
    d30: { type: 'object' },
  };
  for (let n = 0; n < 30; n++) {
    $defs[`d${n}`] = { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] };
  }
  const schema = { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs };
  expect(JSON.stringify(resolveRefs(schema)).length).toBeLessThan(200_000);
  expect(JSON.stringify(resolveSurface({ $ref: '#/$defs/d0', $defs })).length).toBeLessThan(
    200_000,
  );
});

test('the surface of a root made of references is seen', () => {
  const schema = {
    allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }],
    $defs: {
      A: { properties: { a: {} }, required: ['a'] },
      B: { allOf: [{ $ref: '#/$defs/C' }] },
      C: { properties: { c: {} } },
    },
  };
  expect(resolveSurface(schema)).toMatchObject({
    allOf: [{ properties: { a: {} } }, { allOf: [{ properties: { c: {} } }] }],
  });
});
