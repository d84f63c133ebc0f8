import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import MiniSearch from 'minisearch';
import { pickTools } from '../../../lib/tools/rank';
import { createTermIndex } from '../../../lib/tools/router/index-terms';
import { createToolRouter } from '../../../lib/tools/router/router';
import { collectSchemaText } from '../../../lib/tools/router/schema-text';
import { createWordScorer } from '../../../lib/tools/router/word-scores';
import { STOP_WORDS } from '../../../lib/tools/text/stop-words';
import { tokenize } from '../../../lib/tools/text/tokenize';
import type { CorpusTool } from './corpora';

/** Something that names the best `limit` tools of a catalog for a query. */
export interface Ranker {
  name: string;
  build(tools: readonly CorpusTool[]): (query: string, limit: number) => string[];
}

const LIMITS = { maxSchemaDepth: 256, maxSchemaNodes: 1_000_000, maxTextLength: 65_536 };

export const ours: Ranker = {
  name: 'pagehand',
  build(tools) {
    const router = createToolRouter(tools);
    return (query, limit) => router.search(query, { limit }).map(({ tool }) => tool.id);
  },
};

/** Plain word overlap, as `rankTools` scores. */
export const wordOverlap: Ranker = {
  name: 'rankTools',
  build: (tools) => (query, limit) =>
    pickTools(tools, query, { max: limit }).map((tool) => tool.id),
};

/** BM25F over name, tags, description and argument names: stop words out, nothing stemmed. */
export const plainBm25: Ranker = {
  name: 'plain BM25',
  build(tools) {
    const index = createTermIndex(4);
    for (const { name, tags = [], description, inputSchema } of tools) {
      const { names } = collectSchemaText(inputSchema, LIMITS);
      index.add([name, tags.join(' '), description, names.join(' ')].map((text) => tokenize(text)));
    }
    const words = createWordScorer(index, [1, 1, 1, 1], [0.75, 0.75, 0.75, 0.75], 1.2);
    return (query, limit) => {
      const totals = new Map<number, number>();
      for (const token of new Set(tokenize(query))) {
        const term = index.find(token);
        if (term < 0 || STOP_WORDS.has(token)) continue;
        const { slots, scores } = words.score([{ term, weight: 1 }]);
        for (const [at, slot] of slots.entries()) {
          totals.set(slot, (totals.get(slot) ?? 0) + (scores[at] ?? 0));
        }
      }
      return [...totals]
        .sort((a, b) => b[1] - a[1])
        .slice(0, limit)
        .map(([slot]) => tools[slot]?.id ?? '');
    };
  },
};

/** MiniSearch with what its documentation recommends for search as one types: prefixes, typos, boosts. Stop words out. */
export const miniSearch: Ranker = {
  name: 'minisearch',
  build(tools) {
    const index = new MiniSearch({
      fields: ['name', 'namespace', 'tags', 'description', 'schema'],
      tokenize: (text) => tokenize(text),
      searchOptions: {
        prefix: true,
        fuzzy: 0.2,
        boost: { name: 3, tags: 2 },
        processTerm: (term) => (STOP_WORDS.has(term) ? null : term),
      },
    });
    index.addAll(
      tools.map(({ id, name, namespace, tags = [], description, inputSchema }) => {
        const { names, texts } = collectSchemaText(inputSchema, LIMITS);
        const schema = [...names, ...texts].join(' ');
        return { id, name, namespace, tags: tags.join(' '), description, schema };
      }),
    );
    return (query, limit) =>
      index
        .search(query)
        .slice(0, limit)
        .map(({ id }) => String(id));
  },
};

interface PeerModule {
  createToolRouter(tools: readonly CorpusTool[]): {
    search(query: string, options: { limit: number }): { tool: CorpusTool }[];
  };
}

/** `@stackline/tool-router` from a folder that holds its build or its source; it is not on npm. */
export async function loadStackline(folder: string | undefined): Promise<Ranker | undefined> {
  if (folder === undefined || folder === '') return undefined;
  const entry = ['dist/index.js', 'src/index.js', 'index.js']
    .map((path) => resolve(join(folder, path)))
    .find((path) => existsSync(path));
  if (entry === undefined) throw new Error(`No dist/index.js or src/index.js in ${folder}`);
  const peer: PeerModule = await import(pathToFileURL(entry).href);
  return {
    name: '@stackline',
    build(tools) {
      const router = peer.createToolRouter(tools);
      return (query, limit) => router.search(query, { limit }).map(({ tool }) => tool.id);
    },
  };
}
