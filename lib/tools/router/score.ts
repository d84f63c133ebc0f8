import { createExpander, type Expansion } from './expand';
import { countOf, fieldOf, slotOf, type TermIndex } from './index-terms';
import type { ResolvedToolRouterOptions } from './options';
import type { Query } from './query';
import { ARGUMENT_TEXT_FIELD, INDEX_FIELDS, type ToolIndex } from './tool-index';

/** One tool's standing for a query. */
export interface Hit {
  readonly slot: number;
  readonly score: number;
  /** Share of the query's telling words found in the tool, 0 to 1. */
  readonly coverage: number;
}

/** What the scorer knows of a query, for explaining its hits. */
export interface ScoredQuery {
  readonly hits: readonly Hit[];
  readonly expansions: readonly (readonly Expansion[])[];
}

export interface Scorer {
  /** The best `limit` tools among those `accepts` lets pass, best first; ties by name, then id. */
  score(query: Query, limit: number, accepts: (slot: number) => boolean): ScoredQuery;
}

/** Prose on an argument counts this much of what its name counts. */
const ARGUMENT_TEXT_SHARE = 0.7;

/**
 * BM25 over weighted fields, each normalised by its own length (BM25F), a query word counting through
 * its best expansion only.
 */
export function createScorer<T>(tools: ToolIndex<T>, options: ResolvedToolRouterOptions): Scorer {
  const { terms } = tools;
  const expand = createExpander(terms, tools.lexicon, tools.pipeline, options);
  const weights = INDEX_FIELDS.map(
    (field, at) =>
      Math.sqrt(options.fieldWeights[field] / 2) *
      (at === ARGUMENT_TEXT_FIELD ? ARGUMENT_TEXT_SHARE : 1),
  );
  const fieldCount = INDEX_FIELDS.length;
  let normVersion = -1;
  let norms = new Float64Array(0);
  let totals = new Float64Array(0);
  let bests = new Float64Array(0);
  let covered = new Uint16Array(0);

  function refresh(): void {
    if (normVersion === terms.version) return;
    norms = fieldNorms(terms, weights, options.b * 0.4, norms);
    if (totals.length < terms.slotLimit) {
      totals = new Float64Array(terms.slotLimit * 2);
      bests = new Float64Array(terms.slotLimit * 2);
      covered = new Uint16Array(terms.slotLimit * 2);
    }
    normVersion = terms.version;
  }

  function addWord(expansions: readonly Expansion[], count: number, touched: number[]): void {
    const found: number[] = [];
    for (const { term, weight } of expansions) {
      const frequency = terms.documentFrequency(term);
      const idf = Math.log(1 + (terms.size - frequency + 0.5) / (frequency + 0.5));
      const postings = terms.postings(term);
      const most = weight * idf * (options.k1 + 1);
      let at = 0;
      while (at < postings.length) {
        const slot = slotOf(postings[at] ?? 0);
        let mass = 0;
        for (; at < postings.length; at++) {
          const posting = postings[at] ?? 0;
          if (slotOf(posting) !== slot) break;
          mass += countOf(posting) * (norms[slot * fieldCount + fieldOf(posting)] ?? 0);
        }
        const score = (most * mass) / (options.k1 + mass);
        const before = bests[slot] ?? 0;
        if (before === 0) found.push(slot);
        if (score > before) bests[slot] = score;
      }
    }
    const repeats = 1 + Math.log(count);
    for (const slot of found) {
      const best = bests[slot] ?? 0;
      bests[slot] = 0;
      if (best === 0) continue;
      if (covered[slot] === 0) touched.push(slot);
      covered[slot] = (covered[slot] ?? 0) + 1;
      totals[slot] = (totals[slot] ?? 0) + best * repeats;
    }
  }

  return {
    score(query, limit, accepts) {
      refresh();
      const touched: number[] = [];
      const expansions = query.words.map(expand);
      for (const [at, word] of query.words.entries()) {
        addWord(expansions[at] ?? [], word.count, touched);
      }
      const hits: Hit[] = [];
      for (const slot of touched) {
        if (accepts(slot)) {
          const coverage = (covered[slot] ?? 0) / query.words.length;
          hits.push({ slot, score: totals[slot] ?? 0, coverage });
        }
        totals[slot] = 0;
        covered[slot] = 0;
      }
      const nameOf = (hit: Hit) => tools.bySlot[hit.slot]?.record;
      hits.sort((a, b) => {
        if (a.score !== b.score) return b.score - a.score;
        const left = nameOf(a);
        const right = nameOf(b);
        return compare(left?.name, right?.name) || compare(left?.id, right?.id);
      });
      return { hits: hits.slice(0, limit), expansions };
    },
  };
}

const compare = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);

/** What one occurrence in a field of a record counts: the field's weight over its length norm. */
function fieldNorms(
  terms: TermIndex,
  weights: readonly number[],
  b: number,
  reuse: Float64Array<ArrayBuffer>,
): Float64Array<ArrayBuffer> {
  const { fieldCount, slotLimit } = terms;
  const needed = slotLimit * fieldCount;
  const norms = reuse.length >= needed ? reuse : new Float64Array(needed * 2);
  for (let field = 0; field < fieldCount; field++) {
    const average = terms.averageLength(field) || 1;
    const weight = weights[field] ?? 0;
    for (let slot = 0; slot < slotLimit; slot++) {
      const length = terms.fieldLength(slot, field);
      norms[slot * fieldCount + field] = weight / (1 - b + (b * length) / average);
    }
  }
  return norms;
}
