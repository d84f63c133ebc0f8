import { describe, expect, it } from 'vitest';
import { estimateToolTokens } from '../../../lib/tools/router/estimate';
import { createToolRouter, routeTools } from '../../../lib/tools/router/router';
import { createToolSearch } from '../../../lib/tools/router/tool-search';
import { routerCatalog as catalog } from './router-catalog';

const route = (query: string, options = {}) =>
  routeTools<{ name: string }>(catalog(), query, options);
const namesOf = (result: ReturnType<typeof route>) => result.records.map(({ name }) => name);

describe('route', () => {
  it('chooses the best tools and says what they save', () => {
    const tools = catalog();
    const result = createToolRouter(tools).route('list open issues', { maxTools: 1 });
    expect(result.tools).toEqual([tools[1]]);
    expect(result.tools[0]).toBe(tools[1]);
    const whole = tools.reduce((sum, tool) => sum + estimateToolTokens(tool), 0);
    const spent = estimateToolTokens(tools[1]);
    expect(result).toMatchObject({
      selectedCount: 1,
      estimatedTokens: spent,
      catalogSize: 5,
      catalogEstimatedTokens: whole,
      budgetExceeded: false,
      unknownPinned: [],
    });
    expect(result.tokenReduction).toBeCloseTo(1 - spent / whole, 5);
  });

  it('chooses five unless told otherwise', () => {
    const many = Array.from({ length: 9 }, (_, at) => ({ name: `read_${at}` }));
    expect(routeTools(many, 'read').selectedCount).toBe(5);
    expect(routeTools(many, 'read', { maxTools: 7 }).selectedCount).toBe(7);
  });

  it('puts pinned tools first and never drops them', () => {
    const pinned = ['files:files_search', 'chat_send_message'];
    expect(namesOf(route('list issues', { maxTools: 3, pinned }))).toEqual([
      ...['files_search', 'chat_send_message', 'repo_list_issues'],
    ]);
    const cramped = route('list issues', { maxTools: 1, maxEstimatedTokens: 1, pinned });
    expect(namesOf(cramped)).toEqual(['files_search', 'chat_send_message']);
    expect(cramped.budgetExceeded).toBe(true);
    expect(cramped.matches.map(({ pinned, score }) => [pinned, score])).toEqual([
      [true, null],
      [true, null],
    ]);
  });

  it('counts a tool once, pinned twice or found as well, and names what is not there', () => {
    const pinned = ['repo_list_issues', 'gone', 'repo:repo_list_issues'];
    const result = route('list issues', { pinned });
    expect(namesOf(result).filter((name) => name === 'repo_list_issues')).toHaveLength(1);
    expect(result.unknownPinned).toEqual(['gone']);
  });

  it('passes over a tool that does not fit and takes the next', () => {
    const tools = [
      { name: 'carrot_big', description: `carrot ${'x'.repeat(4_000)}` },
      { name: 'carrot_carrot_small' },
      { name: 'other_carrot' },
    ];
    const result = routeTools(tools, 'carrot big', { maxEstimatedTokens: 60 });
    expect(result.records.map(({ name }) => name)).toEqual(['carrot_carrot_small', 'other_carrot']);
    expect(result.budgetExceeded).toBe(false);
  });

  it('falls back as told where nothing was chosen', () => {
    expect(route('xylophone').selectedCount).toBe(0);
    expect(namesOf(route('xylophone', { fallback: 'first' }))).toEqual(['chat_send_message']);
    expect(namesOf(route('xylophone', { fallback: 'all', maxTools: 2 }))).toEqual([
      ...['chat_send_message', 'files_search'],
    ]);
    expect(route('xylophone', { fallback: 'all', maxEstimatedTokens: 1 }).selectedCount).toBe(0);
    expect(namesOf(route('xylophone', { fallback: 'all', tags: 'git' }))).toEqual([
      ...['repo_create_pull_request', 'repo_list_issues'],
    ]);
    expect(route('xylophone', { fallback: 'all', pinned: 'weather_now' }).selectedCount).toBe(1);
  });

  it('does without a catalog', () => {
    expect(createToolRouter().route('anything')).toMatchObject({
      selectedCount: 0,
      tokenReduction: 0,
      tools: [],
    });
  });
});

describe('createToolSearch', () => {
  it('is written for each provider', () => {
    const router = createToolRouter(catalog());
    const definition = (target: 'mcp') => createToolSearch(router, { target }).definition;
    const parameters = expect.objectContaining({ type: 'object', required: ['query'] });
    const shapes = {
      canonical: { inputSchema: parameters },
      mcp: { inputSchema: parameters },
      anthropic: { input_schema: parameters },
      gemini: { parameters },
      'openai-responses': { type: 'function', parameters },
    };
    for (const [target, shape] of Object.entries(shapes)) {
      expect(definition(target as 'mcp')).toMatchObject({ name: 'search_tools', ...shape });
    }
    expect(definition('openai-chat' as 'mcp')).toMatchObject({
      type: 'function',
      function: { name: 'search_tools', parameters },
    });
  });

  it('answers with summaries, never with schemas', () => {
    const search = createToolSearch(createToolRouter(catalog()), { limit: 2 });
    const result = search.execute({ query: 'list issues of a repository', limit: 1 });
    expect(result).toEqual({
      query: 'list issues of a repository',
      catalogSize: 5,
      tools: [
        {
          id: 'repo:repo_list_issues',
          name: 'repo_list_issues',
          namespace: 'repo',
          description: 'List open issues of a repository.',
          tags: ['git', 'read'],
          score: expect.any(Number),
        },
      ],
    });
    expect(search.execute({ query: 'read' }).tools).toHaveLength(2);
  });

  it('refuses arguments that do not fit its definition, and options that make none', () => {
    const router = createToolRouter(catalog());
    const search = createToolSearch(router);
    for (const input of [
      null,
      {},
      { query: '' },
      { query: 'x', limit: 26 },
      { query: 'x', limit: 0 },
    ]) {
      expect(() => search.execute(input as { query: string })).toThrow(
        expect.objectContaining({ code: 'ERR_TOOL_QUERY' }),
      );
    }
    const make = (options: object) => () => createToolSearch(router, options);
    expect(make({ target: 'other' })).toThrow(/canonical, mcp/);
    expect(make({ name: '' })).toThrow(expect.objectContaining({ code: 'ERR_TOOL_NAME' }));
    expect(make({ description: 1 })).toThrow(
      expect.objectContaining({ code: 'ERR_TOOL_DEFINITION' }),
    );
    expect(make({ limit: 26 })).toThrow(/between 1 and 25/);
    expect(() => createToolSearch(null as never)).toThrow(
      expect.objectContaining({ code: 'ERR_TOOL_ROUTER' }),
    );
  });
});
