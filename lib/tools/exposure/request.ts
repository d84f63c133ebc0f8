import type { CountTokens } from '../budget';
import type { DiscoveryPolicy } from '../discovery/policy';
import type { PromotionState } from '../discovery/promotion';
import type { Ranker } from '../discovery/ranker';
import type { ModelNames } from '../names';
import type { Listing } from '../render/listing';
import type { PageTool } from '../tool';
import type { OwnTool, ToolEntry } from './entry';
import type { Memory } from './memory';
import type { Presentation } from './presentation';
import type { SiteExposure } from './rules';

/** What a step takes over from the one before: a choice fits as it is. */
export interface StepBefore {
  names: ModelNames;
  entries: readonly ToolEntry[];
  memory: Memory;
}

/** What one step's tools are chosen from and for. */
export interface ChooseRequest {
  /** The page's tools, as collected for this step. */
  tools: readonly PageTool[];
  /** Pagehand's own tools: always direct, their names are theirs alone. */
  own?: readonly OwnTool[];
  /** What is set for an origin. */
  site: (origin: string) => SiteExposure;
  ask: string;
  ranker: Ranker;
  /** Names of tools called lately, as their pages or the model know them. */
  recent?: readonly string[];
  /** Keys of tools that stay whatever the ranking says. */
  pinned?: readonly string[];
  promotions?: PromotionState;
  /** Tokens of the window and of what else is in it. */
  window: number;
  instructions: number;
  history: number;
  reply: number;
  /** Default: by the window. */
  listing?: Listing;
  /** Default: by the window. */
  presentation?: Presentation;
  /** Most tools offered that nobody spoke about. Default 8. */
  max?: number;
  discovery?: Partial<DiscoveryPolicy>;
  /** Default: an estimate. */
  count?: CountTokens;
  /** `name` (default) or the most relevant last, where small models look. */
  order?: 'name' | 'relevance-last';
  /** The choice of the step before, within the same turn. */
  previous?: StepBefore;
}
