import type { AgentEvent } from '../agent/events';
import type { Exchange, History } from '../agent/options';
import { foldTranscript, type TranscriptTurn } from '../agent/transcript';

/** Exchanges handed on to the loop; it repeats as many of them as fit its budget. */
const EXCHANGES = 8;
const RECENT_TOOLS = 8;

/** What the loop is told of the turns before. A turn that has not ended yet is not among them. */
export function historyOf(events: readonly AgentEvent[]): History {
  const turns = foldTranscript(events).filter((turn) => turn.end !== undefined);
  const brief = events.findLast((event) => event.type === 'brief-updated');
  const exchanges = turns
    .map((turn): Exchange => ({ ask: turn.ask, answer: answerOf(turn) }))
    .filter((exchange) => exchange.answer !== '');
  const used = turns.flatMap((turn) =>
    turn.items.flatMap((item) =>
      item.kind === 'call' && item.call.state === 'done' ? [item.call.name] : [],
    ),
  );
  return {
    brief: brief?.brief ?? '',
    exchanges: exchanges.slice(-EXCHANGES),
    recentTools: [...new Set(used.reverse())].slice(0, RECENT_TOOLS),
  };
}

/** What the user read last: the prose of the last step that said something, and the closing words. */
function answerOf(turn: TranscriptTurn): string {
  const prose = turn.items.filter((item) => item.kind === 'prose');
  const last = prose.at(-1)?.step;
  const said = prose.filter((item) => item.step === last).map((item) => item.text);
  return [...said, turn.end?.message ?? '']
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n');
}
