import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_SITE, type SiteExposure } from '../../../../lib/tools/exposure/rules';
import { similarNames, unknownToolAnswer } from '../../../../lib/tools/exposure/unknown';
import type { PageTool } from '../../../../lib/tools/tool';
import { choose, pageTool } from './catalog';

const registry = (
  tools: PageTool[],
  settings: SiteExposure['tools'] = {},
  discovery: { enabled?: boolean } = {},
) => choose({ tools, site: () => ({ ...DEFAULT_SITE, tools: settings }), discovery }).registry;

const TOOLS = ['zebra', 'add_to_cart', 'search_products', 'internal_step'].map((name) =>
  pageTool(name),
);
const SETTINGS = { search_products: 'deferred', internal_step: 'hidden' } as const;

test('direct schemas are name-sorted, deferred ones apart, hidden ones in neither', () => {
  const tools = registry(TOOLS, SETTINGS);
  expect(tools.schemas().map(({ name }) => name)).toEqual(['add_to_cart', 'zebra']);
  expect(tools.deferredSchemas().map(({ name }) => name)).toEqual(['search_products']);
});

test('a deferred tool is callable by its own name and told apart', () => {
  const tools = registry(TOOLS, SETTINGS);
  expect(tools.dispatch('zebra')).toMatchObject({ kind: 'tool', deferred: false });
  expect(tools.dispatch('search_products')).toMatchObject({
    kind: 'tool',
    deferred: true,
    entry: { key: 'doc/search_products' },
  });
});

test('a deferred tool still runs by name where discovery is off, and nothing can be searched', () => {
  const tools = registry(TOOLS, SETTINGS, { enabled: false });
  expect(tools.canSearch).toBe(false);
  expect(tools.dispatch('search_products')).toMatchObject({ kind: 'tool', deferred: true });
  expect(tools.dispatch('tool_search')).toMatchObject({
    kind: 'unknown',
    message: expect.stringContaining('Use only the tools in your list'),
  });
});

test('the host reaches a hidden tool; to the model it does not exist', () => {
  const tools = registry(TOOLS, SETTINGS);
  expect(tools.dispatch('internal_step', { by: 'host' })).toMatchObject({ kind: 'tool' });
  expect(tools.dispatch('internal_step')).toMatchObject({ kind: 'unknown' });
  const answer = tools.dispatch('internal_steps');
  expect(answer).toMatchObject({ kind: 'unknown', similar: [] });
});

test('tool_search is dispatched only when it is offered', () => {
  expect(registry(TOOLS, SETTINGS).dispatch('tool_search')).toEqual({ kind: 'search' });
  expect(registry(TOOLS).dispatch('tool_search')).toMatchObject({ kind: 'unknown' });
});

test("a page's own tool_search keeps the name, hidden or not", () => {
  const tools = [...TOOLS, pageTool('tool_search')];
  const own = registry(tools, SETTINGS);
  expect(own.canSearch).toBe(false);
  expect(own.dispatch('tool_search')).toMatchObject({ kind: 'tool' });
  const hidden = registry(tools, { ...SETTINGS, tool_search: 'hidden' });
  expect(hidden.dispatch('tool_search')).toMatchObject({
    kind: 'unknown',
    message: expect.not.stringContaining('call tool_search'),
  });
});

test('the unknown-tool answer echoes the call, suggests, and points to the search', () => {
  const answer = registry(TOOLS, SETTINGS).dispatch('search_product', {
    arguments: { q: 'mug' },
  });
  expect(answer).toEqual({
    kind: 'unknown',
    similar: ['search_products'],
    message:
      'There is no tool "search_product" (arguments {"q":"mug"}); calling it again fails the same way. ' +
      'Close matches: search_products. To find a tool, call tool_search and say what you want to do.',
  });
});

test('at most three close matches: more shared words, longer common start, shorter name', () => {
  const names = [
    'mcp_search_566',
    'web_fetch',
    'exa_search',
    'web_search_news',
    'search',
    'file_read',
  ];
  expect(similarNames('web_search_tool', names)).toEqual([
    'web_search_news',
    'web_fetch',
    'search',
  ]);
});

test.each([
  ['addtocart', 'add_to_cart'],
  ['addToCart', 'add_to_cart'],
  ['ad_to_crt', 'add_to_cart'],
  ['serch_orders', 'search_orders'],
])('%s is close to %s', (asked, meant) => {
  expect(similarNames(asked, ['add_to_cart', 'list_orders', 'search_orders'])[0]).toBe(meant);
});

test('the name asked for is never suggested, and words that say nothing match nothing', () => {
  expect(similarNames('get_tool', ['get_tool', 'set_tool_run', 'mcp'])).toEqual([]);
});

test('the answer stays under 400 characters whatever was asked', () => {
  const callable = Array.from({ length: 200 }, (_, n) => `${'search_'.repeat(8)}${n}`);
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), fc.boolean(), (name, args, canSearch) => {
      const request = {
        name: `search ${name}`.repeat(5),
        arguments: { args },
        callable,
        canSearch,
      };
      const { message } = unknownToolAnswer(JSON.parse(JSON.stringify(request)));
      expect(message.length).toBeLessThan(400);
      expect(message).not.toMatch(/[\n\r]/);
    }),
  );
});
