import { createDefaultRanker } from '../../tools/discovery/default-ranker';
import type { Rank } from './choose';

/** Longest part of a request that is read. */
const MAX_QUERY = 1_000;

/**
 * Scores by the ranker that searches use, the best tool 1. Keeps its index while the tools stay the
 * same: a request is ranked once for each of its parts, in every step.
 */
export function createRouterRank(): Rank {
  const ranker = createDefaultRanker();
  return (tools, query) => {
    const scores = new Map<string, number>();
    if (query.trim() === '') return scores;
    const candidates = tools.map((tool) => ({
      key: tool.name,
      name: tool.name,
      aliases: [],
      description: tool.description,
      inputSchema: tool.parameters,
      print: JSON.stringify(tool),
    }));
    const found = ranker(query.slice(0, MAX_QUERY), candidates, tools.length);
    const top = found[0]?.score ?? 0;
    if (top > 0) for (const { key, score } of found) scores.set(key, score / top);
    return scores;
  };
}
