import type { CallCard, TranscriptTurn } from '../../lib/agent/transcript';
import { formatList, formatNumber } from '../text';
import { toolTitle } from '../tool-title';

/** A call that changed something, or may have: it stays done whatever becomes of its turn. */
const isDeed = (call: CallCard): boolean =>
  !call.readOnly &&
  call.tool !== undefined &&
  call.tool.origin !== 'pagehand' &&
  (call.state === 'done' || (call.state === 'failed' && call.mayHaveRun));

/** What the turns did, in words: "Add to cart (3) and Place the order". Empty where they did nothing. */
export function deedsOf(turns: readonly TranscriptTurn[]): string {
  const counts = new Map<string, number>();
  for (const { items } of turns) {
    for (const item of items) {
      if (item.kind !== 'call' || !isDeed(item.call)) continue;
      const title = toolTitle(item.call.tool ?? item.call);
      counts.set(title, (counts.get(title) ?? 0) + 1);
    }
  }
  return formatList(
    [...counts].map(([title, count]) =>
      count === 1 ? `\u2068${title}\u2069` : `\u2068${title}\u2069 (${formatNumber(count)})`,
    ),
  );
}
