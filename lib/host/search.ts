import type { AgentEvent } from '../agent/events';
import type { Database, StoredConversation } from './database';

/** Characters of read conversations that are kept for the next key the user presses. */
const MAX_KEPT = 20_000_000;

/**
 * Finds conversations by title, site and what was said in them; newest first. A log is read once, and
 * again only after another turn: the search is asked anew at every key. Rejects with the signal's reason.
 */
export function createSearch(
  database: Pick<Database, 'events' | 'conversations'>,
): (text: string | undefined, signal: AbortSignal) => Promise<StoredConversation[]> {
  const kept = new Map<string, { updatedAt: number; words: string }>();
  let size = 0;

  async function wordsOf(info: StoredConversation): Promise<string> {
    const known = kept.get(info.id);
    if (known?.updatedAt === info.updatedAt) return known.words;
    const words = saidIn(await database.events(info.id));
    // More may be said at any moment.
    if (info.runningTurn !== undefined) return words;
    size += words.length - (known?.words.length ?? 0);
    if (size > MAX_KEPT) {
      kept.clear();
      size = words.length;
    }
    kept.set(info.id, { updatedAt: info.updatedAt, words });
    return words;
  }

  return async (text, signal) => {
    const all = await database.conversations();
    const wanted = text?.trim().toLowerCase() ?? '';
    if (wanted === '') return all;
    const found: StoredConversation[] = [];
    for (const info of all) {
      signal.throwIfAborted();
      const isFound =
        `${info.title} ${info.origin}`.toLowerCase().includes(wanted) ||
        (await wordsOf(info)).includes(wanted);
      if (isFound) found.push(info);
    }
    return found;
  };
}

/** What was asked and answered, in lower case; streamed pieces joined, for words that lie across them. */
function saidIn(events: readonly AgentEvent[]): string {
  const said: string[] = [];
  for (const event of events) {
    if (event.type === 'text') said.push(event.text);
    else if (event.type === 'turn-started') said.push(`\n${event.ask}\n`);
    else if (event.type === 'turn-ended') said.push(`\n${event.message}\n`);
    else said.push('\n');
  }
  return said.join('').toLowerCase();
}
