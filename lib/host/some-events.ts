import { pathTo } from '../agent/branches';
import type { AgentEvent } from '../agent/events';
import { foldTranscript } from '../agent/transcript';
import { say } from '../said/say';

/** What happened on the way to the turn, itself included: other versions of the conversation are left out. */
export function eventsTo(events: readonly AgentEvent[], turnId: string): AgentEvent[] {
  const kept = new Set(pathTo(foldTranscript(events), turnId).map((turn) => turn.turnId));
  return events.filter((event) => kept.has(event.turnId));
}

/** An end for each turn that has none, in a log that nobody will go on with. */
export function missingEnds(
  events: readonly AgentEvent[],
  newId: () => string,
  now: () => number,
): AgentEvent[] {
  const end = say('log-ends');
  const ended = new Set(events.flatMap((e) => (e.type === 'turn-ended' ? [e.turnId] : [])));
  const open = new Map(events.flatMap((e) => (ended.has(e.turnId) ? [] : [[e.turnId, e]])));
  return [...open.values()].map(({ turnId, conversationId }) => ({
    type: 'turn-ended',
    id: newId(),
    at: now(),
    conversationId,
    turnId,
    reason: 'interrupted',
    message: end.text,
    said: end.said,
    remedies: ['retry'],
    steps: 0,
  }));
}

/** Chrome hands over at most 64 MiB at once; a character may take four bytes, or be escaped. */
const MAX_CHARACTERS = 12_000_000;
/** What is left of a result that has to be cut. */
const MAX_CUT = 2_000;

/**
 * The events as a view gets them at once: where their results are too large together, the oldest are
 * cut. What is stored and exported stays whole.
 */
export function withinMessage(events: AgentEvent[], limit = MAX_CHARACTERS): AgentEvent[] {
  let room = limit;
  const kept: AgentEvent[] = [];
  for (const event of events.toReversed()) {
    room -= sizeOf(event);
    kept.push(room >= 0 ? event : cut(event));
  }
  return kept.reverse();
}

function sizeOf(event: AgentEvent): number {
  if (event.type === 'call-finished') return event.result?.length ?? 0;
  if (event.type === 'model-replied') return event.raw.length;
  return event.type === 'prompt-sent' && event.system !== undefined
    ? JSON.stringify([event.system, event.messages]).length
    : 0;
}

const CUT = '… (cut here; export the conversation to read all of it)';

function cut(event: AgentEvent): AgentEvent {
  const short = (text: string) => (text.length > MAX_CUT ? text.slice(0, MAX_CUT) + CUT : text);
  if (event.type === 'call-finished' && event.result !== null) {
    return { ...event, result: short(event.result) };
  }
  if (event.type === 'model-replied') return { ...event, raw: short(event.raw) };
  if (event.type !== 'prompt-sent' || event.system === undefined) return event;
  return { ...event, system: short(event.system), messages: CUT };
}
