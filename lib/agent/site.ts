import { siteOf } from '../tools/origin';
import { fence } from '../tools/text/untrusted';
import type { PageTool } from '../tools/tool';
import type { ChatMessage } from './engine';
import type { History } from './options';
import type { DoneCall, Turn } from './turn';

const NOTHING: History = { brief: '', exchanges: [] };

/**
 * Takes note of the site the page is on by now. What was said before, in this conversation and in this
 * turn, is of the site it was said on: where the page moved to another one, no prompt repeats it. What
 * was read of it stays among the sources, so that a value of it which turns up all the same is told.
 */
export function enterSite(turn: Turn, url: string): void {
  const site = siteOf(url);
  if (turn.site === site) return;
  const isFirst = turn.site === undefined;
  const { history } = turn.options;
  turn.site = site;
  if (!isFirst || (history.site !== undefined && history.site !== site)) {
    turn.history = { ...NOTHING, recentTools: history.recentTools, promotions: history.promotions };
    return;
  }
  for (const exchange of history.exchanges) {
    turn.sources.add(exchange.answer, 'seen', site);
    for (const { origin, shown } of exchange.calls ?? []) {
      turn.sources.add(shown, 'seen', origin === undefined || origin === 'null' ? site : origin);
    }
  }
}

/** Whose words a tool's arguments go to and its results come from. */
export function siteOfTool(turn: Turn, tool: PageTool): string {
  if (tool.frameId === 0) return turn.site ?? tool.origin;
  // Frames without an origin are nobody in particular: each is its own.
  return tool.origin === 'null' ? `null ${tool.documentId}` : tool.origin;
}

/**
 * What the turn has done so far, for a prompt that begins anew on another site: calls of that site with
 * what they gave, of other sites only that they were made.
 */
export function doneMessages(turn: Turn): ChatMessage[] {
  return turn.done.flatMap((call, at): ChatMessage[] => {
    const isHere = call.site === turn.site;
    const made = {
      callId: `done${at}`,
      name: call.name,
      arguments: isHere ? call.arguments : {},
    };
    const content = isHere ? fence(call.shown, turn.marker) : doneElsewhere(call);
    return [
      { role: 'assistant', content: turn.dialect.calls([made], []), calls: [made] },
      { role: 'tool', callId: made.callId, name: made.name, content },
    ];
  });
}

const ENDS: Record<DoneCall['status'], string> = {
  done: 'Done',
  failed: 'It failed',
  denied: 'The user said no',
};
const doneElsewhere = ({ status, site = '' }: DoneCall) =>
  `${ENDS[status]} on ${site}. What it answered stays there.`;
