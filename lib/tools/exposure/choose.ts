import {
  type Budget,
  type CountTokens,
  estimateTokens,
  type ToolShares,
  toolShares,
} from '../budget';
import { BRIDGE_NAME, type Bridge, bridgeTool } from '../discovery/bridge';
import { type DiscoveryPolicy, discoveryPolicy } from '../discovery/policy';
import {
  type LivePromotions,
  livePromotions,
  NO_PROMOTIONS,
  type PromotionState,
} from '../discovery/promotion';
import type { Ranker } from '../discovery/ranker';
import { type ModelNames, modelNames } from '../names';
import { type Listing, renderTool } from '../render/listing';
import { byCodeUnit } from '../render/p-format';
import { listingFor, toolCost, wireBytes } from '../render/report';
import type { CompactTool, PageTool } from '../tool';
import { allToolsTokens } from './all-tools';
import { type CatalogChanges, catalogChanges } from './changes';
import type { OwnTool, ToolEntry } from './entry';
import { type Memory, recall } from './memory';
import { type Presentation, presentationFor, presentEntry } from './presentation';
import { createRegistry, type ToolRegistry } from './registry';
import { exposeTools, type SiteExposure } from './rules';
import { type OfferedWhy, type Selected, type Selection, selectDirect } from './select';

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
  previous?: Choice;
}

export interface Offered {
  name: string;
  key: string;
  why: OfferedWhy;
  score?: number;
  bytes: number;
  tokens: number;
  tool: CompactTool;
}

/** What the model is shown in one step, what is not and why, and what it costs. */
export interface Choice {
  /** In the order of the prompt. The bridge's key is its name. */
  offered: Offered[];
  /** The tools of `offered`, ready to render. */
  tools: CompactTool[];
  listing: Listing;
  /** Every tool of the page that is not offered, with the reason in words for the user. */
  left: { name: string; key: string; why: string }[];
  /** For dispatching calls and searching, with this step's exposures. */
  registry: ToolRegistry;
  /** Every tool with the exposure it has before any budget: what a tool list shows. */
  entries: ToolEntry[];
  names: ModelNames;
  /** What came and went since the step before. */
  changes: CatalogChanges;
  /** An entry as it is written to the model. */
  present: (entry: ToolEntry) => CompactTool;
  /** To keep: promotions as they stand now. */
  promotions: PromotionState;
  /** Promoted tools that left, and those whose schema changed. */
  promotionNotes: Pick<LivePromotions, 'dropped' | 'changed'>;
  policy: DiscoveryPolicy;
  budget: Budget;
  memory: Memory;
}

/** The document's default for small models. */
const MAX_DIRECT = 8;

/**
 * Chooses what the model sees in one step: hidden tools out, direct and pinned ones in, the least
 * relevant deferred for this turn where the direct set is over its share, promoted ones after them,
 * `tool_search` last if anything is deferred. Deterministic; with `previous` given, the tools are
 * byte for byte those of the step before as long as the page, the settings and the promotions are.
 */
export function chooseTools(request: ChooseRequest): Choice {
  const listing = request.listing ?? request.presentation?.listing ?? listingFor(request.window);
  const step = stepOf(request, listing);
  const selection = select(request, step);
  const entries = deferForTurn(step.entries, selection);
  const live = livePromotions(request.promotions ?? NO_PROMOTIONS, entries, {
    maxTokens: step.shares.promoted,
    cost: step.cost,
  });
  const registry = createRegistry(entries, {
    prepare: step.present,
    discovery: step.policy.enabled,
  });
  const bridge = registry.canSearch ? bridgeOf(registry, step) : undefined;
  const offered = offer(request, step, selection.selected, live, bridge);
  const budget = budgetOf(request, step, offered);
  return {
    offered,
    tools: offered.map(({ tool }) => tool),
    listing,
    left: leftOut(entries, live),
    registry,
    entries: step.entries,
    names: step.names,
    changes: catalogChanges(request.previous?.entries, step.entries),
    present: step.present,
    promotions: live.state,
    promotionNotes: { dropped: live.dropped, changed: live.changed },
    policy: step.policy,
    budget,
    memory: {
      fingerprint: step.memory.fingerprint,
      selection,
      allToolsTokens: budget.allToolsTokens,
    },
  };
}

interface Step {
  entries: ToolEntry[];
  names: ModelNames;
  shares: ToolShares;
  policy: DiscoveryPolicy;
  listing: Listing;
  count: CountTokens;
  /** Prepared once per step and entry. */
  present: (entry: ToolEntry) => CompactTool;
  cost: (entry: ToolEntry) => number;
  max: number;
  memory: Memory;
}

function stepOf(request: ChooseRequest, listing: Listing): Step {
  const count = request.count ?? estimateTokens;
  const own = request.own ?? [];
  const names = modelNames(request.tools, {
    reserved: new Set(own.map((tool) => tool.name)),
    ...(request.previous === undefined ? {} : { previous: request.previous.names }),
  });
  const exposed = exposeTools(request.tools, own, {
    site: request.site,
    names,
    previous: request.previous?.entries,
  });
  const entries = pinToStep(exposed, new Set(request.pinned));
  const presentation = request.presentation ?? presentationFor(request.window, listing);
  const present = once((entry: ToolEntry) => presentEntry(entry, presentation));
  const shares = toolShares(request.window, request);
  const policy = discoveryPolicy(request.discovery);
  const max = Math.max(0, Math.floor(request.max ?? MAX_DIRECT));
  return {
    entries,
    names,
    shares,
    policy: {
      ...policy,
      manifestTokenBudget: Math.min(policy.manifestTokenBudget, shares.manifest),
    },
    listing,
    count,
    present,
    cost: once((entry: ToolEntry) => count(renderTool(listing, present(entry)))),
    max,
    memory: recall(request.previous?.memory, entries, [
      request.ask,
      request.window,
      request.reply,
      listing,
      max,
      [...(request.pinned ?? [])],
    ]),
  };
}

