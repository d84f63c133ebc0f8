import type { Expansion } from './expand';
import { fieldOf } from './index-terms';
import { matchOf, type ToolMatch } from './match';
import type { ToolField } from './options';
import type { Query } from './query';
import type { Hit } from './score';
import { INDEX_FIELDS, type IndexedTool, type ToolIndex } from './tool-index';

/** Builds the public match of a hit. Evidence is looked up for the tools shown alone. */
export function createExplainer<T>(index: ToolIndex<T>) {
  return (
    tool: IndexedTool<T>,
    hit: Hit,
    query: Query,
    expansions: readonly (readonly Expansion[])[],
  ): ToolMatch<T> => {
    const fields = new Set<ToolField>();
    const words: string[] = [];
    for (const [at, word] of query.words.entries()) {
      let found = false;
      for (const { term } of expansions[at] ?? []) {
        for (const posting of index.terms.postingsOf(term, tool.slot)) {
          const field = INDEX_FIELDS[fieldOf(posting)];
          if (field !== undefined) fields.add(field);
          found = true;
        }
      }
      if (found) words.push(word.text);
    }
    return matchOf(tool, {
      score: Number(hit.score.toFixed(6)),
      matchedFields: [...fields].sort(),
      matchedTerms: words.sort(),
      queryCoverage: Number((words.length / Math.max(1, query.words.length)).toFixed(6)),
      pinned: false,
    });
  };
}
