import { type CountTokens, estimateTokens, type ToolShares, toolShares } from '../budget';
import { type DiscoveryPolicy, discoveryPolicy } from '../discovery/policy';
import { type ModelNames, modelNames } from '../names';
import { type Listing, renderTool } from '../render/listing';
import { listingFor } from '../render/report';
import type { CompactTool } from '../tool';
import type { ToolEntry } from './entry';
import { type Memory, recall } from './memory';
import { presentationFor, presentEntry } from './presentation';
import type { ChooseRequest } from './request';
import { exposeTools } from './rules';

/** What a step works with once its request is read. */
export interface Step {
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

/** The document's default for small models. */
const MAX_DIRECT = 8;

export function stepOf(request: ChooseRequest): Step {
  const listing = request.listing ?? request.presentation?.listing ?? listingFor(request.window);
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
      ? {
          ...entry,
          exposure: 'direct',
          by: 'user',
          reason: 'chosen for this request',
          said: undefined,
        }
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
