import type { Approvals } from '../agent/options';
import type { Database } from './database';

/** "Allow this tool on this site for this chat": stored, and live in the turn that runs. */
export interface GivenApprovals {
  /** Those of a conversation, for one turn; what is given or revoked meanwhile counts at once. */
  begin(conversationId: string): Promise<Approvals>;
  /** The turn of the conversation has ended. */
  end(conversationId: string): void;
  revoke(id: string): Promise<void>;
}

export function createApprovals(database: Database, now: () => number): GivenApprovals {
  /** Conversation whose turn runs → remembered keys. */
  const live = new Map<string, Set<string>>();
  const idOf = (conversationId: string, key: string) => `${conversationId} ${key}`;
  return {
    async begin(conversationId) {
      const given = await database.approvals(conversationId);
      const start = idOf(conversationId, '').length;
      const remembered = new Set(given.map(({ id }) => id.slice(start)));
      live.set(conversationId, remembered);
      return {
        remembered,
        remember(key, tool) {
          remembered.add(key);
          const { name: toolName, origin } = tool;
          const approval = { toolName, origin, conversationId, at: now() };
          database
            .putApproval({ id: idOf(conversationId, key), ...approval })
            // What cannot be listed cannot be revoked: it is asked for again.
            .catch(() => remembered.delete(key));
        },
      };
    },
    end: (conversationId) => void live.delete(conversationId),
    async revoke(id) {
      for (const [conversationId, remembered] of live) {
        const start = idOf(conversationId, '');
        if (id.startsWith(start)) remembered.delete(id.slice(start.length));
      }
      await database.deleteApproval(id);
    },
  };
}
