import { MANIFEST_TOKENS } from '../budget';

/** Whether and how deferred tools can be discovered. */
export interface DiscoveryPolicy {
  /** Off: no `tool_search`; deferred tools still run when called by name. */
  enabled: boolean;
  /** Most tokens of the manifest in `tool_search`'s description. */
  manifestTokenBudget: number;
  /** Matches a search returns unless it asks for another number. */
  defaultLimit: number;
  maxLimit: number;
}

/** Every search answers with at least one and at most this many tools. */
const HIGHEST_LIMIT = 100;

/** A policy with sound numbers: limits of at least 1, the default within the maximum. */
export function discoveryPolicy(given: Partial<DiscoveryPolicy> = {}): DiscoveryPolicy {
  const maxLimit = whole(given.maxLimit, 20, 1, HIGHEST_LIMIT);
  return {
    enabled: given.enabled ?? true,
    manifestTokenBudget: whole(given.manifestTokenBudget, MANIFEST_TOKENS, 0, MANIFEST_TOKENS),
    defaultLimit: whole(given.defaultLimit, Math.min(5, maxLimit), 1, maxLimit),
    maxLimit,
  };
}

function whole(value: number | undefined, fallback: number, min: number, max: number): number {
  if (value === undefined || Number.isNaN(value)) return fallback;
  return Math.min(max, Math.max(min, Math.floor(value)));
}
