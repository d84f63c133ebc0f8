import { describe, expect, it } from 'vitest';
import { estimateToolTokens } from '../../../lib/tools/router/estimate';
import {
  detectToolFormat,
  normalizeTool,
  normalizeTools,
  TOOL_FORMATS,
} from '../../../lib/tools/router/formats';
import { createToolRouter } from '../../../lib/tools/router/router';

const coded = (code: string) => expect.objectContaining({ code, name: 'ToolRouterError' });
const schema = { type: 'object', properties: { city: { type: 'string' } } };
const named = { name: 'city.find', description: 'Find a city.' };
const shapes = {
  canonical: { ...named, schema },
  mcp: { ...named, inputSchema: schema, outputSchema: { type: 'string' } },
  'openai-chat': { type: 'function', function: { ...named, parameters: schema } },
  'openai-responses': { type: 'function', ...named, parameters: schema },
  anthropic: { ...named, input_schema: schema },
  gemini: { ...named, parameters: schema },
};

describe('definitions', () => {
  it('are read in every shape providers use, and returned as they are', () => {
    expect(Object.keys(shapes).sort()).toEqual([...TOOL_FORMATS].sort());
    for (const [format, tool] of Object.entries(shapes)) {
      expect(detectToolFormat(tool)).toBe(format);
      expect(normalizeTool(tool)).toMatchObject({
        ...named,
        format,
        id: 'city:city.find',
        namespace: 'city',
        inputSchema: schema,
      });
      expect(createToolRouter([tool]).select('find city')[0]).toBe(tool);
    }
    expect(normalizeTool(shapes.mcp).outputSchema).toBe(shapes.mcp.outputSchema);
  });

  it('may say more about themselves, on the outside or on the function', () => {
    const metadata = { id: 'x', namespace: 'y', tags: ['a', 'a', ''], aliases: ['b'] };
    const outside = { ...shapes['openai-chat'], ...metadata };
    const inside = { type: 'function', function: { ...named, ...metadata, tags: ['c'] } };
    const read = { id: 'x', namespace: 'y', aliases: ['b'] };
    expect(normalizeTool(outside)).toMatchObject({ ...read, tags: ['a'] });
    expect(normalizeTool({ ...inside, tags: ['a'] })).toMatchObject({ ...read, tags: ['a', 'c'] });
  });

  it('belong to what their name begins with', () => {
    const namespace = (name: string) => normalizeTool({ name }).namespace;
    expect(namespace('github__create')).toBe('github');
    expect(namespace('github.create')).toBe('github');
    expect(namespace('github/create')).toBe('github');
    expect(namespace('create_issue')).toBe('');
    expect(namespace('.hidden')).toBe('');
  });

  it('may be forced into a shape', () => {
    const tool = { ...named, schema, parameters: {} };
    expect(normalizeTool(tool, { format: 'canonical' }).inputSchema).toBe(schema);
    expect(normalizeTool(tool, { format: 'auto' }).format).toBe('gemini');
    const router = createToolRouter<object>([], { format: 'canonical' });
    expect(router.add(tool).get('city.find')?.format).toBe('canonical');
    expect(router.add({ name: 'b' }, { format: 'mcp' }).get('b')?.format).toBe('mcp');
  });

  it('come in envelopes, also nested', () => {
    const { gemini, mcp } = shapes;
    const names = (catalog: Parameters<typeof normalizeTools>[0]) =>
      normalizeTools(catalog).map(({ format }) => format);
    expect(names({ tools: [mcp] })).toEqual(['mcp']);
    expect(names({ functionDeclarations: [gemini] })).toEqual(['gemini']);
    expect(names([{ functionDeclarations: [gemini, gemini] }, mcp])).toEqual([
      ...['gemini', 'gemini', 'mcp'],
    ]);
    expect(names(new Array(3))).toEqual([]);
  });

  it('are refused with a code where they are none', () => {
    expect(() => detectToolFormat(null)).toThrow(coded('ERR_TOOL_DEFINITION'));
    expect(() => normalizeTool([])).toThrow(coded('ERR_TOOL_DEFINITION'));
    expect(() => normalizeTool({})).toThrow(coded('ERR_TOOL_FORMAT'));
    expect(() => normalizeTool({ name: 'x' }, { format: 'soap' as 'mcp' })).toThrow(
      coded('ERR_TOOL_FORMAT'),
    );
    expect(() => normalizeTool({ type: 'function' }, { format: 'openai-chat' })).toThrow(
      coded('ERR_TOOL_DEFINITION'),
    );
    expect(() => normalizeTool({ name: '' })).toThrow(coded('ERR_TOOL_NAME'));
    expect(() => normalizeTool({ name: 'x'.repeat(513) })).toThrow(coded('ERR_TOOL_NAME'));
    expect(normalizeTool({ name: 'x'.repeat(512) }).name).toHaveLength(512);
    expect(() => normalizeTools(null as never)).toThrow(coded('ERR_TOOL_CATALOG'));
    expect(() => normalizeTools({} as never)).toThrow(coded('ERR_TOOL_CATALOG'));
    expect(() => normalizeTools(new Array(100_001))).toThrow(coded('ERR_TOOL_CATALOG_SIZE'));
    const nested = [{ functionDeclarations: new Array(6) }];
    expect(() => normalizeTools(nested, { maxTools: 5 })).toThrow(coded('ERR_TOOL_CATALOG_SIZE'));
    expect(() => normalizeTools([], { maxTools: 0 })).toThrow(coded('ERR_TOOL_ROUTER_OPTION'));
  });
});

