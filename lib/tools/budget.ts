import { estimateTokenCount, type LanguageConfig } from 'tokenx';

/** Counts the tokens of a text; an engine's own counter where one is at hand. */
export type CountTokens = (text: string) => number;

/** Scripts that tokenx prices like Latin; rates from its own notes on where it falls short. */
const SCRIPTS: LanguageConfig[] = [
  { pattern: /[\u0600-\u06ff\u0750-\u077f]/, averageCharsPerToken: 2.5 },
  { pattern: /[\u0590-\u05ff]/, averageCharsPerToken: 2 },
  { pattern: /[\u0900-\u097f]/, averageCharsPerToken: 2.5 },
  { pattern: /[\u0e00-\u0e7f]/, averageCharsPerToken: 2 },
];

/** Tokens of a text, estimated: within about 10 % of a large vocabulary for prose, code and JSON. */
export const estimateTokens: CountTokens = (text) =>
  text === '' ? 0 : Math.max(1, estimateTokenCount(text, { languageConfigs: SCRIPTS }));

/**
 * What takes the tokens of the window in one step;
 * `window` = instructions + direct + promoted + manifest + history + reply + free.
 */
export interface Budget {
  window: number;
  instructions: number;
  direct: number;
  promoted: number;
  manifest: number;
  history: number;
  reply: number;
  /** Compact-JSON bytes of the schemas on the wire this step. */
  schemaBytes: number;
  /** Tokens that advertising every tool in full would have cost. */
  allToolsTokens: number;
}

/** The most that each part of the tools may take, in tokens. */
export interface ToolShares {
  direct: number;
  promoted: number;
  manifest: number;
}

/** What is not the tools' to take, in tokens. */
export interface FixedCosts {
  instructions: number;
  reply: number;
}

/** Parts of what instructions and reply leave: over half stays for the conversation. */
const DIRECT_PART = 0.3;
const PROMOTED_PART = 0.15;
/** The manifest is paid on every step and seldom read: a twelfth of the window. */
const MANIFEST_PART = 0.08;
/** Bounds for large windows, where a share would be more than a model reads well. */
const MAX_DIRECT = 8_000;
const MAX_PROMOTED = 6_000;
/** The manifest's budget where the window sets none. */
export const MANIFEST_TOKENS = 4_000;

/** How the window is divided among tools; the rest is history's. */
export function toolShares(window: number, fixed: FixedCosts): ToolShares {
  const room = Math.max(0, window - fixed.instructions - fixed.reply);
  const part = (of: number, share: number, max: number): number =>
    Math.floor(Math.min(of * share, max, room));
  return {
    direct: part(room, DIRECT_PART, MAX_DIRECT),
    promoted: part(room, PROMOTED_PART, MAX_PROMOTED),
    manifest: part(window, MANIFEST_PART, MANIFEST_TOKENS),
  };
}

/** Tokens of all tool text of a step. */
export const toolTokens = (budget: Budget): number =>
  budget.direct + budget.promoted + budget.manifest;

/** What the conversation may take: the window without instructions, tools and reply. Never negative. */
export const historyRoom = (budget: Budget): number =>
  Math.max(0, budget.window - budget.instructions - toolTokens(budget) - budget.reply);

/** Tokens nobody takes; negative by as much as the step is over its window. */
export const freeTokens = (budget: Budget): number =>
  budget.window - budget.instructions - toolTokens(budget) - budget.history - budget.reply;

/**
 * Whether the conversation should be shortened before this step. `at` is the part of its room that it
 * may fill (default 0.85). Schemas count: where they eat a quarter of the window, this comes a
 * quarter earlier.
 */
export const shouldShortenHistory = (budget: Budget, at = 0.85): boolean =>
  budget.history > historyRoom(budget) * at;

/** Tokens saved this step against advertising every tool in full; 0 where nothing was. */
export const savedTokens = (budget: Budget): number =>
  Math.max(0, budget.allToolsTokens - toolTokens(budget));
