import type { ToolEntry } from '../exposure/entry';
import type { CompactTool, JsonValue } from '../tool';
import { answerText } from './answer';
import { readSearch } from './bridge';
import type { DiscoveryPolicy } from './policy';
import { type HostRanker, type RankCandidate, type Ranker, rankCandidates } from './ranker';

/** What serves a search when a host ranker is installed. */
export type RankMode =
  /** The host ranker. */
  | 'ranker'
  /** The built-in one; the host ranker is not asked. */
  | 'bm25'
  /** The host ranker; what the built-in one would have said is reported. */
  | 'compare';

export interface SearchSetup {
  /** What can be found: the deferred tools of this step. */
  deferred: readonly ToolEntry[];
  policy: DiscoveryPolicy;
  bm25: Ranker;
  /** How a match is written to the model. */
  prepare: (entry: ToolEntry) => CompactTool;
  ranker?: HostRanker;
  /** Default `ranker`. */
  mode?: RankMode;
  /** Longest wait for the host ranker. Default 2 000. */
  timeLimitMs?: number;
  /** Most bytes of the answer; matches are shortened to fit. Default: as long as it gets. */
  maxAnswerBytes?: number;
  /** Milliseconds of a steady clock. */
  now?: () => number;
}

export interface SearchFacts {
  query: string;
  /** Names, best first. */
  matched: string[];
  /** Who ranked; `''` where the call could not be read and nobody did. */
  ranker: string;
  topConfidence: number | null;
  /** Why the host ranker did not serve; `null` where it did or none is installed. */
  fallback: string | null;
  /** Under `compare`: what the built-in ranker would have answered. */
  shadowMatched: string[] | null;
  latencyMs: number;
}

export interface SearchAnswer {
  ok: boolean;
  /** For the model. */
  text: string;
  /** The matches, best first: what to promote. */
  matches: ToolEntry[];
  facts: SearchFacts;
}

const BUILT_IN = 'bm25';
const TIME_LIMIT_MS = 2_000;

/**
 * Answers a call of `tool_search`. Never fails on account of a ranker: one that throws, is late, finds
 * nothing or invents tools is replaced by the built-in one. Rejects only with the signal's reason.
 */
export async function searchTools(
  args: JsonValue,
  setup: SearchSetup,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  signal.throwIfAborted();
  const now = setup.now ?? (() => performance.now());
  const start = now();
  const request = readSearch(args, setup.policy);
  if (!request.ok) return rejected(request.message, now() - start);
  const { query, limit } = request;
  const ranking = await rank(query, limit, setup, signal);
  const matches = resolve(ranking.keys, setup.deferred, limit);
  return {
    ok: true,
    text: answerText(matches.map(setup.prepare), setup.deferred.length, setup.maxAnswerBytes),
    matches,
    facts: {
      query,
      matched: matches.map((entry) => entry.name),
      ranker: ranking.ranker,
      topConfidence: ranking.topConfidence,
      fallback: ranking.fallback,
      shadowMatched: namesOf(ranking.shadow, setup.deferred, limit),
      latencyMs: Math.round(now() - start),
    },
  };
}

/**
 * The fields of a `tool-searched` event. The query, and error texts that may quote it, are only told
 * where the user lets inputs be captured.
 */
export function searchedEvent(
  facts: SearchFacts,
  callId: string,
  capture: boolean,
): SearchFacts & { callId: string } {
  if (capture) return { ...facts, callId };
  const fallback = facts.fallback === null ? null : (facts.fallback.split(':')[0] ?? null);
  return { ...facts, callId, query: '', fallback };
}

function rejected(message: string, latencyMs: number): SearchAnswer {
  return {
    ok: false,
    text: message,
    matches: [],
    facts: {
      query: '',
      matched: [],
      ranker: '',
      topConfidence: null,
      fallback: null,
      shadowMatched: null,
      latencyMs: Math.round(latencyMs),
    },
  };
}

interface Ranking {
  ranker: string;
  keys: readonly string[];
  topConfidence: number | null;
  fallback: string | null;
  shadow: readonly string[] | null;
}

async function rank(
  query: string,
  limit: number,
  setup: SearchSetup,
  signal: AbortSignal,
): Promise<Ranking> {
  const { ranker, mode = 'ranker' } = setup;
  const candidates = rankCandidates(setup.deferred);
  if (ranker === undefined || mode === 'bm25') {
    return builtIn(query, limit, setup, candidates, null);
  }
  const outcome = await askHost(ranker, query, limit, setup, candidates, signal);
  if (typeof outcome === 'string') return builtIn(query, limit, setup, candidates, outcome);
  if (mode !== 'compare') return outcome;
  const shadow = builtIn(query, limit, setup, candidates, null).keys;
  return { ...outcome, shadow };
}

function builtIn(
  query: string,
  limit: number,
  setup: SearchSetup,
  candidates: readonly RankCandidate[],
  fallback: string | null,
): Ranking {
  const none = { ranker: BUILT_IN, topConfidence: null, shadow: null };
  try {
    const keys = setup.bm25(query, candidates, limit).map((hit) => hit.key);
    return { ...none, keys, fallback };
  } catch (error) {
    return { ...none, keys: [], fallback: fallback ?? `failed: ${messageOf(error)}` };
  }
}

/** The host's ranking, or in words why it has none. */
async function askHost(
  ranker: HostRanker,
  query: string,
  limit: number,
  setup: SearchSetup,
  candidates: readonly RankCandidate[],
  signal: AbortSignal,
): Promise<Ranking | string> {
  const timeLimit = setup.timeLimitMs ?? TIME_LIMIT_MS;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('time limit')), timeLimit);
  const either = AbortSignal.any([signal, late.signal]);
  try {
    const hits = await Promise.race([
      ranker.rank(query, candidates, limit, either),
      rejectionOf(either),
    ]);
    const known = new Set(candidates.map((candidate) => candidate.key));
    const real = hits.filter((hit) => known.has(hit.key));
    const [top] = real;
    if (top === undefined) return 'returned no match';
    return {
      ranker: ranker.name,
      keys: real.map((hit) => hit.key),
      topConfidence: confidenceOf(top.confidence),
      fallback: null,
      shadow: null,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (late.signal.aborted) return `took longer than ${timeLimit} ms`;
    return `failed: ${messageOf(error)}`;
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects once the signal aborts; a ranker need not listen to it to be left behind. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const confidenceOf = (confidence: number | null): number | null =>
  confidence === null || !Number.isFinite(confidence) ? null : Math.min(1, Math.max(0, confidence));

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200);

/** The tools behind keys, each once; a key that names none is passed over. */
function resolve(
  keys: readonly string[],
  entries: readonly ToolEntry[],
  limit: number,
): ToolEntry[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const found = [...new Set(keys)].flatMap((key) => byKey.get(key) ?? []);
  return found.slice(0, limit);
}

function namesOf(
  keys: readonly string[] | null,
  entries: readonly ToolEntry[],
  limit: number,
): string[] | null {
  return keys === null ? null : resolve(keys, entries, limit).map((entry) => entry.name);
}
