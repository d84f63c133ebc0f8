import type { Budget } from '../budget';
import { BRIDGE_NAME, type Bridge, bridgeTool } from '../discovery/bridge';
import type { DiscoveryPolicy } from '../discovery/policy';
import {
  type LivePromotions,
  livePromotions,
  NO_PROMOTIONS,
  type PromotionState,
} from '../discovery/promotion';
import type { ModelNames } from '../names';
import type { Listing } from '../render/listing';
import { byCodeUnit } from '../render/p-format';
import { toolCost, wireBytes } from '../render/report';
import type { CompactTool } from '../tool';
import { allToolsTokens } from './all-tools';
import { type CatalogChanges, catalogChanges } from './changes';
import type { ToolEntry } from './entry';
import type { Memory } from './memory';
import { createRegistry, type ToolRegistry } from './registry';
import type { ChooseRequest } from './request';
import { type OfferedWhy, type Selected, type Selection, selectDirect } from './select';
import { type Step, stepOf } from './step';

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

/**
 * Chooses what the model sees in one step: hidden tools out, direct and pinned ones in, the least
 * relevant deferred for this turn where the direct set is over its share, promoted ones after them,
 * `tool_search` last if anything is deferred. Deterministic; with `previous` given, the tools are
 * byte for byte those of the step before as long as the page, the settings and the promotions are.
 */
export function chooseTools(request: ChooseRequest): Choice {
  const step = stepOf(request);
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
    listing: step.listing,
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
      said: undefined,
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
  const score = (selected: Selected): number => selected.score ?? 0;
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
