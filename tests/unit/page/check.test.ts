import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkTool, sameTool } from '../../../lib/page/check';
import type { RawTool } from '../../../lib/page/wire';
import { textOf } from '../../../lib/said/said';
import { shownName } from '../../../lib/tools/text/untrusted';

const frame = { origin: 'https://shop.test', documentId: 'D1', frameId: 0 };
const raw = (more: Partial<RawTool> = {}): RawTool => ({
  name: 'search',
  title: '',
  description: 'Finds things',
  schema: '',
  hints: [],
  surface: 'native',
  sizes: [12, 0],
  ...more,
});
const checked = (more: Partial<RawTool> = {}) => {
  const found = checkTool(raw(more), frame);
  if (!found) throw new Error('refused');
  return found;
};

describe('checkTool', () => {
  test('makes a tool of a frame out of what the frame says', () => {
    const schema = { type: 'object', properties: { q: { type: 'string' } } };
    expect(
      checked({ title: 'Search', schema: JSON.stringify(schema), hints: ['readOnlyHint'] }),
    ).toEqual({
      tool: {
        ...frame,
        key: 'D1/search',
        name: 'search',
        title: 'Search',
        description: 'Finds things',
        inputSchema: schema,
        annotations: { readOnlyHint: true },
        surface: 'native',
      },
      notes: [],
    });
  });

  test('claims that are no known hints are not carried on', () => {
    expect(checked({ hints: ['__proto__', 'friendly'] }).tool.annotations).toBeUndefined();
  });

  test('says what was cut for size', () => {
    expect(checked({ sizes: [5_000_000, 0] }).notes.map(textOf)).toEqual([
      'The description of "search" (5,000,000 characters) was cut to 8,000.',
    ]);
    const large = checked({ sizes: [1, 200_000] });
    expect(large.notes[0]?.text).toContain('schema of "search" was left out');
    expect(large.tool.inputSchema).toEqual({ type: 'object' });
  });

  test.each(['{"a":', '[1]', '"text"', '7', 'null'])(
    'a schema of %s is left out and named',
    (schema) => {
      const { tool, notes } = checked({ schema });
      expect(tool.inputSchema).toEqual({ type: 'object' });
      expect(notes).toHaveLength(1);
    },
  );

  test('nesting ends at 40 levels, and what is deeper is unconstrained', () => {
    let schema: object = { type: 'string' };
    for (let i = 0; i < 500; i++) schema = { properties: { a: schema } };
    const { tool, notes } = checked({ schema: JSON.stringify(schema) });
    let depth = 0;
    for (
      let at: unknown = tool.inputSchema;
      typeof at === 'object' && at;
      at = Object.values(at)[0]
    )
      depth++;
    expect(depth).toBe(41);
    expect(notes[0]?.text).toContain('cut below 40 levels');
  });

  test('argument names of prototypes stay names', () => {
    const schema = '{"properties":{"__proto__":{"type":"string"},"constructor":{}}}';
    const properties = checked({ schema }).tool.inputSchema?.['properties'] as object;
    expect(Object.keys(properties)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
  });

  test('refuses what is no tool, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything(), (anything) => {
        const found = checkTool(anything, frame);
        expect(found === undefined || typeof found.tool.name === 'string').toBe(true);
      }),
    );
    for (const wrong of [
      { name: '' },
      { name: 'n'.repeat(300) },
      { description: 'd'.repeat(8001) },
    ])
      expect(checkTool(raw(wrong), frame)).toBeUndefined();
  });

  test('any JSON as a schema comes out bounded, and as JSON', () => {
    fc.assert(
      fc.property(fc.json(), (schema) => {
        const { tool } = checked({ schema });
        expect(JSON.parse(JSON.stringify(tool))).toEqual(tool);
      }),
    );
  });
});

describe('sameTool', () => {
  test('order of keys does not matter, every word does', () => {
    const a = checked({ schema: '{"type":"object","title":"x"}' }).tool;
    expect(sameTool(a, checked({ schema: '{"title":"x","type":"object"}' }).tool)).toBe(true);
    for (const other of [
      { description: 'Sells the house' },
      { schema: '{"type":"object","title":"y"}' },
      { title: 'Other' },
      { hints: ['readOnlyHint'] },
    ])
      expect(sameTool(a, checked({ schema: '{"type":"object","title":"x"}', ...other }).tool)).toBe(
        false,
      );
  });
});

test('a name in words is short and without what does not print', () => {
  expect(shownName('a\u202eb\u0000c')).toBe('abc');
  expect(shownName('n'.repeat(100))).toBe(`${'n'.repeat(60)}…`);
});
