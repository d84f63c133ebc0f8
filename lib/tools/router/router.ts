import { fail } from './error';
import { createExplainer } from './explain';
import { compileFilter } from './filter';
import {
  isCatalog,
  type NormalizedTool,
  normalizeTools,
  type ToolCatalog,
  type ToolFormatInput,
} from './formats';
import type { ToolMatch, ToolSearchOptions } from './match';
import { budgetOption, integerOption, numberOption, requireOptions } from './option-checks';
import {
  type ResolvedToolRouterOptions,
  resolveOptions,
  TOOL_FIELDS,
  type ToolField,
  type ToolRouterOptions,
} from './options';
import { readQuery } from './query';
import { routeQuery, type ToolRouteOptions, type ToolRouteResult } from './route';
import { createScorer } from './score';
import { createToolIndex, INDEX_FIELDS, type IndexedTool } from './tool-index';

export interface ToolRouterStats {
  readonly tools: number;
  /** Distinct terms of the index. */
  readonly terms: number;
  readonly estimatedTokens: number;
  /** Terms by field, repeats counted. */
  readonly fields: Readonly<Record<ToolField, number>>;
}

/** A live catalog that finds the few tools a request is about. See {@link createToolRouter}. */
export interface ToolRouter<T = unknown> {
  readonly size: number;
  readonly options: ResolvedToolRouterOptions;
  /** Adds one tool or a catalog, all or nothing. */
  add(tools: T | ToolCatalog<T>, options?: { format?: ToolFormatInput }): ToolRouter<T>;
  /** Removes by id or name; returns how many were there. */
  remove(ids: string | readonly string[]): number;
  /** Makes `tools` the whole catalog, all or nothing. */
  replace(tools: ToolCatalog<T>, options?: { format?: ToolFormatInput }): ToolRouter<T>;
  clear(): ToolRouter<T>;
  /** The tool of that id, else the first by id of that name. */
  get(idOrName: string): NormalizedTool<T> | undefined;
  has(idOrName: string): boolean;
  list(): NormalizedTool<T>[];
  stats(): ToolRouterStats;
  /** The tools most like the query, best first, with the evidence. */
  search(query: string, options?: ToolSearchOptions<T>): ToolMatch<T>[];
  /** As {@link search}, the original definitions only. */
  select(query: string, options?: ToolSearchOptions<T>): T[];
  /** Chooses the tools of one model request: pinned ones, then the best of the search that fit. */
  route(query: string, options?: ToolRouteOptions<T>): ToolRouteResult<T>;
}

const MAX_LIMIT = 1000;

/**
 * A router over `tools`: an in-memory index that ranks tools for a request by words alone. It calls
 * no model and no network, runs nothing of a definition, changes none, and orders the same catalog
 * and query the same way every time. Updates touch only the tools they name.
 *
 * Throws a {@link ToolRouterError} for definitions, options or queries out of bounds.
 */
