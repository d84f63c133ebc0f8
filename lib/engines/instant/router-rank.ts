import { createToolRouter } from '../../tools/router/router';
import type { CompactTool } from '../../tools/tool';
import type { Rank } from './choose';

/**
 * Scores by the router, the best tool 1. A catalog the router cannot index (a page may name two tools
 * alike) is left to the other rules.
 */
export const rankByRouter: Rank = (tools, query) => {
  const scores = new Map<string, number>();
  if (query.trim() === '') return scores;
  try {
    const router = createToolRouter(tools.map(asDescriptor));
    const found = router.search(query.slice(0, 1000), { limit: tools.length });
    const top = found[0]?.score ?? 0;
    if (top > 0) for (const match of found) scores.set(match.name, (match.score ?? 0) / top);
  } catch {
    scores.clear();
  }
  return scores;
};

const asDescriptor = ({ name, description, parameters }: CompactTool) => ({
  name,
  description,
  inputSchema: parameters,
});
