import type { AgentEvent } from '../agent/events';
import type { Words } from '../said/said';
import { say } from '../said/say';
import type { Database, Trouble } from './database';
import { createTurnLog, type TurnLog } from './log';

/** The logs of all conversations: what is stored, and what is shown but not stored yet. */
export interface Logs {
  of(conversationId: string, turnId: string): TurnLog;
  /**
   * What happened, in the order it happened, handed to `take` in the moment it is complete: whoever
   * begins to listen in `take` misses no event and hears none twice.
   */
  take<T>(conversationId: string, take: (events: AgentEvent[]) => T): Promise<T>;
  /** Lets go of what is not stored of a conversation that was deleted; of all without an id. */
  forget(conversationId?: string): void;
}

/** A conversation's events that are shown and not known to be stored. */
interface Unstored {
  events: Map<string, AgentEvent>;
  /** How many read the log: what is stored meanwhile may be missing from what they read. */
  readers: number;
  /** Stored while it was read. */
  stored: Set<string>;
}

export function createLogs(deps: {
  database: Database;
  newId: () => string;
  now: () => number;
  show: (conversationId: string, events: AgentEvent[]) => void;
}): Logs {
  const { database, newId, now } = deps;
  const unstored = new Map<string, Unstored>();
  /** Conversations whose user knows that they are not kept. */
  const warned = new Set<string>();

  const lateOf = (conversationId: string): Unstored => {
    const late = unstored.get(conversationId) ?? {
      events: new Map(),
      readers: 0,
      stored: new Set(),
    };
    unstored.set(conversationId, late);
    return late;
  };
  const settle = (late: Unstored) => {
    if (late.readers > 0) return;
    for (const id of late.stored) late.events.delete(id);
    late.stored.clear();
  };

  return {
    of(conversationId, turnId) {
      const late = lateOf(conversationId);
      const log: TurnLog = createTurnLog({
        conversationId,
        turnId,
        database,
        newId,
        now,
        show: (events) => {
          for (const event of events) late.events.set(event.id, event);
          deps.show(conversationId, events);
        },
        onStored: (event, trouble) => {
          late.stored.add(event.id);
          settle(late);
          // Nothing follows the end of a turn: the next one tells it.
          if (!trouble || event.type === 'turn-ended' || warned.has(conversationId)) return;
          warned.add(conversationId);
          log.emit({ type: 'notice', level: 'error', ...wordsFor(trouble) });
        },
      });
      return log;
    },
    async take(conversationId, take) {
      const late = lateOf(conversationId);
      late.readers++;
      try {
        const stored = await database.events(conversationId);
        if (late.events.size === 0) return take(stored);
        const all = new Map([...stored, ...late.events.values()].map((event) => [event.id, event]));
        return take([...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1)));
      } finally {
        late.readers--;
        settle(late);
      }
    },
    forget(conversationId) {
      if (conversationId === undefined) unstored.clear();
      else unstored.delete(conversationId);
    },
  };
}

const wordsFor = ({ kind, message }: Trouble): Words =>
  kind === 'full' ? say('not-kept-full') : say('not-kept-unavailable', message);
