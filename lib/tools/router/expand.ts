import { TOPIC_GROUPS } from '../text/topics';
import type { Lexicon } from './index-lexicon';
import type { TermIndex } from './index-terms';
import type { ResolvedToolRouterOptions } from './options';
import type { QueryWord, TextPipeline } from './query';

/** A term of the index that a query word may mean, and how surely (1 for the word itself). */
export interface Expansion {
  readonly term: number;
  readonly weight: number;
}

const SYNONYM_WEIGHT = 0.5;
const TOPIC_WEIGHT = 0.5;
/**
 * Tools from which on a word that some of them hold is enough by itself: synonyms and subjects then
 * count less, with the logarithm of the catalog.
 */
const CROWD = 100;
const PREFIX_WEIGHT = 0.6;
/** Shortest beginning of a word that is completed where the word is unknown, and where it is known. */
const MIN_PREFIX = 3;
const MIN_KNOWN_PREFIX = 4;
/** A misspelled word counts between 0.55 and 0.8, the more of it is right the more. */
const FUZZY_BASE = 0.55;
const FUZZY_RANGE = 0.25;

/**
 * Finds the terms a query word may mean: itself, its synonyms, the subject it points to, words it
 * begins and, where none of these is known to the index, words of similar spelling.
 */
export function createExpander(
  terms: TermIndex,
  lexicon: Lexicon,
  pipeline: TextPipeline,
  options: ResolvedToolRouterOptions,
): (word: QueryWord) => Expansion[] {
  const related = relatedTerms(pipeline, options);

  return (word) => {
    const weights = new Map<number, number>();
    const widen = (term: number, weight: number) => {
      if (term < 0 || terms.documentFrequency(term) === 0) return;
      weights.set(term, Math.max(weight, weights.get(term) ?? 0));
    };
    widen(terms.find(word.term), 1);
    const known = weights.size > 0;
    const doubt = known ? Math.max(1, Math.log(terms.size) / Math.log(CROWD)) : 1;
    for (const [other, weight] of related.get(word.term) ?? []) {
      widen(terms.find(other), weight / doubt);
    }
    if (word.term.length >= (known ? MIN_KNOWN_PREFIX : MIN_PREFIX)) {
      for (const term of lexicon.startingWith(word.term, options.maxExpansions)) {
        widen(term, PREFIX_WEIGHT);
      }
    }
    // A word that has synonyms is spelled right.
    const unknown = weights.size === 0 && !related.has(word.term);
    if (unknown && options.fuzzy && word.text.length >= options.minFuzzyLength) {
      for (const { term, distance } of lexicon.spelledLike(word.term, options.maxExpansions)) {
        widen(term, FUZZY_BASE + FUZZY_RANGE * (1 - distance / word.term.length));
      }
    }
    return [...weights].map(([term, weight]) => ({ term, weight }));
  };
}

type RelatedTerms = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** By synonyms; a router is often made for a single question, and these are thousands of words. */
const builtInTerms = new WeakMap<object, RelatedTerms>();

function relatedTerms(pipeline: TextPipeline, options: ResolvedToolRouterOptions): RelatedTerms {
  if (!pipeline.builtIn) return relateTerms(pipeline, options);
  const known = builtInTerms.get(options.synonyms) ?? relateTerms(pipeline, options);
  builtInTerms.set(options.synonyms, known);
  return known;
}

/** For each term the terms of its synonyms and subjects, with their weights. */
function relateTerms(pipeline: TextPipeline, options: ResolvedToolRouterOptions): RelatedTerms {
  const related = new Map<string, Map<string, number>>();
  const relate = (word: string, other: string, weight: number) => {
    const from = pipeline.termOf(word);
    const to = pipeline.termOf(other);
    if (from === to) return;
    const known = related.get(from) ?? new Map<string, number>();
    known.set(to, Math.max(weight, known.get(to) ?? 0));
    related.set(from, known);
  };
  for (const [word, others] of options.synonyms) {
    for (const other of others) relate(word, other, SYNONYM_WEIGHT);
  }
  if (options.topics) {
    for (const { subjects, signs } of TOPIC_GROUPS) {
      for (const sign of signs) {
        for (const subject of subjects) relate(sign, subject, TOPIC_WEIGHT);
      }
    }
  }
  return related;
}
