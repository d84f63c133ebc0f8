import { isConsequential, isReadOnly } from '../agent/approval';
import type { EventBody } from '../agent/events';
import type { CallOutcome } from '../agent/ports';
import { readResult } from '../agent/results';
import { saidIn, wordsOfError } from '../said/said';
import { say } from '../said/say';
import type { JsonObject, PageTool } from '../tools/tool';

/** One call that the user makes themselves, in a form. */
export interface HandCall {
  tool: PageTool;
  arguments: JsonObject;
  callId: string;
  now: () => number;
  /** Runs it once. */
  run: () => Promise<CallOutcome>;
}

type Finished = Omit<Extract<EventBody, { type: 'call-finished' }>, 'type' | 'callId' | 'ms'>;

/**
 * Runs the call and tells it like any other: what was proposed, that it started, how it ended. Rejects
 * with what `run` rejects with, which is told as a call that may have run.
 */
export async function runTold(
  call: HandCall,
  emit: (body: EventBody) => void,
): Promise<CallOutcome> {
  const { tool, callId } = call;
  const { key, name, title, origin } = tool;
  emit({
    type: 'call-proposed',
    step: 1,
    callId,
    tool: { key, name, ...(title ? { title } : {}), origin },
    arguments: call.arguments,
    deferred: false,
    readOnly: isReadOnly(tool),
    consequential: isConsequential(tool),
    fixes: [],
    unsourced: [],
    unchecked: [],
  });
  emit({ type: 'call-started', callId });
  const start = call.now();
  const finish = (end: Finished) =>
    emit({
      type: 'call-finished',
      callId,
      ms: Math.max(0, Math.round(call.now() - start)),
      ...end,
    });
  try {
    const outcome = await call.run();
    finish(endOf(outcome, isReadOnly(tool)));
    return outcome;
  } catch (error) {
    const { text, ...words } = wordsOfError(error);
    finish({ ...NOTHING, error: text, ...saidIn(words), mayHaveRun: !isReadOnly(tool) });
    throw error;
  }
}

/** `shown` is what a model read of it: none was there. */
const NOTHING = { ok: false, result: null, shown: '', mayHaveRun: false };

function endOf(outcome: CallOutcome, readOnly: boolean): Finished {
  switch (outcome.kind) {
    case 'result': {
      const { error } = readResult(outcome.value);
      const { navigatedTo } = outcome;
      return {
        ...NOTHING,
        ok: error === undefined,
        result: outcome.value,
        ...(error === undefined ? {} : { error }),
        ...(navigatedTo === undefined ? {} : { navigatedTo }),
      };
    }
    case 'error':
      return {
        ...NOTHING,
        error: outcome.message,
        ...saidIn(outcome),
        mayHaveRun: outcome.mayHaveRun && !readOnly,
        ...(outcome.navigatedTo === undefined ? {} : { navigatedTo: outcome.navigatedTo }),
      };
    case 'changed': {
      const { text, said } = say('call-changed');
      return { ...NOTHING, error: text, said };
    }
  }
}
