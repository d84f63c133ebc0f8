import { saidIn, wordsOfError } from '../said/said';
import { fence } from '../tools/text/untrusted';
import { asJson } from './arguments/json';
import { type CallEnd, cutShort, doneOf, finish } from './call-end';
import { type OwnResult, runOwnTool, type ToolContext } from './own-tools';
import type { ReadyCall } from './prepare-call';
import { cutError, renderResult } from './results';
import { untilAborted } from './stop';
import type { Turn } from './turn';

/** Runs a tool of Pagehand's own; what it throws is the call's result. */
export async function runOwn(
  turn: Turn,
  call: ReadyCall,
  name: string,
  context: ToolContext,
  start: number,
): Promise<CallEnd> {
  if (call.offered.kind !== 'own') throw new Error('not a tool of Pagehand');
  const { tool } = call.offered;
  let result: OwnResult;
  try {
    result = await untilAborted(runOwnTool(tool, call.input, context), turn.signal);
  } catch (error) {
    if (turn.signal.aborted) {
      cutShort(turn, call, start, tool.writes === true);
      throw turn.signal.reason;
    }
    const thrown = wordsOfError(error);
    const words = cutError(thrown.text);
    finish(turn, call, start, {
      ok: false,
      error: { text: words, ...saidIn(thrown) },
      shown: `Error: ${words}`,
      mayHaveRun: false,
    });
    turn.done.push(
      doneOf(turn, call, { status: 'failed', shown: words, value: null, error: words }),
    );
    return {
      kind: 'ran',
      ok: false,
      told: `Error: ${words}`,
      error: { text: words, ...saidIn(thrown) },
    };
  }
  const { value } = result;
  const shown = shownOf(turn, call, result, context);
  const full = typeof value === 'string' ? value : JSON.stringify(asJson(value) ?? null);
  // What the user answered is theirs; what was read of the page is the page's.
  if (tool.untrusted) turn.sources.add(full, 'seen', turn.site);
  else turn.sources.add(full, 'spoken');
  finish(turn, call, start, { ok: true, result: full, shown, mayHaveRun: false });
  turn.done.push(doneOf(turn, call, { status: 'done', shown, value }));
  if (name === 'ask_user' && value === null) return { kind: 'dismissed' };
  return { kind: 'ran', ok: true, told: tool.untrusted ? fence(shown, turn.marker) : shown };
}

/** A result's text within its limit: characters for lines, tokens for literal content. */
function shownOf(turn: Turn, call: ReadyCall, result: OwnResult, context: ToolContext): string {
  const isContent = call.offered.kind === 'own' && call.offered.tool.outputMode === 'content';
  const limit = isContent ? context.outputTokens * 8 : turn.limits.resultCharacters;
  if (result.shown === undefined) return renderResult(result.value, { limit });
  return renderResult(result.shown, { limit });
}
