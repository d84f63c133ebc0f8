import type { DiscoveryPolicy } from '../tools/discovery/policy';
import type { PromotionState } from '../tools/discovery/promotion';
import type { HostRanker } from '../tools/discovery/ranker';
import type { RankMode } from '../tools/discovery/search';
import type { SchemaPreparation } from '../tools/schema/prepare';
import type { Exposure, JsonObject, PageTool } from '../tools/tool';
import type { Shared } from './builtins';
import type { Engine } from './engine';
import type { OwnTool } from './own-tools';
import type { AgentPage, AgentUser, Emit } from './ports';

/** A page tool that ran in an earlier turn. */
export interface PastCall {
  name: string;
  /** Of the frame that offered the tool; absent or `null`: the page's own. */
  origin?: string;
  arguments: JsonObject;
  /** What the model saw of the result. */
  shown: string;
}

/** One question of the user and what came of it, as a later prompt repeats it. */
export interface Exchange {
  ask: string;
  answer: string;
  /** Page tools that ran, with what the model saw of their results; repeated for the last exchange. */
  calls?: readonly PastCall[];
}

/** What the conversation was about before this turn, on the site that it is on now. */
export interface History {
  /** Whose site that is (`siteOf`): on another one nothing of it is used. Absent: the page's, whichever it is. */
  site?: string;
  /** At most 60 words; `""` at the start. The loop tells the next one as `brief-updated`. */
  brief: string;
  /** Oldest first; the last few are repeated word for word where there is room. */
  exchanges: readonly Exchange[];
  /** Names of the page tools used lately: ranking prefers them. */
  recentTools?: readonly string[];
  /** Tools that earlier turns discovered; those still on the page and allowed stay in the prompt. */
  promotions?: PromotionState;
}

/** What a user or a site's developer adds to a page's tools. */
export interface SiteRecipe {
  /** Tool name → names that must have run earlier in the turn. */
  requires?: Readonly<Record<string, readonly string[]>>;
  /** Tool name → fields of its result that the model gets to see. */
  outputFields?: Readonly<Record<string, readonly string[]>>;
  facts?: Readonly<Record<string, string>>;
  exposure?: Readonly<Record<string, Exposure>>;
}

/** How one origin's tools reach the model. */
interface SiteRules {
  defer: 'auto' | 'always' | 'never';
  /** Tool name → exposure, over whatever `defer` says. */
  tools: Readonly<Record<string, Exposure>>;
  recipe?: SiteRecipe;
}

export interface AgentSettings {
  /** How tools are chosen for a request. A search always ranks by the router, or by `ranker`. */
  ranking: 'router' | 'seed';
  /** Keep exact prompts and queries in events. */
  capture: boolean;
  /** Rules of the origin that registered a tool. */
  site(origin: string): SiteRules;
}

/** "Allow this tool on this site": for this chat, or until it is taken back. */
export interface Approvals {
  /** Keys that were remembered, see `approvalKey`. */
  remembered: ReadonlySet<string>;
  remember(key: string, tool: PageTool, scope: 'chat' | 'site'): void;
}

export interface Limits {
  /** Model replies in one turn. */
  maxSteps: number;
  /** Tools shown to the model in one step. */
  maxTools: number;
  /** Length of one reply, in tokens. */
  maxReplyTokens: number;
  /** Calls run from one reply; the rest is told to the model as not run. */
  maxCallsPerStep: number;
  /** Characters of one result that the model gets to read. */
  resultCharacters: number;
}

export const DEFAULT_LIMITS: Limits = {
  maxSteps: 6,
  maxTools: 8,
  maxReplyTokens: 512,
  maxCallsPerStep: 4,
  resultCharacters: 600,
};

/** Everything one turn needs. The loop starts nothing after `signal` aborts. */
export interface AgentOptions {
  /** Also one of your own, under whatever id. */
  engine: Engine<string>;
  page: AgentPage;
  user: AgentUser;
  emit: Emit;
  /** The user's message. */
  ask: string;
  history: History;
  settings: AgentSettings;
  /** `key: value` facts, see `factsOf`; those of a recipe are added by the loop. */
  facts: Readonly<Record<string, string>>;
  approvals: Approvals;
  signal: AbortSignal;
  limits?: Partial<Limits>;
  /** Tools of Pagehand's own beside the built-in ones. */
  tools?: readonly OwnTool[];
  /** What searches ask beside, or instead of, the built-in ranking. */
  ranker?: HostRanker;
  /** Who serves a search where there is a `ranker`. Default `ranker`. */
  rankMode?: RankMode;
  /** Whether and how deferred tools are found. */
  discovery?: Partial<DiscoveryPolicy>;
  /** How schemas are rewritten for the model. Default: by the engine's window. */
  preparation?: SchemaPreparation;
  /** Keys of tools the user chose for this request. */
  pinned?: readonly string[];
  /** What the user has let this conversation read. */
  shared?: Shared;
  /**
   * Resolves once every event told so far is where it outlives this process. Awaited before a call that
   * may change something, so that what may have run is on record whatever happens then. Never rejects.
   */
  recorded?: () => Promise<void>;
  /** Milliseconds the turn waited in the host's queue; told with the first reply. */
  queueMs?: number;
  /** Told at the end what searches brought into the prompt: give it back with the next turn's history. */
  keepPromotions?: (promotions: PromotionState) => void;
  /** Milliseconds since the epoch. Default `Date.now`. */
  now?: () => number;
  /** Unique ids. Default `crypto.randomUUID`. */
  newId?: () => string;
}
