import type { Lexicon } from './index-lexicon';
import type { TermIndex } from './index-terms';
import type { ResolvedToolRouterOptions } from './options';
import type { QueryWord, TextPipeline } from './query';

/** A term of the index that a query word may mean, and how surely (1 for the word itself). */
export interface Expansion {
  readonly term: number;
  readonly weight: number;
}

const SYNONYM_WEIGHT = 0.4;
const PREFIX_WEIGHT = 0.6;
const MIN_PREFIX = 3;
/** A misspelled word counts between 0.55 and 0.8, the more of it is right the more. */
const FUZZY_BASE = 0.55;
const FUZZY_RANGE = 0.25;

/**
 * Finds the terms a query word may mean: itself, its synonyms, words it begins and, where none of
 * these is known to the index, words of similar spelling.
 */
export function createExpander(
  terms: TermIndex,
  lexicon: Lexicon,
  pipeline: TextPipeline,
  options: ResolvedToolRouterOptions,
): (word: QueryWord) => Expansion[] {
  const synonyms = new Map<string, Set<string>>();
  for (const [word, others] of options.synonyms) {
    const term = pipeline.termOf(word);
    const known = synonyms.get(term) ?? new Set();
    for (const other of others) known.add(pipeline.termOf(other));
    synonyms.set(term, known);
  }

  return (word) => {
    const weights = new Map<number, number>();
    const widen = (term: number, weight: number) => {
      if (term < 0 || terms.documentFrequency(term) === 0) return;
      weights.set(term, Math.max(weight, weights.get(term) ?? 0));
    };
    widen(terms.find(word.term), 1);
    for (const other of synonyms.get(word.term) ?? []) widen(terms.find(other), SYNONYM_WEIGHT);
    if (word.term.length >= MIN_PREFIX) {
      for (const term of lexicon.startingWith(word.term, options.maxExpansions)) {
        widen(term, PREFIX_WEIGHT);
      }
    }
    if (weights.size === 0 && options.fuzzy && word.text.length >= options.minFuzzyLength) {
      for (const { term, distance } of lexicon.spelledLike(word.term, options.maxExpansions)) {
        widen(term, FUZZY_BASE + FUZZY_RANGE * (1 - distance / word.term.length));
      }
    }
    return [...weights]
      .map(([term, weight]) => ({ term, weight }))
      .sort((a, b) => b.weight - a.weight || a.term - b.term)
      .slice(0, options.maxExpansions);
  };
}
