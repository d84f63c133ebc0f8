import { scoreTools } from '../rank';
import type { Ranker } from './ranker';

/** The plain word-overlap ranking of `rankTools` as a ranker: for those who prefer its simple rule. */
export const wordRanker: Ranker = (query, tools, limit, recent) =>
  scoreTools(tools, query, (tool) => recent?.has(tool.key) === true)
    .filter(({ score }) => score > 0)
    .slice(0, Math.max(0, Math.floor(limit)))
    .map(({ tool, score }) => ({ key: tool.key, score }));
