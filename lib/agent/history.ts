import { siteOf } from '../tools/origin';
import { asJsonObject } from './arguments/json';
import type { Exchange } from './options';
import type { TranscriptTurn } from './transcript';

/** Calls of one turn that a later prompt can repeat. */
const MAX_CALLS = 3;

/**
 * A turn as later prompts repeat it: what was asked, what the user read last, and the page's tools
 * that ran with what the model saw of their results, so that "the second one" means something.
 */
export function exchangeOf(turn: TranscriptTurn): Exchange {
  const calls = turn.items.flatMap((item) => {
    if (item.kind !== 'call' || item.call.state !== 'done') return [];
    const { name, tool, shown } = item.call;
    const args = asJsonObject(item.call.arguments);
    if (args === undefined || shown === undefined || tool?.origin === 'pagehand') return [];
    return [{ name, ...(tool ? { origin: tool.origin } : {}), arguments: args, shown }];
  });
  return { ask: turn.ask, answer: answerOf(turn), calls: calls.slice(-MAX_CALLS) };
}

/**
 * Where a turn left the conversation: the site it was asked on, or `undefined` where it went on to
 * another one, so that what it says belongs to neither alone.
 */
export function siteOfTurn(turn: TranscriptTurn): string | undefined {
  const site = siteOf(turn.url ?? '');
  const strayed = turn.items.some((item) => item.kind === 'navigated' && siteOf(item.url) !== site);
  return strayed ? undefined : site;
}

/** The site a turn begins on without anything that was said before it; `undefined` where it knows that. */
export function newSiteOf(
  turn: TranscriptTurn,
  before: TranscriptTurn | undefined,
): string | undefined {
  if (before === undefined || turn.url === undefined) return undefined;
  const site = siteOf(turn.url);
  return siteOfTurn(before) === site ? undefined : site;
}

/** The prose of the last step that said something, and the closing words. */
function answerOf(turn: TranscriptTurn): string {
  const prose = turn.items.filter((item) => item.kind === 'prose');
  const last = prose.at(-1)?.step;
  const said = prose.filter((item) => item.step === last).map((item) => item.text);
  return [said.join(''), turn.end?.message ?? '']
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n');
}