export function createToolRouter<T = unknown>(
  tools: ToolCatalog<T> = [],
  options: ToolRouterOptions = {},
): ToolRouter<T> {
  const resolved = resolveOptions(options);
  const index = createToolIndex<T>(resolved);
  const scorer = createScorer(index, resolved);
  const explain = createExplainer(index);
  const byId = new Map<string, IndexedTool<T>>();
  const idsByName = new Map<string, string[]>();
  let estimatedTokens = 0;

  function resolve(idOrName: unknown): IndexedTool<T> | undefined {
    if (typeof idOrName !== 'string') return undefined;
    const found = byId.get(idOrName);
    if (found !== undefined) return found;
    const ids = idsByName.get(idOrName);
    return ids === undefined ? undefined : byId.get([...ids].sort()[0] ?? '');
  }

  /** Reads a batch completely before anything changes, so that a bad tool leaves the catalog as it was. */
  function prepare(catalog: ToolCatalog<T>, format: ToolFormatInput | undefined) {
    const records = normalizeTools(catalog, {
      format: format ?? resolved.format,
      maxTools: resolved.maxTools,
    });
    const ids = new Set<string>();
    for (const { id } of records) {
      if (ids.has(id)) fail('ERR_TOOL_DUPLICATE', `Duplicate tool id in batch: ${id}`);
      ids.add(id);
    }
    return records.map(index.prepare);
  }

  function store(batch: ReturnType<typeof prepare>): void {
    for (const prepared of batch) {
      const { id, name } = prepared.record;
      forget(byId.get(id));
      byId.set(id, index.add(prepared));
      const ids = idsByName.get(name);
      if (ids === undefined) idsByName.set(name, [id]);
      else ids.push(id);
      estimatedTokens += prepared.estimatedTokens;
    }
  }

  function forget(tool: IndexedTool<T> | undefined): boolean {
    if (tool === undefined) return false;
    const { id, name } = tool.record;
    byId.delete(id);
    const others = (idsByName.get(name) ?? []).filter((other) => other !== id);
    if (others.length > 0) idsByName.set(name, others);
    else idsByName.delete(name);
    index.remove(tool);
    estimatedTokens -= tool.estimatedTokens;
    return true;
  }

  function empty(): void {
    byId.clear();
    idsByName.clear();
    index.clear();
    estimatedTokens = 0;
  }

  function search(query: string, given: ToolSearchOptions<T> = {}): ToolMatch<T>[] {
    requireOptions(given, 'Search options');
    const limit = integerOption(given.limit, 5, 'limit', 1, MAX_LIMIT);
    const minScore = numberOption(given.minScore, 0.01, 'minScore', 0, Number.MAX_VALUE);
    const budget = budgetOption(given.maxEstimatedTokens);
    const accepts = compileFilter(given);
    checkQuery(query, resolved.maxQueryLength);
    const asked = readQuery(query, index.pipeline);
    const bounded = budget < Number.POSITIVE_INFINITY;
    const scored = scorer.score(asked, bounded ? MAX_LIMIT : limit, (slot) => {
      const tool = index.bySlot[slot];
      return tool !== undefined && accepts(tool.record);
    });
    const matches: ToolMatch<T>[] = [];
    let spent = 0;
    for (const hit of scored.hits) {
      const tool = index.bySlot[hit.slot];
      if (tool === undefined || hit.score < minScore || matches.length >= limit) continue;
      if (spent + tool.estimatedTokens > budget) continue;
      spent += tool.estimatedTokens;
      matches.push(explain(tool, hit, asked, scored.expansions));
    }
    return matches;
  }

  const router: ToolRouter<T> = {
    get size() {
      return byId.size;
    },
    options: resolved,
    add(added, { format } = {}) {
      const batch = prepare(isCatalog(added) ? added : [added], format);
      let growth = 0;
      for (const { record } of batch) {
        if (!byId.has(record.id)) growth++;
        else if (resolved.onDuplicate === 'error') {
          fail('ERR_TOOL_DUPLICATE', `Tool id already exists: ${record.id}`);
        }
      }
      if (byId.size + growth > resolved.maxTools) {
        fail('ERR_TOOL_CATALOG_SIZE', `Tool catalog exceeds maxTools (${resolved.maxTools})`);
      }
      store(batch);
      return router;
    },
    remove(ids) {
      let removed = 0;
      for (const id of Array.isArray(ids) ? ids : [ids]) {
        if (typeof id !== 'string') fail('ERR_TOOL_NAME', 'Tool id must be a string');
        if (forget(resolve(id))) removed++;
      }
      return removed;
    },
    replace(catalog, { format } = {}) {
      const batch = prepare(catalog, format);
      empty();
      store(batch);
      return router;
    },
    clear() {
      empty();
      return router;
    },
    get: (idOrName) => resolve(idOrName)?.record,
    has: (idOrName) => resolve(idOrName) !== undefined,
    list: () => [...byId.values()].map(({ record }) => record),
    stats: () => ({
      tools: byId.size,
      terms: index.terms.termCount,
      estimatedTokens,
      fields: fieldTotals(index.terms.totalLength),
    }),
    search,
    select: (query, given) => search(query, given).map(({ tool }) => tool),
    route: (query, given) =>
      routeQuery(
        {
          catalogSize: byId.size,
          catalogEstimatedTokens: estimatedTokens,
          tools: () => byId.values(),
          resolve,
          search,
        },
        query,
        given,
      ),
  };
  return router.add(tools);
}

/** {@link createToolRouter} and one `route` in one go, for a catalog that is used once. */
export function routeTools<T = unknown>(
  tools: ToolCatalog<T>,
  query: string,
  options: ToolRouteOptions<T> & { router?: ToolRouterOptions } = {},
): ToolRouteResult<T> {
  requireOptions(options, 'Route options');
  const { router, ...rest } = options;
  return createToolRouter(tools, router).route(query, rest);
}

function checkQuery(query: unknown, most: number): void {
  if (typeof query !== 'string') fail('ERR_TOOL_QUERY', 'Search query must be a string');
  if (query.length > most) {
    fail('ERR_TOOL_QUERY_SIZE', `Search query exceeds maxQueryLength (${most})`);
  }
}

function fieldTotals(totalLength: (field: number) => number): Record<ToolField, number> {
  const totals = { name: 0, namespace: 0, aliases: 0, tags: 0, description: 0, schema: 0 };
  for (const field of TOOL_FIELDS) {
    for (const [at, indexed] of INDEX_FIELDS.entries()) {
      if (indexed === field) totals[field] += totalLength(at);
    }
  }
  return totals;
}
