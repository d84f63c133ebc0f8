import type { AgentOptions } from '../lib/agent/options';

/**
 * What a turn of `runLocalAgent` needs beside its engine, page, request and `emit`, for a first
 * conversation: no history, no facts, nothing remembered, the router's ranking, and a user who denies
 * every call that asks for approval and dismisses every question. Spread it first and put your own
 * over it, at the latest a `user` who may say yes.
 */
export function agentDefaults(): Pick<
  AgentOptions,
  'history' | 'settings' | 'facts' | 'approvals' | 'user' | 'signal'
> {
  return {
    history: { brief: '', exchanges: [] },
    settings: {
      ranking: 'router',
      capture: false,
      site: () => ({ defer: 'auto', tools: {} }),
    },
    facts: {},
    approvals: { remembered: new Set(), remember: () => {} },
    user: {
      approve: async () => ({ decision: 'deny', by: 'user', remember: false }),
      ask: async () => null,
    },
    signal: new AbortController().signal,
  };
}
