import { EngineError } from '../agent/engine';
import type { AgentEvent, EventBody } from '../agent/events';
import { toldOf } from '../agent/judge';
import type { Emit } from '../agent/ports';
import { UnreachableError } from '../agent/reach-page';
import { REMEDIES } from '../agent/run';
import { foldTranscript } from '../agent/transcript';
import { saidIn, type Words, wordsOfError } from '../said/said';
import { say, sentences } from '../said/say';
import type { Conversations } from './conversations';
import type { Database } from './database';
import type { Logs } from './logs';

export type TurnEnded = Extract<EventBody, { type: 'turn-ended' }>;

/** A turn that was stopped before the loop could end it; `why` is the reason of its signal. */
export function stoppedEnd(why: unknown, steps: number): TurnEnded {
  const end =
    why instanceof UnreachableError
      ? { reason: why.reason, message: why.message, ...saidIn(why), remedies: why.remedies }
      : { reason: 'stopped' as const, message: '', remedies: ['retry' as const] };
  return { type: 'turn-ended', ...end, steps };
}

/** A turn that the loop could not end itself: before it began, or through a fault of ours. */
export function failedEnd(error: unknown, engine: string, emit: Emit, steps: number): TurnEnded {
  const failure =
    error instanceof EngineError ? error : new EngineError('failed', wordsOfError(error));
  const remedies = REMEDIES[failure.kind];
  const { kind, message } = failure;
  emit({ type: 'engine-failed', engine, kind, message, ...saidIn(failure), remedies });
  return { type: 'turn-ended', reason: 'engine-failed', message: '', remedies, steps };
}

/** Ends, as interrupted, what a host before this one left running. */
export async function endInterrupted(
  database: Database,
  conversations: Conversations,
  logs: Logs,
): Promise<void> {
  for (const info of await database.conversations()) {
    if (info.runningTurn === undefined) continue;
    const events = await database.events(info.id);
    if (!events.some((e) => e.turnId === info.runningTurn && e.type === 'turn-ended')) {
      const log = logs.of(info.id, info.runningTurn);
      const { text: message, said } = interruptedWords(
        events.filter((event) => event.turnId === info.runningTurn),
      );
      log.emit({
        type: 'turn-ended',
        reason: 'interrupted',
        message,
        said,
        remedies: ['retry'],
        steps: 0,
      });
      await log.flush();
    }
    await conversations.turnInterrupted(info.id, info.runningTurn);
  }
}

/** That the browser ended, with what was done by then and what may have been: it is never run again unsaid. */
function interruptedWords(events: readonly AgentEvent[]): Words {
  const calls = foldTranscript(events).flatMap((turn) =>
    turn.items.flatMap((item) => (item.kind === 'call' ? [item.call] : [])),
  );
  const made = calls.map(({ name, state, readOnly, mayHaveRun }) => ({
    name,
    readOnly,
    status: state === 'done' ? ('done' as const) : ('failed' as const),
    // One that was begun, and of which nobody heard how it went.
    mayHaveRun: mayHaveRun || state === 'running',
  }));
  return say('end-with-done', sentences([say('end-interrupted')]), toldOf(made));
}