/** A tool somebody chose for this request is direct, whatever its site says; a hidden one stays hidden. */
function pinToStep(entries: ToolEntry[], pinned: ReadonlySet<string>): ToolEntry[] {
  if (pinned.size === 0) return entries;
  return entries.map((entry) =>
    entry.exposure === 'deferred' && pinned.has(entry.key)
      ? { ...entry, exposure: 'direct', by: 'user', reason: 'chosen for this request' }
      : entry,
  );
}

function once<T extends object, R>(make: (of: T) => R): (of: T) => R {
  const made = new Map<T, R>();
  return (of) => {
    const known = made.get(of);
    if (known !== undefined) return known;
    const fresh = make(of);
    made.set(of, fresh);
    return fresh;
  };
}

/** Of what instructions and reply leave, the part that pinned tools may take: some history must stay. */
const CEILING_PART = 0.75;

function select(request: ChooseRequest, step: Step): Selection {
  if (step.memory.selection !== undefined) return step.memory.selection;
  const room = Math.max(0, request.window - request.instructions - request.reply);
  const ceiling = Math.floor(room * CEILING_PART);
  const direct = step.entries
    .filter((entry) => entry.exposure === 'direct')
    .sort((a, b) => byCodeUnit(a.name, b.name));
  return selectDirect(
    direct,
    {
      ask: request.ask,
      ranker: request.ranker,
      pinned: new Set(request.pinned),
      recent: new Set(request.recent),
    },
    { share: step.shares.direct, ceiling, max: step.max, cost: step.cost },
  );
}

function deferForTurn(entries: readonly ToolEntry[], selection: Selection): ToolEntry[] {
  const reasons = new Map(selection.deferred.map(({ entry, why }) => [entry.key, why]));
  return entries.map((entry) => {
    const reason = reasons.get(entry.key);
    if (reason === undefined) return entry;
    return {
      ...entry,
      exposure: 'deferred',
      by: 'budget',
      reason: `${reason}; deferred for this turn`,
    };
  });
}

function bridgeOf(registry: ToolRegistry, step: Step): Bridge {
  const listed = registry
    .deferred()
    .map((entry) => ({ name: entry.name, description: entry.tool.description }));
  return bridgeTool(listed, step.policy);
}

function offer(
  request: ChooseRequest,
  step: Step,
  selected: readonly Selected[],
  live: LivePromotions,
  bridge: Bridge | undefined,
): Offered[] {
  const direct = [...selected].sort(
    request.order === 'relevance-last'
      ? leastRelevantFirst
      : (a, b) => byCodeUnit(a.entry.name, b.entry.name),
  );
  const promoted = live.entries.map((entry): Selected => ({ entry, why: 'promoted' }));
  const offered = [...direct, ...promoted].map(({ entry, why, score }): Offered => {
    const tool = step.present(entry);
    const cost = toolCost(tool, step.listing, step.count);
    const base = { name: entry.name, key: entry.key, why, ...cost, tool };
    return score === undefined ? base : { ...base, score };
  });
  if (bridge !== undefined) {
    const cost = toolCost(bridge.tool, step.listing, step.count);
    offered.push({
      name: BRIDGE_NAME,
      key: BRIDGE_NAME,
      why: 'bridge',
      ...cost,
      tool: bridge.tool,
    });
  }
  return offered;
}

function leastRelevantFirst(a: Selected, b: Selected): number {
  const score = (selected: Selected): number =>
    selected.score ?? (selected.why === 'recent' ? Number.MAX_VALUE : 0);
  return score(a) - score(b) || byCodeUnit(a.entry.name, b.entry.name);
}

function leftOut(entries: readonly ToolEntry[], live: LivePromotions): Choice['left'] {
  const shown = new Set(live.entries.map((entry) => entry.key));
  return entries
    .filter((entry) => entry.exposure !== 'direct' && !shown.has(entry.key))
    .map(({ name, key, reason }) => ({ name, key, why: reason }));
}

function budgetOf(request: ChooseRequest, step: Step, offered: readonly Offered[]): Budget {
  const sum = (whys: readonly OfferedWhy[]): number =>
    offered
      .filter(({ why }) => whys.includes(why))
      .reduce((total, { tokens }) => total + tokens, 0);
  return {
    window: request.window,
    instructions: request.instructions,
    direct: sum(['direct', 'ranked', 'recent', 'pinned', 'built-in']),
    promoted: sum(['promoted']),
    manifest: sum(['bridge']),
    history: request.history,
    reply: request.reply,
    schemaBytes: wireBytes(offered.map(({ tool }) => tool)),
    allToolsTokens:
      step.memory.allToolsTokens ?? allToolsTokens(step.entries, step.listing, step.count),
  };
}
