import { pickTools } from '../rank';
import type { Ranker } from './ranker';

/** The plain word-overlap ranking of `rankTools` as a ranker: for those who prefer its simple rule. */
export const wordRanker: Ranker = (query, tools, limit) =>
  pickTools(tools, query, { max: limit }).map(({ key }, at) => ({ key, score: limit - at }));
