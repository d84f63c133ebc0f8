import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolRouterError } from '../../../lib/tools/router/error';
import { estimateToolTokens } from '../../../lib/tools/router/estimate';
import { createToolRouter } from '../../../lib/tools/router/router';
import { collectSchemaText } from '../../../lib/tools/router/schema-text';

const coded = (code: string) => expect.objectContaining({ code });
const withSchema = (inputSchema: unknown) => [{ name: 'tool', inputSchema }];
/** `levels` objects, each in the last. */
const nested = (levels: number) => {
  let value: object = { type: 'string' };
  for (let level = 1; level < levels; level++) value = { items: value };
  return value;
};

describe('hostile definitions', () => {
  it('never reach a prototype', () => {
    const tool = JSON.parse(`{
      "name": "constructor",
      "tags": ["__proto__"],
      "inputSchema": { "properties": {
        "__proto__": { "description": "polluted" },
        "constructor": { "prototype": { "description": "polluted" } },
        "toString": { "description": "searchable" }
      } }
    }`);
    const router = createToolRouter([tool]);
    expect(router.search('searchable')[0]?.name).toBe('constructor');
    expect(router.search('polluted')).toEqual([]);
    for (const query of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(() => router.search(query)).not.toThrow();
    }
    expect(router.get('__proto__')).toBeUndefined();
    expect({}).not.toHaveProperty('polluted');
    createToolRouter([], { synonyms: JSON.parse('{"__proto__": ["x"], "constructor": ["y"]}') });
    expect({}).not.toHaveProperty('x');
  });

  it('run no getter', () => {
    const getter = (key: string, target: object = {}) =>
      Object.defineProperty(target, key, {
        enumerable: true,
        get() {
          throw new Error('a getter ran');
        },
      });
    const inputSchema = getter('description', { properties: getter('a', {}) });
    const tool = getter('tags', { name: 'safe', inputSchema });
    expect(createToolRouter([tool]).search('safe')).toHaveLength(1);
    expect(() => createToolRouter([getter('name')])).toThrow(coded('ERR_TOOL_FORMAT'));
    const list = getter('0', []);
    expect(createToolRouter(list as object[]).size).toBe(0);
  });

  it('are bounded in cycles, depth, size and text', () => {
    const cycle: Record<string, unknown> = { type: 'object' };
    cycle.self = cycle;
    expect(() => createToolRouter(withSchema(cycle))).toThrow(coded('ERR_TOOL_CYCLIC'));
    expect(() => createToolRouter(withSchema(nested(26)))).toThrow(coded('ERR_TOOL_SCHEMA_DEPTH'));
    expect(createToolRouter(withSchema(nested(25))).size).toBe(1);
    expect(() => createToolRouter(withSchema(nested(100_000)))).toThrow(
      coded('ERR_TOOL_SCHEMA_DEPTH'),
    );
    const wide = {
      properties: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [at, {}])),
    };
    expect(() => createToolRouter(withSchema(wide), { maxSchemaNodes: 20 })).toThrow(
      coded('ERR_TOOL_SCHEMA_SIZE'),
    );
    const sparse = { examples: new Array(1e9) };
    expect(() => createToolRouter(withSchema(sparse))).toThrow(coded('ERR_TOOL_SCHEMA_SIZE'));
    const long = [{ name: 'tool', description: 'x'.repeat(101) }];
    expect(() => createToolRouter(long, { maxTextLength: 100 })).toThrow(
      coded('ERR_TOOL_TEXT_SIZE'),
    );
    expect(() => createToolRouter([{ name: 'a' }, { name: 'b' }], { maxTools: 1 })).toThrow(
      coded('ERR_TOOL_CATALOG_SIZE'),
    );
  });

  it('are measured within bounds', () => {
    expect(() => estimateToolTokens(nested(65))).toThrow(coded('ERR_TOOL_VALUE_DEPTH'));
    expect(() => estimateToolTokens(new Array(1e9))).toThrow(coded('ERR_TOOL_VALUE_SIZE'));
    expect(() => estimateToolTokens({ a: 1n })).toThrow(coded('ERR_TOOL_VALUE_TYPE'));
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(() => estimateToolTokens(cycle)).toThrow(coded('ERR_TOOL_CYCLIC'));
    const twice = { a: 1 };
    expect(estimateToolTokens([twice, twice])).toBe(5);
  });

  it('give at most as much schema text as allowed', () => {
    const limits = { maxSchemaDepth: 24, maxSchemaNodes: 100, maxTextLength: 10 };
    const { names, texts } = collectSchemaText(
      { title: 'abcdef', properties: { ghijkl: { enum: ['m', 7, true] } } },
      limits,
    );
    expect([...texts, ...names].join(' ').length).toBeLessThanOrEqual(10);
    expect(collectSchemaText({ properties: { title: { const: 42 } } }, limits)).toEqual({
      names: ['title'],
      texts: ['42'],
    });
    for (const none of [undefined, null, true, 'text', 7]) {
      expect(collectSchemaText(none, limits)).toEqual({ names: [], texts: [] });
    }
  });

  it('cannot break a tokenizer’s promise unnoticed', () => {
    const build = (tokens: unknown) => () =>
      createToolRouter([{ name: 'tool' }], { tokenizer: () => tokens as string[] });
    expect(build('word')).toThrow(coded('ERR_TOOL_TOKENIZER'));
    expect(build([1])).toThrow(coded('ERR_TOOL_TOKENIZER'));
    expect(build(['', 'x'.repeat(300), 'safe'])().stats().terms).toBe(1);
  });
});

describe('any JSON', () => {
  it('is a catalog, or refused with a ToolRouterError, and is never changed', () => {
    const tool = fc.record(
      {
        name: fc.oneof(fc.string(), fc.jsonValue()),
        description: fc.oneof(fc.string(), fc.jsonValue()),
        inputSchema: fc.jsonValue(),
        tags: fc.jsonValue(),
        type: fc.constantFrom('function', 'object', 7),
        function: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(tool, fc.jsonValue()), { maxLength: 4 }),
        fc.string(),
        (tools, query) => {
          const before = JSON.stringify(tools);
          try {
            const router = createToolRouter<unknown>(tools, { onDuplicate: 'replace' });
            for (const match of router.search(query)) expect(tools).toContain(match.tool);
            router.route(query, { fallback: 'all' });
          } catch (error) {
            expect(error).toBeInstanceOf(ToolRouterError);
          }
          expect(JSON.stringify(tools)).toBe(before);
        },
      ),
    );
  });

  it('may be asked for: long, odd and repetitive requests end', () => {
    const router = createToolRouter(
      [{ name: 'billing_search_invoices', description: 'Search invoices.' }],
      { maxQueryLength: 65_536 },
    );
    for (const piece of [
      '(',
      'a',
      'A',
      '1',
      '1,',
      'a-',
      'a@',
      'a.',
      'june ',
      'aB',
      '\u0301',
      '搜',
      ' ',
      '. ',
    ]) {
      expect(() => router.search(piece.repeat(20_000).slice(0, 65_536))).not.toThrow();
    }
  });
});
