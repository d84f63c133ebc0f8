import type { AgentEvent } from '../agent/events';
import type { Database } from './database';
import { createTurnLog, type TurnLog } from './log';

/** The logs of all conversations: what is stored, and what is shown but not stored yet. */
export interface Logs {
  of(conversationId: string, turnId: string): TurnLog;
  /** In the order they happened. */
  events(conversationId: string): Promise<AgentEvent[]>;
  /** Lets go of what could not be stored of a conversation that was deleted; of all without an id. */
  forget(conversationId?: string): void;
}

export function createLogs(deps: {
  database: Database;
  newId: () => string;
  now: () => number;
  show: (conversationId: string, events: AgentEvent[]) => void;
}): Logs {
  const { database, newId, now } = deps;
  /** Conversation → its events that are shown but not stored yet, by id. */
  const unstored = new Map<string, Map<string, AgentEvent>>();
  return {
    of(conversationId, turnId) {
      let warned = false;
      const waiting = unstored.get(conversationId) ?? new Map<string, AgentEvent>();
      unstored.set(conversationId, waiting);
      return createTurnLog({
        conversationId,
        turnId,
        database,
        newId,
        now,
        show: (events) => {
          for (const event of events) waiting.set(event.id, event);
          deps.show(conversationId, events);
        },
        onStored: (event) => waiting.delete(event.id),
        onStoreError: (error) => {
          if (warned) return;
          warned = true;
          const notice: AgentEvent = {
            type: 'notice',
            id: newId(),
            at: now(),
            conversationId,
            turnId,
            level: 'error',
            text: `This conversation cannot be stored (${error instanceof Error ? error.message : String(error)}). It goes on, but will be gone when the browser closes. Free some disk space.`,
          };
          deps.show(conversationId, [notice]);
        },
      });
    },
    async events(conversationId) {
      const stored = await database.events(conversationId);
      const late = unstored.get(conversationId);
      if (!late || late.size === 0) return stored;
      const all = new Map([...stored, ...late.values()].map((event) => [event.id, event]));
      return [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    forget(conversationId) {
      if (conversationId === undefined) unstored.clear();
      else unstored.delete(conversationId);
    },
  };
}
