import { createAcronymFinder } from './acronyms';
import { namesOfKind } from './argument-kinds';
import { createExpander, type Expansion } from './expand';
import { standsIn, termOf } from './index-terms';
import type { ResolvedToolRouterOptions } from './options';
import type { Query } from './query';
import {
  ARGUMENT_NAME_FIELD,
  ARGUMENT_TEXT_FIELD,
  DESCRIPTION_FIELD,
  INDEX_FIELDS,
  NAME_FIELD,
  type ToolIndex,
} from './tool-index';
import { createWordScorer, type WordScores } from './word-scores';

/** One tool's standing for a query. */
export interface Hit {
  readonly slot: number;
  readonly score: number;
}

/** The best tools of a query, and what its words were taken for. */
export interface ScoredQuery {
  readonly hits: readonly Hit[];
  /** By word of the query. */
  readonly expansions: readonly (readonly Expansion[])[];
}

export interface Scorer {
  /** The best `limit` tools among those `accepts` lets pass, best first; ties by name, then id. */
  score(query: Query, limit: number, accepts: (slot: number) => boolean): ScoredQuery;
}

/** Prose on an argument counts this much of what its name counts. */
const ARGUMENT_TEXT_SHARE = 0.7;
/** Part of the length normalisation `b` that is applied: tools' texts differ in care, not in scope. */
const LENGTH_SHARE = 0.4;
/** Tools whose standing is looked at closer, for the whole query and for each sentence. */
const FINALISTS = 40;
const SENTENCE_LEADERS = 6;
/**
 * A word this much less telling than the most telling one of the query is not looked up: one that
 * stands in nearly every tool costs the most time and changes nothing.
 */
const NEGLIGIBLE = 0.02;
const NOTHING: WordScores = { slots: [], scores: [] };
/** How much a tool gains when all of its name, or all of its description, is asked for. */
const NAME_GAIN = 0.4;
const DESCRIPTION_GAIN = 0.2;
/** A tool called by its very name counts this many times as much. */
const CALLED_BY_NAME = 4;
/** What a tool gathers from other sentences than its best one counts this much. */
const SCATTERED = 0.8;
/** Standing of the best tool of a sentence, against the best tool of the query. */
const SENTENCE_SHARE = 0.95;
/** How much less a sentence counts whose best tool fits worse: 0 not at all, 1 in proportion. */
const SENTENCE_SLOPE = 0.3;
/** A fitting argument against a word found. */
const KIND_WEIGHT = 0.7;

/**
 * Ranks the tools of an index for a query in three steps: BM25F over all words; a closer look at the
 * best, at how much of *their* name and description was asked for; and, where a query has several
 * sentences, room for the tools that lead a single one, since each may be an errand of its own.
 */
export function createScorer<T>(tools: ToolIndex<T>, options: ResolvedToolRouterOptions): Scorer {
  const { terms } = tools;
  const expand = createExpander(terms, tools.lexicon, tools.pipeline, options);
  const words = createWordScorer(
    terms,
    INDEX_FIELDS.map((field, at) => {
      const weight = effectOf(options.fieldWeights[field]);
      return at === ARGUMENT_TEXT_FIELD ? weight * ARGUMENT_TEXT_SHARE : weight;
    }),
    INDEX_FIELDS.map(() => options.b * LENGTH_SHARE),
    options.k1,
  );
  const calledByInitials = createAcronymFinder<T>();
  let totals = new Float64Array(0);

  function byNameThenId(a: Hit, b: Hit): number {
    if (a.score !== b.score) return b.score - a.score;
    const left = tools.bySlot[a.slot]?.record;
    const right = tools.bySlot[b.slot]?.record;
    return compare(left?.name, right?.name) || compare(left?.id, right?.id);
  }

  /** The best `count` tools of those some words are found in, best first. */
  function addUp(
    found: readonly Found[],
    count: number,
    accepts: (slot: number) => boolean,
  ): Hit[] {
    if (totals.length < terms.slotLimit) totals = new Float64Array(terms.slotLimit * 1.5);
    const touched: number[] = [];
    for (const { given, weight } of found) {
      const { slots, scores } = given;
      for (let at = 0; at < slots.length; at++) {
        const slot = slots[at] ?? 0;
        const before = totals[slot] ?? 0;
        if (before === 0) touched.push(slot);
        totals[slot] = before + (scores[at] ?? 0) * weight;
      }
    }
    const best: Hit[] = [];
    for (const slot of touched) {
      const score = totals[slot] ?? 0;
      totals[slot] = 0;
      if (best.length >= count && score < (best[count - 1]?.score ?? 0)) continue;
      if (score > 0 && accepts(slot)) insertHit(best, { slot, score }, count, byNameThenId);
    }
    return best;
  }

  /** The same hits weighed by how much of the tool was asked for, best first. */
  function lookCloser(hits: readonly Hit[], found: readonly Found[], query: Query): Hit[] {
    const asked = new Map<number, number>();
    for (const { expansions } of found) {
      for (const { term, weight } of expansions) {
        asked.set(term, Math.max(weight, asked.get(term) ?? 0));
      }
    }
    const weighed = hits.map(({ slot, score }) => {
      const called = calledByName(tools.bySlot[slot]?.record.name, query) ? CALLED_BY_NAME : 1;
      const name = askedShare(slot, NAME_FIELD, asked);
      const description = askedShare(slot, DESCRIPTION_FIELD, asked);
      return {
        slot,
        score: score * called * (1 + NAME_GAIN * name) * (1 + DESCRIPTION_GAIN * description),
      };
    });
    return weighed.sort(byNameThenId);
  }

  /** How much of a field was asked for, its telling words counting more, 0 to 1. */
  function askedShare(slot: number, field: number, asked: ReadonlyMap<number, number>): number {
    let all = 0;
    let wanted = 0;
    for (const entry of terms.entriesOf(slot)) {
      if (!standsIn(entry, field)) continue;
      const term = termOf(entry);
      const idf = words.idf(term);
      all += idf;
      wanted += idf * (asked.get(term) ?? 0);
    }
    return all === 0 ? 0 : wanted / all;
  }

  /** How telling a word can be at best. */
  const worthOf = (expansions: readonly Expansion[]): number =>
    expansions.reduce((most, { term, weight }) => Math.max(most, weight * words.idf(term)), 0);

  function evidenceBesideWords(query: Query): Found[] {
    const found: Found[] = [];
    for (const kind of query.kinds) {
      const expansions = namesOfKind(kind).map((name) => ({
        term: terms.find(tools.pipeline.termOf(name)),
        weight: KIND_WEIGHT,
      }));
      const given = words.score(
        expansions.filter(({ term }) => term >= 0),
        ARGUMENT_NAME_FIELD,
      );
      found.push({ given, weight: 1, expansions: [] });
    }
    for (const acronym of query.acronyms) {
      if (terms.find(tools.pipeline.termOf(acronym)) >= 0) continue;
      const slots = calledByInitials(tools.bySlot, acronym);
      const score = words.worth(slots.length) * acronym.length;
      const given = { slots, scores: slots.map(() => score) };
      found.push({ given, weight: 1, expansions: [] });
    }
    return found;
  }

  return {
    score(query, limit, accepts) {
      const expansions = query.words.map(expand);
      const most = Math.max(...expansions.map(worthOf));
      const found = query.words.map(({ weight }, at): Found => {
        const own = expansions[at] ?? [];
        const given = worthOf(own) < NEGLIGIBLE * most ? NOTHING : words.score(own);
        return { expansions: own, given, weight };
      });
      const all = [...found, ...evidenceBesideWords(query)];
      const count = Math.max(FINALISTS, limit);
      const hits = lookCloser(addUp(all, count, accepts), all, query);
      if (query.sentences.length > 1) {
        const leaders = query.sentences.map((places) => {
          const own = places.flatMap((place) => found[place] ?? []);
          return lookCloser(addUp(own, FINALISTS, accepts), own, query);
        });
        holdTogether(hits, leaders);
        hits.sort(byNameThenId);
        makeRoom(hits, leaders);
        hits.sort(byNameThenId);
      }
      return { hits: hits.slice(0, limit), expansions };
    },
  };
}

