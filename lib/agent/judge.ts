import { type SaidValue, saidIn, type Words } from '../said/said';
import { names, say, sentences } from '../said/say';
import type { Remedy } from './events';
import type { DoneCall, Turn, TurnEnd } from './turn';

/** Calls in a row that may fail, and replies in a row that may hold nothing but mistakes. */
const MAX_IN_ROW = 2;

/** What was done so far, and what may have been, for an end the user did not expect. */
export const doneSoFar = (turn: Turn): SaidValue => toldOf(turn.done);

/** The same for any list of calls. */
export function toldOf(
  calls: readonly Pick<DoneCall, 'name' | 'status' | 'mayHaveRun' | 'readOnly'>[],
): SaidValue {
  const done = calls.filter((call) => call.status === 'done');
  const doubtful = calls.filter(isDoubtful);
  const told = [
    ...(done.length === 0 ? [] : [say('done-so-far', counted(done))]),
    ...(doubtful.length === 0 ? [] : [say('done-doubtful', counted(doubtful))]),
  ];
  return sentences(told.length === 0 ? [say('done-nothing')] : told);
}

/** A change that was asked of the page and never answered for. */
const isDoubtful = (call: Pick<DoneCall, 'status' | 'mayHaveRun' | 'readOnly'>) =>
  call.status !== 'done' && call.mayHaveRun && !call.readOnly;

function counted(calls: { name: string }[]): SaidValue {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names([...counts].map(([name, n]) => (n === 1 ? name : say('done-times', name, n))));
}

const endOf = (reason: TurnEnd['reason'], words: Words, remedies: Remedy[]): TurnEnd => ({
  reason,
  message: words.text,
  ...saidIn(words),
  remedies,
});

/** Whether the same call was made before and nothing has happened since that could change its result. */
export function isRepeated(turn: Turn, signature: string, readOnly: boolean): boolean {
  const at = turn.done.findLastIndex(
    (call) => call.signature === signature && (call.status === 'done' || call.mayHaveRun),
  );
  if (at < 0) return false;
  return !readOnly || !turn.done.slice(at + 1).some((call) => !call.readOnly);
}

/** Tells a repeated call; the second time ends the turn. */
export function judgeRepeat(turn: Turn): TurnEnd | undefined {
  turn.repeats++;
  if (turn.repeats < 2) return undefined;
  return endOf('repeated-call', say('end-repeated', doneSoFar(turn)), ['continue', 'bigger-model']);
}

/** Tells a failed call; two in a row, or one error a second time, end the turn. */
export function judgeToolError(turn: Turn, name: string, error: Words): TurnEnd | undefined {
  const seen = `${name} ${error.text}`;
  const twice = turn.errorsSeen.has(seen);
  turn.errorsSeen.add(seen);
  turn.toolErrors++;
  if (!twice && turn.toolErrors < MAX_IN_ROW) return undefined;
  const words = say('end-tool-failed', name, sentences([error]), doneSoFar(turn));
  return endOf('tool-errors', words, ['retry', 'fill-form']);
}

/** Tells a reply that held nothing but mistakes; true when it was the second in a row. */
export function isSecondMistake(turn: Turn): boolean {
  turn.modelErrors++;
  return turn.modelErrors >= MAX_IN_ROW;
}

export function mistakesEnd(turn: Turn, kind: 'tool' | 'arguments', why: Words): TurnEnd {
  const words = say('end-mistakes', sentences([why]), doneSoFar(turn));
  const first = kind === 'tool' ? 'choose-tool' : 'fill-form';
  return endOf('model-errors', words, [first, 'bigger-model']);
}

export function emptyEnd(turn: Turn): TurnEnd {
  return endOf('empty-answer', say('end-empty', doneSoFar(turn)), ['retry', 'bigger-model']);
}

export function stepLimitEnd(turn: Turn): TurnEnd {
  const words = say('end-step-limit', turn.limits.maxSteps, doneSoFar(turn));
  return endOf('step-limit', words, ['continue', 'bigger-model']);
}

export function deniedEnd(turn: Turn, name: string): TurnEnd {
  const some = turn.done.some((call) => call.status === 'done' || isDoubtful(call));
  const words = some ? say('end-denied-done', name, doneSoFar(turn)) : say('end-denied', name);
  return endOf('denied', words, []);
}

export function stoppedEnd(turn: Turn): TurnEnd {
  return endOf('stopped', say('end-stopped', doneSoFar(turn)), ['continue']);
}
