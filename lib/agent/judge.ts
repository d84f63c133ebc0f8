import type { DoneCall, Turn, TurnEnd } from './turn';

/** Calls in a row that may fail, and replies in a row that may hold nothing but mistakes. */
const MAX_IN_ROW = 2;

/** What was done so far, and what may have been, for an end the user did not expect. */
export function doneSoFar(turn: Turn): string {
  const done = turn.done.filter((call) => call.status === 'done');
  const doubtful = turn.done.filter(isDoubtful);
  const known = done.length === 0 ? '' : `Done so far: ${counted(done)}.`;
  const doubt =
    doubtful.length === 0 ? '' : `May have run without answering: ${counted(doubtful)}.`;
  return `${known} ${doubt}`.trim() || 'Nothing was done yet.';
}

/** A change that was asked of the page and never answered for. */
const isDoubtful = (call: DoneCall) => call.status !== 'done' && call.mayHaveRun && !call.readOnly;

function counted(calls: { name: string }[]): string {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n === 1 ? name : `${name} (${n} times)`)).join(', ');
}

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
  return {
    reason: 'repeated-call',
    message: `The model asked for the same call again and again, so I stopped. ${doneSoFar(turn)}`,
    remedies: ['continue', 'bigger-model'],
  };
}

/** Tells a failed call; two in a row, or one error a second time, end the turn. */
export function judgeToolError(turn: Turn, name: string, error: string): TurnEnd | undefined {
  const seen = `${name} ${error}`;
  const twice = turn.errorsSeen.has(seen);
  turn.errorsSeen.add(seen);
  turn.toolErrors++;
  if (!twice && turn.toolErrors < MAX_IN_ROW) return undefined;
  return {
    reason: 'tool-errors',
    message: `“${name}” failed: ${error} ${doneSoFar(turn)}`,
    remedies: ['retry', 'fill-form'],
  };
}

/** Tells a reply that held nothing but mistakes; true when it was the second in a row. */
export function isSecondMistake(turn: Turn): boolean {
  turn.modelErrors++;
  return turn.modelErrors >= MAX_IN_ROW;
}

export function mistakesEnd(turn: Turn, kind: 'tool' | 'arguments', message: string): TurnEnd {
  return {
    reason: 'model-errors',
    message: `The model could not make a proper call: ${message} ${doneSoFar(turn)}`,
    remedies: kind === 'tool' ? ['choose-tool', 'bigger-model'] : ['fill-form', 'bigger-model'],
  };
}

export function emptyEnd(turn: Turn): TurnEnd {
  return {
    reason: 'empty-answer',
    message: `The model gave no answer. ${doneSoFar(turn)}`,
    remedies: ['retry', 'bigger-model'],
  };
}

export function stepLimitEnd(turn: Turn): TurnEnd {
  return {
    reason: 'step-limit',
    message: `I stopped after ${turn.limits.maxSteps} steps without a final answer. ${doneSoFar(turn)}`,
    remedies: ['continue', 'bigger-model'],
  };
}

export function deniedEnd(turn: Turn, name: string): TurnEnd {
  const some = turn.done.some((call) => call.status === 'done' || isDoubtful(call));
  const done = some ? ` ${doneSoFar(turn)}` : '';
  return { reason: 'denied', message: `“${name}” was not run.${done}`, remedies: [] };
}

export function stoppedEnd(turn: Turn): TurnEnd {
  return { reason: 'stopped', message: `Stopped. ${doneSoFar(turn)}`, remedies: ['continue'] };
}
