import type { AgentEvent } from '../agent/events';
import { exchangeOf, siteOfTurn } from '../agent/history';
import type { History } from '../agent/options';
import { foldTranscript } from '../agent/transcript';

/** Exchanges handed on to the loop; it repeats as many of them as fit its budget. */
const EXCHANGES = 8;
const RECENT_TOOLS = 8;

/**
 * What the loop is told of the turns before: those since the conversation came to the site it is on now.
 * What another site said stays there. A turn that has not ended yet is not among them.
 */
export function historyOf(events: readonly AgentEvent[], site: string): History {
  const ended = foldTranscript(events).filter((turn) => turn.end !== undefined);
  const elsewhere = ended.findLastIndex((turn) => siteOfTurn(turn) !== site);
  const turns = ended.slice(elsewhere + 1);
  const here = new Set(turns.map((turn) => turn.turnId));
  const brief = events.findLast(
    (event) => event.type === 'brief-updated' && here.has(event.turnId),
  );
  const exchanges = turns.map(exchangeOf).filter((exchange) => exchange.answer !== '');
  const used = turns.flatMap((turn) =>
    turn.items.flatMap((item) =>
      item.kind === 'call' && item.call.state === 'done' ? [item.call.name] : [],
    ),
  );
  return {
    site,
    brief: brief?.type === 'brief-updated' ? brief.brief : '',
    exchanges: exchanges.slice(-EXCHANGES),
    recentTools: [...new Set(used.reverse())].slice(0, RECENT_TOOLS),
  };
}
