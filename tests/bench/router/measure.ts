import { type Corpus, type CorpusQuery, isHeldOut } from './corpora';
import type { Ranker } from './rankers';

/** What one ranker found for one query. */
export interface Outcome {
  query: CorpusQuery;
  at1: number;
  at5: number;
}

export interface RankerRun {
  ranker: string;
  outcomes: Outcome[];
  buildMs: number;
  msPerQuery: number;
}

export function runCorpus(corpus: Corpus, ranker: Ranker): RankerRun {
  const started = performance.now();
  const search = ranker.build(corpus.tools);
  const built = performance.now();
  const outcomes = corpus.queries.map((query) => {
    const found = search(query.query, 5);
    return { query, at1: recall(query, found.slice(0, 1)), at5: recall(query, found) };
  });
  const msPerQuery = (performance.now() - built) / corpus.queries.length;
  return { ranker: ranker.name, outcomes, buildMs: built - started, msPerQuery };
}

/** Share of the expected tools among those found. */
function recall({ expected, accept }: CorpusQuery, found: readonly string[]): number {
  const hits = expected.filter((id) =>
    [id, ...(accept?.[id] ?? [])].some((other) => found.includes(other)),
  );
  return hits.length / expected.length;
}

/** Mean recall at 1 and at 5, in per cent. */
export function meanRecall(outcomes: readonly Outcome[]): { at1: number; at5: number } {
  const mean = (key: 'at1' | 'at5') =>
    (100 * outcomes.reduce((sum, outcome) => sum + outcome[key], 0)) / outcomes.length;
  return { at1: mean('at1'), at5: mean('at5') };
}

export const developed = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ query }) => !isHeldOut(query));
export const heldOut = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ query }) => isHeldOut(query));

/** Queries on which `a` found more, and less, than `b`, and how likely that is by chance. */
export function compareRuns(a: readonly Outcome[], b: readonly Outcome[], key: 'at1' | 'at5') {
  let won = 0;
  let lost = 0;
  for (const [at, outcome] of a.entries()) {
    const difference = outcome[key] - (b[at]?.[key] ?? 0);
    if (difference > 0) won++;
    else if (difference < 0) lost++;
  }
  return { won, lost, chance: signTest(won, lost) };
}

/** Two-sided sign test, by the normal approximation with continuity correction. */
function signTest(won: number, lost: number): number {
  const n = won + lost;
  if (n === 0) return 1;
  const z = Math.max(0, (Math.abs(won - lost) - 1) / Math.sqrt(n));
  return Math.min(1, 2 * upperTail(z));
}

/** Upper tail of the normal distribution (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
