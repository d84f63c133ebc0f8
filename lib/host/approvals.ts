import type { Approvals } from '../agent/options';
import type { Database } from './database';

/**
 * "Allow this tool on this site", for this chat or until it is taken back: stored, and live in the
 * turns that run. One for a site belongs to no conversation.
 */
export interface GivenApprovals {
  /** Those of a conversation, for one turn; what is given or revoked meanwhile counts at once. */
  begin(conversationId: string): Promise<Approvals>;
  /** The turn of the conversation has ended. */
  end(conversationId: string): void;
  revoke(id: string): Promise<void>;
}

/** In place of a conversation: an approval for a site. */
const EVERYWHERE = '';

export function createApprovals(database: Database, now: () => number): GivenApprovals {
  /** Conversation whose turn runs → remembered keys. */
  const live = new Map<string, Set<string>>();
  const idOf = (conversationId: string, key: string) => `${conversationId} ${key}`;
  const keysOf = async (conversationId: string) => {
    const start = idOf(conversationId, '').length;
    return (await database.approvals(conversationId)).map(({ id }) => id.slice(start));
  };
  return {
    async begin(conversationId) {
      const given = await Promise.all([EVERYWHERE, conversationId].map((of) => keysOf(of)));
      const remembered = new Set(given.flat());
      live.set(conversationId, remembered);
      return {
        remembered,
        remember(key, tool, scope) {
          remembered.add(key);
          const of = scope === 'site' ? EVERYWHERE : conversationId;
          const { name: toolName, origin } = tool;
          const approval = { toolName, origin, conversationId: of, at: now() };
          database
            .putApproval({ id: idOf(of, key), ...approval })
            // What cannot be listed cannot be revoked: it is asked for again.
            .catch(() => remembered.delete(key));
        },
      };
    },
    end: (conversationId) => void live.delete(conversationId),
    async revoke(id) {
      for (const [conversationId, remembered] of live) {
        for (const start of [idOf(EVERYWHERE, ''), idOf(conversationId, '')]) {
          if (id.startsWith(start)) remembered.delete(id.slice(start.length));
        }
      }
      await database.deleteApproval(id);
    },
  };
}
