import { isObject } from '../schema/walk';
import type { CompactTool, JsonValue } from '../tool';
import { type Listed, type ManifestForm, manifestOf } from './manifest';
import type { DiscoveryPolicy } from './policy';

/** The one tool through which deferred tools are found. */
export const BRIDGE_NAME = 'tool_search';

export interface Bridge {
  tool: CompactTool;
  /** How much of the deferred tools its description tells. */
  manifest: ManifestForm;
}

/** `tool_search` as it is written to the model, with a manifest of the deferred tools (given sorted). */
export function bridgeTool(deferred: readonly Listed[], policy: DiscoveryPolicy): Bridge {
  const { text, form } = manifestOf(deferred, policy.manifestTokenBudget);
  const use = 'Find more tools by what you want to do, then call one by its own name.';
  return {
    manifest: form,
    tool: {
      name: BRIDGE_NAME,
      description: text === '' ? use : `${use} ${INTRODUCTION[form]}${text}`,
      parameters: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'What you want to do' },
          limit: { type: 'integer', minimum: 1, maximum: policy.maxLimit },
        },
        required: ['query'],
      },
    },
  };
}

const INTRODUCTION: Record<ManifestForm, string> = {
  sentences: 'There are:\n',
  names: 'There are: ',
  count: '',
  none: '',
};

export type SearchRequest =
  | { ok: true; query: string; limit: number }
  /** One sentence for the model. */
  | { ok: false; message: string };

/** Names under which models were seen to put the query, in the order they are tried. */
const QUERY_NAMES = ['query', 'q', 'text', 'description', 'name', 'skill', 'search'];
const MAX_QUERY = 1_000;

/** Reads a call of `tool_search`: the query under any of its usual names, the limit within its bounds. */
export function readSearch(args: JsonValue, policy: DiscoveryPolicy): SearchRequest {
  const given = isObject(args) ? args : { query: args };
  for (const name of QUERY_NAMES) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const query = typeof value === 'string' ? value.trim().slice(0, MAX_QUERY) : '';
    if (query !== '') return { ok: true, query, limit: readLimit(given['limit'], policy) };
  }
  return {
    ok: false,
    message: 'tool_search needs a "query": say in a few words what you want to do.',
  };
}

function readLimit(value: JsonValue | undefined, policy: DiscoveryPolicy): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return policy.defaultLimit;
  return Math.min(policy.maxLimit, Math.max(1, Math.floor(number)));
}
