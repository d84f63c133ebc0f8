import { saidIn, wordsOfError } from '../said/said';
import { say, sentences } from '../said/say';
import { updateBrief } from './brief';
import { EngineError, type EngineErrorKind } from './engine';
import type { Remedy } from './events';
import { doneSoFar, stoppedEnd } from './judge';
import type { AgentOptions } from './options';
import { UnreachableError } from './reach-page';
import { runSteps } from './steps';
import { startTurn, type Turn, type TurnEnd } from './turn';

/**
 * Runs one turn from the user's request to its end: collects the page's tools afresh before every
 * step, shows the model a few of them, reads its calls, checks them, asks the user where it must, and
 * runs each at most once. Everything that happens is told through `emit`, ending with exactly one
 * `turn-ended`; it never rejects, and starts nothing once `signal` has aborted.
 */
export async function runLocalAgent(options: AgentOptions): Promise<void> {
  const turn = startTurn(options);
  let end: TurnEnd;
  try {
    end = await runSteps(turn);
  } catch (error) {
    end = endOfError(turn, error);
  }
  const brief = updateBrief(turn.history.brief, { ask: options.ask, done: turn.done });
  options.keepPromotions?.(turn.promotions);
  if (brief !== options.history.brief) turn.emit({ type: 'brief-updated', brief });
  turn.emit({ type: 'turn-ended', ...end, steps: turn.step });
}

function endOfError(turn: Turn, error: unknown): TurnEnd {
  const why: unknown = turn.signal.aborted ? turn.signal.reason : error;
  if (why instanceof UnreachableError) {
    const cause = wordsOfError(why);
    const words =
      turn.done.length === 0 ? cause : say('end-with-done', sentences([cause]), doneSoFar(turn));
    return { reason: why.reason, message: words.text, ...saidIn(words), remedies: why.remedies };
  }
  if (turn.signal.aborted) return stoppedEnd(turn);
  const failure =
    error instanceof EngineError
      ? error
      : new EngineError('failed', say('went-wrong', sentences([wordsOfError(error)])), {
          cause: error,
        });
  const remedies = REMEDIES[failure.kind];
  turn.emit({
    type: 'engine-failed',
    engine: turn.options.engine.id,
    kind: failure.kind,
    message: failure.message,
    ...saidIn(failure),
    remedies,
  });
  return { reason: 'engine-failed', message: failure.message, ...saidIn(failure), remedies };
}

/** What the user can do about an engine that failed. */
export const REMEDIES: Readonly<Record<EngineErrorKind, Remedy[]>> = {
  unavailable: ['other-engine'],
  'not-loaded': ['retry', 'other-engine'],
  'needs-click': ['retry', 'other-engine'],
  download: ['retry', 'other-engine'],
  storage: ['retry', 'other-engine'],
  corrupt: ['retry', 'other-engine'],
  memory: ['other-engine'],
  'device-lost': ['retry', 'other-engine'],
  window: ['retry', 'bigger-model'],
  failed: ['retry', 'other-engine'],
};
