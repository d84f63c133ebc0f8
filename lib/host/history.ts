import type { AgentEvent } from '../agent/events';
import { exchangeOf } from '../agent/history';
import type { History } from '../agent/options';
import { foldTranscript } from '../agent/transcript';

/** Exchanges handed on to the loop; it repeats as many of them as fit its budget. */
const EXCHANGES = 8;
const RECENT_TOOLS = 8;

/** What the loop is told of the turns before. A turn that has not ended yet is not among them. */
export function historyOf(events: readonly AgentEvent[]): History {
  const turns = foldTranscript(events).filter((turn) => turn.end !== undefined);
  const brief = events.findLast((event) => event.type === 'brief-updated');
  const exchanges = turns.map(exchangeOf).filter((exchange) => exchange.answer !== '');
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