describe('estimateToolTokens', () => {
  it('is a quarter of the JSON, rounded up, at least 1', () => {
    const values = [shapes.mcp, 'a "quoted"\n text 😀', [1, undefined, 'x'], { a: undefined }, 1.5];
    for (const value of values) {
      expect(estimateToolTokens(value)).toBe(Math.ceil(JSON.stringify(value).length / 4));
    }
    expect(estimateToolTokens(undefined)).toBe(1);
    expect(estimateToolTokens('')).toBe(1);
  });
});

describe('options', () => {
  it('out of range are refused, and the message says what is in range', () => {
    const refused: [object, RegExp][] = [
      [{ b: 2 }, /b must be .* between 0 and 1, got 2/],
      [{ k1: 0 }, /k1 must be .* between 0.1 and 5/],
      [{ k1: Number.NaN }, /k1/],
      [{ fieldWeights: { name: -1 } }, /fieldWeights\.name/],
      [{ fieldWeights: 3 }, /fieldWeights/],
      [{ maxTools: 0 }, /maxTools/],
      [{ maxQueryLength: 65_537 }, /maxQueryLength .* 65536/],
      [{ maxSchemaDepth: 1.5 }, /maxSchemaDepth/],
      [{ maxExpansions: 101 }, /maxExpansions/],
      [{ onDuplicate: 'merge' }, /onDuplicate/],
      [{ tokenizer: 'words' }, /tokenizer/],
      [{ synonyms: 'words' }, /synonyms/],
      [{ synonyms: { find: 7 } }, /synonyms\.find/],
    ];
    for (const [options, message] of refused) {
      expect(() => createToolRouter([], options)).toThrow(message);
      expect(() => createToolRouter([], options)).toThrow(coded('ERR_TOOL_ROUTER_OPTION'));
    }
    expect(() => createToolRouter([], null as never)).toThrow(coded('ERR_TOOL_ROUTER_OPTION'));
  });

  it('not given are the documented ones', () => {
    expect(createToolRouter().options).toMatchObject({
      b: 0.75,
      k1: 1.2,
      fuzzy: true,
      maxExpansions: 12,
      maxQueryLength: 4096,
      maxSchemaDepth: 24,
      maxSchemaNodes: 10_000,
      maxTextLength: 65_536,
      maxTools: 100_000,
      onDuplicate: 'error',
      fieldWeights: { name: 10, namespace: 8, aliases: 7, tags: 5, description: 2, schema: 1 },
    });
  });

  it('of a search are checked as well', () => {
    const router = createToolRouter([{ name: 'a' }]);
    const odd = [
      { limit: 0 },
      { limit: 1001 },
      { minScore: -1 },
      { maxEstimatedTokens: 0 },
      { ids: 7 },
      { tags: [7] },
      { filter: true },
    ];
    for (const options of [...odd, null] as object[]) {
      expect(() => router.search('a', options)).toThrow(coded('ERR_TOOL_ROUTER_OPTION'));
    }
    for (const options of [{ fallback: 'bad' }, { pinned: 7 }, { maxTools: 0 }] as object[]) {
      expect(() => router.route('a', options)).toThrow(coded('ERR_TOOL_ROUTER_OPTION'));
    }
    expect(() => router.search(null as never)).toThrow(coded('ERR_TOOL_QUERY'));
    expect(() => router.search('x'.repeat(4097))).toThrow(coded('ERR_TOOL_QUERY_SIZE'));
    expect(() => router.remove(5 as never)).toThrow(coded('ERR_TOOL_NAME'));
    expect(router.has(42 as never)).toBe(false);
  });
});
