import { saidIn, type Words } from '../said/said';
import { about, say } from '../said/say';
import { BRIDGE_NAME } from '../tools/discovery/bridge';
import { asJsonObject, canonical } from './arguments/json';
import { problemOf } from './events';
import { isRepeated } from './judge';
import { saidRepair } from './mended';
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
  // What is searched for is the user's wish in other words: kept under capture only.
  const logged = turn.options.settings.capture ? args : {};
  if (isRepeated(turn, signature, true)) {
    const message = about(
      'You have already searched for this; the tools it found are in your list.',
      say('search-repeated'),
    );
    turn.emit({
      type: 'call-invalid',
      callId,
      name: BRIDGE_NAME,
      arguments: logged,
      problems: [problemOf('', message)],
      message: message.text,
      ...saidIn(message),
    });
    return { ok: false, text: message.text };
  }
  turn.emit({
    type: 'call-proposed',
    step: turn.step,
    callId,
    tool: { key: `pagehand/${BRIDGE_NAME}`, name: BRIDGE_NAME, origin: 'pagehand' },
    arguments: logged,
    deferred: false,
    readOnly: true,
    consequential: false,
    fixes: wish.repairs.map(saidRepair),
    unsourced: [],
    unchecked: [],
  });
  turn.signal.throwIfAborted();
  turn.emit({ type: 'call-started', callId });
  const start = turn.now();
  const finished = (ok: boolean, words: Words) =>
    turn.emit({
      type: 'call-finished',
      callId,
      ok,
      result: ok ? words.text : null,
      shown: words.text,
      ...(ok ? {} : { error: words.text, ...saidIn(words) }),
      ms: Math.max(0, Math.round(turn.now() - start)),
      mayHaveRun: false,
    });
  try {
    const found = await searchStep(turn, tools, { callId, arguments: args });
    finished(found.ok, found.ok ? found : about(found.text, say('search-needs-query')));
    turn.done.push({
      site: turn.site,
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
    finished(false, say('call-stopped'));
    throw error;
  }
}
