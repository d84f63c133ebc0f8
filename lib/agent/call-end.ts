import { saidIn, type Words } from '../said/said';
import { say } from '../said/say';
import type { ReadyCall } from './prepare-call';
import type { DoneCall, Turn } from './turn';

/** What became of a call, for the rest of the step. */
export type CallEnd =
  /** `told` is what the model reads of it, fenced where a page wrote it. */
  | { kind: 'ran'; ok: boolean; told: string; error?: Words }
  | { kind: 'denied' }
  /** The user dismissed a question of the model's. */
  | { kind: 'dismissed' };

/** A call for the turn's list of what was done. */
export function doneOf(
  turn: Turn,
  call: ReadyCall,
  rest: Pick<DoneCall, 'status' | 'shown' | 'value'> & Partial<DoneCall>,
): DoneCall {
  return {
    step: turn.step,
    name: call.offered.tool.name,
    arguments: call.arguments,
    readOnly: call.readOnly,
    mayHaveRun: false,
    signature: call.signature,
    site: turn.site,
    ...rest,
  };
}

/** The one end of a started call. */
export interface Finished {
  ok: boolean;
  result?: string | null;
  shown?: string;
  error?: Words;
  mayHaveRun: boolean;
  navigatedTo?: string;
}

/** Tells the end of a started call. */
export function finish(turn: Turn, call: ReadyCall, start: number, end: Finished): void {
  turn.emit({
    type: 'call-finished',
    callId: call.callId,
    ok: end.ok,
    result: end.result ?? null,
    shown: end.shown ?? '',
    ...(end.error === undefined ? {} : { error: end.error.text, ...saidIn(end.error) }),
    ms: Math.max(0, Math.round(turn.now() - start)),
    ...(end.navigatedTo === undefined ? {} : { navigatedTo: end.navigatedTo }),
    mayHaveRun: end.mayHaveRun,
  });
}

/** Tells that the user stopped the turn while the call was under way. */
export function cutShort(turn: Turn, call: ReadyCall, start: number, mayHaveRun: boolean): void {
  const error = say('call-stopped');
  const { text } = error;
  finish(turn, call, start, { ok: false, error, mayHaveRun });
  turn.done.push(
    doneOf(turn, call, { status: 'failed', shown: text, value: null, error: text, mayHaveRun }),
  );
}