/** A query word, what it was taken for and what it gives. */
interface Found {
  readonly expansions: readonly Expansion[];
  readonly given: WordScores;
  readonly weight: number;
}

/** Puts a hit in its place among the best `count`, the worst of which falls out. */
function insertHit(best: Hit[], hit: Hit, count: number, order: (a: Hit, b: Hit) => number): void {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = best[middle];
    if (other !== undefined && order(other, hit) <= 0) low = middle + 1;
    else high = middle;
  }
  if (low >= count) return;
  best.splice(low, 0, hit);
  if (best.length > count) best.pop();
}

/** Holds it against a tool that its words stand in different sentences. */
function holdTogether(hits: Hit[], bySentence: readonly (readonly Hit[])[]): void {
  const best = new Map<number, number>();
  for (const { slot, score } of bySentence.flat()) {
    best.set(slot, Math.max(score, best.get(slot) ?? 0));
  }
  for (const [at, { slot, score }] of hits.entries()) {
    const inOne = Math.min(score, best.get(slot) ?? 0);
    hits[at] = { slot, score: inOne + SCATTERED * (score - inOne) };
  }
}

/** Lifts the tools that lead a sentence, the more the better they fit it. */
function makeRoom(hits: Hit[], leaders: readonly (readonly Hit[])[]): void {
  const top = hits[0]?.score ?? 0;
  const places = new Map(hits.map(({ slot }, at) => [slot, at]));
  const strongest = Math.max(...leaders.map((own) => own[0]?.score ?? 0));
  for (const own of leaders) {
    const first = own[0]?.score ?? 0;
    if (first === 0) continue;
    for (const { slot, score } of own.slice(0, SENTENCE_LEADERS)) {
      const fit = (first / strongest) ** SENTENCE_SLOPE * (score / first) ** 2;
      const lifted = top * SENTENCE_SHARE * fit;
      const at = places.get(slot) ?? hits.length;
      if ((hits[at]?.score ?? 0) >= lifted) continue;
      places.set(slot, at);
      hits[at] = { slot, score: lifted };
    }
  }
}

/**
 * What a field weight does. The weights are on the scale users know from other routers (10 for the
 * name, 2 for the description); their square roots are what ranks best with fields normalised one
 * by one.
 */
const effectOf = (weight: number): number => Math.sqrt(weight / 2);

/** `list_files`, `listFiles`, but not `List`. */
const WRITTEN_AS_NAME = /[_.:/\d-]|\p{Ll}\p{Lu}/u;

/** Whether the query holds the name as it is written, and not as a word that happens to be one. */
const calledByName = (name: string | undefined, query: Query): boolean =>
  name !== undefined &&
  (query.words.length === 1 || WRITTEN_AS_NAME.test(name)) &&
  query.identifiers.has(name.toLowerCase());

const compare = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);
