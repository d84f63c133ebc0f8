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
  const value = result.shown ?? result.value;
  if (isContent) return renderWithinTokens(value, context);
  return renderResult(value, { limit: turn.limits.resultCharacters });
}

/** More characters than this a token has in no script. */
const MAX_TOKEN = 8;

/** As much of the value as its tokens allow, whatever script it is in. */
function renderWithinTokens(value: unknown, context: ToolContext): string {
  const { outputTokens, countTokens } = context;
  let fits = 0;
  let tooLong = outputTokens * MAX_TOKEN + 1;
  let text = '';
  while (fits + 1 < tooLong) {
    // The longest first: most results fit as they are.
    const limit = fits === 0 && text === '' ? tooLong - 1 : Math.floor((fits + tooLong) / 2);
    const tried = renderResult(value, { limit });
    if (countTokens(tried) <= outputTokens) {
      text = tried;
      if (limit === tooLong - 1) break;
      fits = limit;
    } else tooLong = limit;
  }
  return text;
}
