import type { Expansion } from './expand';
import { countOf, fieldOf, slotOf, type TermIndex } from './index-terms';

/** What one query word gives to each tool it is found in. */
export interface WordScores {
  readonly slots: readonly number[];
  /** By place in {@link slots}. */
  readonly scores: readonly number[];
}

export interface WordScorer {
  /** BM25F of a word: per tool its best expansion counts, not their sum. */
  score(expansions: readonly Expansion[], field?: number): WordScores;
  /** How telling a term is: BM25's inverse document frequency. */
  idf(term: number): number;
  /** How telling is what stands in that many records. */
  worth(frequency: number): number;
}

/**
 * BM25 over weighted fields, each normalised by its own length (BM25F; Robertson, Zaragoza and
 * Taylor, "Simple BM25 extension to multiple weighted fields", 2004). `weights` and `lengthShares`
 * (b) are by field.
 */
export function createWordScorer(
  terms: TermIndex,
  weights: readonly number[],
  lengthShares: readonly number[],
  k1: number,
): WordScorer {
  const fieldCount = weights.length;
  let normVersion = -1;
  /** What one occurrence counts, by slot and field. */
  let norms = new Float32Array(0);
  let best = new Float64Array(0);
  /** {@link WordScorer.worth} by frequency. */
  let worths = new Float64Array(0);

  function refresh(): void {
    if (normVersion === terms.version) return;
    const needed = terms.slotLimit * fieldCount;
    if (norms.length < needed) norms = new Float32Array(needed + needed / 2);
    if (best.length < terms.slotLimit) best = new Float64Array(terms.slotLimit * 1.5);
    for (let field = 0; field < fieldCount; field++) {
      const average = terms.averageLength(field) || 1;
      const weight = weights[field] ?? 0;
      const share = lengthShares[field] ?? 0;
      for (let slot = 0; slot < terms.slotLimit; slot++) {
        const relative = terms.fieldLength(slot, field) / average;
        norms[slot * fieldCount + field] = weight / (1 - share + share * relative);
      }
    }
    worths = Float64Array.from({ length: terms.size + 1 }, (_, frequency) => worth(frequency));
    normVersion = terms.version;
  }

  const worth = (frequency: number): number =>
    Math.log(1 + (terms.size - frequency + 0.5) / (frequency + 0.5));

  function idf(term: number): number {
    refresh();
    return worths[terms.documentFrequency(term)] ?? 0;
  }

  return {
    idf,
    worth,
    score(expansions, onlyField) {
      refresh();
      const slots: number[] = [];
      for (const { term, weight } of expansions) {
        const most = weight * idf(term) * (k1 + 1);
        const postings = terms.postings(term);
        let at = 0;
        while (at < postings.length) {
          const slot = slotOf(postings[at] ?? 0);
          let mass = 0;
          for (; at < postings.length; at++) {
            const posting = postings[at] ?? 0;
            if (slotOf(posting) !== slot) break;
            const field = fieldOf(posting);
            if (onlyField !== undefined && field !== onlyField) continue;
            mass += countOf(posting) * (norms[slot * fieldCount + field] ?? 0);
          }
          if (mass === 0) continue;
          const score = (most * mass) / (k1 + mass);
          const before = best[slot] ?? 0;
          if (before === 0) slots.push(slot);
          if (score > before) best[slot] = score;
        }
      }
      const scores = slots.map((slot) => {
        const score = best[slot] ?? 0;
        best[slot] = 0;
        return score;
      });
      return { slots, scores };
    },
  };
}
