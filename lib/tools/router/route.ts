import { fail } from './error';
import { compileFilter } from './filter';
import type { NormalizedTool } from './formats';
import { type ToolMatch, type ToolSearchOptions, unsearchedMatch } from './match';
import { budgetOption, integerOption, listOption, requireOptions } from './option-checks';
import type { IndexedTool } from './tool-index';

export interface ToolRouteOptions<T = unknown> extends Omit<ToolSearchOptions<T>, 'limit'> {
  /** Most tools, 1 to 1,000. Default 5. Pinned tools count, but all of them come. */
  maxTools?: number;
  /** Ids or names that always come, first and in this order, whatever the budget. */
  pinned?: string | readonly string[];
  /** What comes when nothing was chosen: `'none'` (default), the first tool by id, or as many as fit. */
  fallback?: 'none' | 'first' | 'all';
}

export interface ToolRouteResult<T = unknown> {
  /** The chosen definitions as they were given, pinned ones first, then best first. */
  readonly tools: readonly T[];
  readonly records: readonly NormalizedTool<T>[];
  readonly matches: readonly ToolMatch<T>[];
  readonly selectedCount: number;
  readonly estimatedTokens: number;
  readonly catalogSize: number;
  readonly catalogEstimatedTokens: number;
  /** Share of the catalog's tokens saved, 0 to 1. */
  readonly tokenReduction: number;
  /** True where the pinned tools alone cost more than `maxEstimatedTokens`. */
  readonly budgetExceeded: boolean;
  /** What of `pinned` no tool goes by, so that a stale setting shows. */
  readonly unknownPinned: readonly string[];
}

/** What routing needs of a router. */
export interface RoutableCatalog<T> {
  readonly catalogSize: number;
  readonly catalogEstimatedTokens: number;
  tools(): Iterable<IndexedTool<T>>;
  resolve(idOrName: string): IndexedTool<T> | undefined;
  search(query: string, options: ToolSearchOptions<T>): ToolMatch<T>[];
}

const FALLBACKS = ['none', 'first', 'all'];
/** Ranked tools looked at for each that may be chosen, so that a smaller one can take the place of one too large. */
const CANDIDATES_PER_PLACE = 4;
const MAX_CANDIDATES = 1000;

export function routeQuery<T>(
  catalog: RoutableCatalog<T>,
  query: string,
  options: ToolRouteOptions<T> = {},
): ToolRouteResult<T> {
  requireOptions(options, 'Route options');
  const { fallback = 'none', maxEstimatedTokens, pinned, ...searched } = options;
  const maxTools = integerOption(options.maxTools, 5, 'maxTools', 1, MAX_CANDIDATES);
  const budget = budgetOption(maxEstimatedTokens);
  if (!FALLBACKS.includes(fallback)) {
    fail('ERR_TOOL_ROUTER_OPTION', `fallback must be one of ${FALLBACKS.join(', ')}`);
  }

  const chosen = new Map<string, ToolMatch<T>>();
  const unknownPinned: string[] = [];
  let spent = 0;
  const choose = (match: ToolMatch<T>) => {
    chosen.set(match.id, match);
    spent += match.estimatedTokens;
  };
  const fits = (match: ToolMatch<T>) =>
    !chosen.has(match.id) && spent + match.estimatedTokens <= budget;

  for (const wanted of listOption(pinned, 'pinned') ?? []) {
    const tool = catalog.resolve(wanted);
    if (tool === undefined) unknownPinned.push(wanted);
    else if (!chosen.has(tool.record.id)) choose(unsearchedMatch(tool, true));
  }
  const budgetExceeded = spent > budget;

  const limit = Math.min(MAX_CANDIDATES, maxTools * CANDIDATES_PER_PLACE);
  for (const match of catalog.search(query, { ...searched, limit })) {
    if (chosen.size >= maxTools) break;
    if (fits(match)) choose(match);
  }

  if (chosen.size === 0 && fallback !== 'none') {
    const accepts = compileFilter(options);
    const places = fallback === 'first' ? 1 : maxTools;
    const byId = [...catalog.tools()]
      .filter(({ record }) => accepts(record))
      .sort((a, b) => (a.record.id < b.record.id ? -1 : 1));
    for (const tool of byId) {
      if (chosen.size >= places) break;
      const match = unsearchedMatch(tool, false);
      if (fits(match)) choose(match);
    }
  }

  const matches = [...chosen.values()];
  const whole = catalog.catalogEstimatedTokens;
  return Object.freeze({
    tools: Object.freeze(matches.map(({ tool }) => tool)),
    records: Object.freeze(matches.map(({ record }) => record)),
    matches: Object.freeze(matches),
    selectedCount: matches.length,
    estimatedTokens: spent,
    catalogSize: catalog.catalogSize,
    catalogEstimatedTokens: whole,
    tokenReduction: whole === 0 ? 0 : Number(Math.max(0, 1 - spent / whole).toFixed(6)),
    budgetExceeded,
    unknownPinned: Object.freeze(unknownPinned),
  });
}
