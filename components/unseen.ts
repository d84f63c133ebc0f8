import type { AgentEvent } from '../lib/agent/events';

/** How far back a push may repeat what is shown already, as one that crossed its snapshot does. */
const LATEST = 500;

/** The pushed events that are not among the latest that are shown. */
export function unseen(shown: readonly AgentEvent[], pushed: readonly AgentEvent[]): AgentEvent[] {
  const known = new Set(shown.slice(-LATEST).map((event) => event.id));
  return pushed.filter((event) => !known.has(event.id));
}
