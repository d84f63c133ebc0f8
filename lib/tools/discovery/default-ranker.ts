import { ToolRouterError } from '../router/error';
import { createToolRouter, type ToolRouter } from '../router/router';
import type { RankCandidate, Ranker, RankHit } from './ranker';

/** Longest part of a query that is read. */
const MAX_QUERY = 4_096;
/** Schemas are guarded before they get here; these only keep the router from refusing one of them. */
const MAX_SCHEMA_DEPTH = 256;
const MAX_SCHEMA_NODES = 100_000;
/** Beyond this part of the catalog changed, building anew is quicker than updating. */
const REBUILD_PART = 0.5;
const MAX_LIMIT = 1_000;
/**
 * Bonus of a recent tool, as a part of the best score. `rankTools` gives a recent tool 2, a word of a
 * name 3 and one of a description 1; a request that means a tool usually shares two words of its name
 * and one of its description, 7. The scores here have no such unit of their own.
 */
const RECENT_PART = 2 / 7;

/**
 * The built-in ranker: field-weighted BM25 over names, titles, descriptions and arguments, local and
 * deterministic. Keeps its index from call to call and updates only what changed, so that a catalog
 * collected fresh in every step costs no new index.
 */
export function createDefaultRanker(): Ranker {
  let indexed = new Map<string, string>();
  let router: ToolRouter<Indexed> | undefined;
  return (query, tools, limit, recent = NOTHING) => {
    if (tools.length === 0 || limit < 1) return [];
    router ??= emptyRouter();
    const wanted = new Map(tools.map((tool) => [tool.key, tool.print]));
    const gone = [...indexed.keys()].filter((key) => !wanted.has(key));
    const fresh = tools.filter((tool) => indexed.get(tool.key) !== tool.print);
    if (gone.length + fresh.length > tools.length * REBUILD_PART) {
      router.clear();
      addEach(router, dedupe(tools));
    } else {
      router.remove(gone);
      addEach(router, dedupe(fresh));
    }
    indexed = wanted;
    const most = Math.min(MAX_LIMIT, Math.floor(limit) + recent.size);
    const hits = router
      .search(query.slice(0, MAX_QUERY), { limit: most })
      .map(({ id, score }) => ({ key: id, score: score ?? 0 }));
    return addRecent(hits, recent, wanted).slice(0, Math.floor(limit));
  };
}

const NOTHING: ReadonlySet<string> = new Set();

/** The hits with the bonus of recent tools; where no word was found, the recent tools alone. */
function addRecent(
  hits: readonly RankHit[],
  recent: ReadonlySet<string>,
  known: ReadonlyMap<string, string>,
): RankHit[] {
  if (recent.size === 0) return [...hits];
  const bonus = (hits[0]?.score ?? 1) * RECENT_PART;
  const scores = new Map(hits.map(({ key, score }) => [key, score]));
  for (const key of recent) if (known.has(key)) scores.set(key, (scores.get(key) ?? 0) + bonus);
  return [...scores].map(([key, score]) => ({ key, score })).sort((a, b) => b.score - a.score);
}

interface Indexed {
  id: string;
  name: string;
  aliases: string[];
  description: string;
  inputSchema: RankCandidate['inputSchema'];
}

const emptyRouter = (): ToolRouter<Indexed> =>
  createToolRouter<Indexed>([], {
    format: 'canonical',
    onDuplicate: 'replace',
    maxSchemaDepth: MAX_SCHEMA_DEPTH,
    maxSchemaNodes: MAX_SCHEMA_NODES,
  });

/** A definition the router refuses is not found by words; it must not take the others with it. */
function addEach(router: ToolRouter<Indexed>, tools: readonly Indexed[]): void {
  try {
    router.add(tools);
  } catch (error) {
    if (!(error instanceof ToolRouterError)) throw error;
    if (tools.length === 1) return;
    const half = Math.ceil(tools.length / 2);
    addEach(router, tools.slice(0, half));
    addEach(router, tools.slice(half));
  }
}

/** The last of each key: a batch may hold none twice. */
function dedupe(tools: readonly RankCandidate[]): Indexed[] {
  const byKey = new Map(tools.map((tool) => [tool.key, tool]));
  return [...byKey.values()].map(({ key, name, aliases, description, inputSchema }) => ({
    id: key,
    name,
    aliases: [...aliases],
    description,
    inputSchema,
  }));
}
