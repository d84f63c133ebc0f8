import { BRIDGE_NAME } from '../tools/discovery/bridge';
import { asJsonObject, canonical } from './arguments/json';
import { isRepeated } from './judge';
import type { Wish } from './prepare-call';
import { type StepTools, searchStep } from './step-tools';
import type { Turn } from './turn';

/** Runs Pagehand's own `tool_search`, told like any other call. It never fails the turn. */
export async function runSearch(
  turn: Turn,
  tools: StepTools,
  wish: Wish,
): Promise<{ ok: boolean; text: string }> {
  const { callId } = wish;
  const args = asJsonObject(wish.arguments) ?? {};
  const signature = `${BRIDGE_NAME} ${canonical(args)}`;
  if (isRepeated(turn, signature, true)) {
    const message = 'You have already searched for this; the tools it found are in your list.';
    turn.emit({
      type: 'call-invalid',
      callId,
      name: BRIDGE_NAME,
      arguments: args,
      problems: [{ path: '', message }],
      message,
    });
    return { ok: false, text: message };
  }
  turn.emit({
    type: 'call-proposed',
    step: turn.step,
    callId,
    tool: { key: `pagehand/${BRIDGE_NAME}`, name: BRIDGE_NAME, origin: 'pagehand' },
    arguments: args,
    deferred: false,
    readOnly: true,
    consequential: false,
    fixes: [...wish.repairs],
    unsourced: [],
    unchecked: [],
  });
  turn.signal.throwIfAborted();
  turn.emit({ type: 'call-started', callId });
  const start = turn.now();
  const finished = (ok: boolean, text: string) =>
    turn.emit({
      type: 'call-finished',
      callId,
      ok,
      result: ok ? text : null,
      shown: text,
      ...(ok ? {} : { error: text }),
      ms: Math.max(0, Math.round(turn.now() - start)),
      mayHaveRun: false,
    });
  try {
    const found = await searchStep(turn, tools, { callId, arguments: args });
    finished(found.ok, found.text);
    turn.done.push({
      step: turn.step,
      name: BRIDGE_NAME,
      arguments: args,
      readOnly: true,
      status: found.ok ? 'done' : 'failed',
      shown: found.text,
      value: found.text,
      mayHaveRun: false,
      signature,
    });
    return found;
  } catch (error) {
    finished(false, 'Stopped before it answered.');
    throw error;
  }
}
