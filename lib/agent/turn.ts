import type { Said } from '../said/said';
import { createDefaultRanker } from '../tools/discovery/default-ranker';
import { NO_PROMOTIONS, type PromotionState } from '../tools/discovery/promotion';
import type { Ranker } from '../tools/discovery/ranker';
import { wordRanker } from '../tools/discovery/word-ranker';
import type { Choice } from '../tools/exposure/choose';
import type { Catalog, JsonObject } from '../tools/tool';
import { createSources, type Sources } from './arguments/sources';
import type { Dialect } from './dialects/dialect';
import { dialectOf } from './dialects/table';
import type { EndReason, Remedy } from './events';
import { type AgentOptions, DEFAULT_LIMITS, type History, type Limits } from './options';
import type { Emit } from './ports';

/** One call that ran, or was refused by the user: what the rest of the turn may build on. */
export interface DoneCall {
  step: number;
  name: string;
  arguments: JsonObject;
  readOnly: boolean;
  status: 'done' | 'failed' | 'denied';
  /** What the model got to read. */
  shown: string;
  /** The full value, for the look-ups of Pagehand's own tools. */
  value: unknown;
  error?: string;
  /** It failed, yet may have had its effect: it is not run again by itself. */
  mayHaveRun: boolean;
  /** Identity for the judge: tool and arguments, key order ignored. */
  signature: string;
  /** The site the page was on when it was made. */
  site: string | undefined;
}

/** Why a turn ends; the loop makes the event of it. */
export interface TurnEnd {
  reason: EndReason;
  message: string;
  /** How to say the message. */
  said?: Said;
  remedies: Remedy[];
}

/** One turn while it runs. Only the loop changes it. */
export interface Turn {
  readonly options: AgentOptions;
  readonly limits: Limits;
  readonly dialect: Dialect;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  readonly now: () => number;
  readonly newId: () => string;
  /** The word in the fence around what the page wrote. */
  readonly marker: string;
  readonly sources: Sources;
  /** The site the page is on; `undefined` before the first step. */
  site: string | undefined;
  /** What the conversation was about before, as far as it was on this site. */
  history: History;
  /** The current step, from 1; 0 before the first. */
  step: number;
  done: DoneCall[];
  /** Of the step before, to tell what appeared and vanished. */
  catalog?: Catalog;
  facts: Record<string, string>;
  /** Orders tools for the request. */
  readonly ranker: Ranker;
  /** Orders tools for searches. Each keeps its index through the turn. */
  readonly searchRanker: Ranker;
  /** Of the step before. */
  choice?: Choice;
  /** Tools that searches brought into the prompt. */
  promotions: PromotionState;
  /** Steps in a row whose reply held nothing but mistakes. */
  modelErrors: number;
  /** Calls in a row that failed, and what the failures said. */
  toolErrors: number;
  errorsSeen: Set<string>;
  repeats: number;
  /** Calls, by signature, whose every value the user has just filled in and sent. */
  filled: Set<string>;
  /** What a final reply said, for the brief. */
  answer: string;
}

export function startTurn(options: AgentOptions): Turn {
  const now = options.now ?? Date.now;
  const newId = options.newId ?? (() => crypto.randomUUID());
  const sources = createSources(new Date(now()));
  sources.add(options.ask, 'spoken');
  sources.add(options.history.brief, 'spoken');
  for (const exchange of options.history.exchanges) sources.add(exchange.ask, 'spoken');
  return {
    options,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    dialect: dialectOf(options.engine.dialect),
    signal: options.signal,
    emit: options.emit,
    now,
    newId,
    marker: markerFrom(newId()),
    sources,
    site: undefined,
    history: options.history,
    step: 0,
    done: [],
    facts: { ...options.facts },
    searchRanker: createDefaultRanker(),
    ranker: options.settings.ranking === 'seed' ? wordRanker : createDefaultRanker(),
    promotions: options.history.promotions ?? NO_PROMOTIONS,
    modelErrors: 0,
    toolErrors: 0,
    errorsSeen: new Set(),
    repeats: 0,
    filled: new Set(),
    answer: '',
  };
}

/** Four letters or digits of an unguessable id: enough that a page cannot close the fence by chance. */
function markerFrom(id: string): string {
  const plain = id.toLowerCase().replace(/[^0-9a-z]/g, '');
  return plain.slice(-6) || 'x';
}
