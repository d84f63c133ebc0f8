import type { Database } from './database';
import { createMemoryDatabase } from './memory-database';

const MARK = 'private-';

/** Ids of conversations of incognito tabs say so, wherever they turn up. */
export const privateId = (id: string): string => `${MARK}${id}`;
export const isPrivate = (conversationId: string): boolean => conversationId.startsWith(MARK);

/**
 * A database that keeps what belongs to conversations of incognito tabs in memory only: nothing of it
 * reaches `disk`, and no list of conversations names it.
 */
export function createPrivateDatabase(disk: Database): Database {
  const memory = createMemoryDatabase();
  const of = (conversationId: string) => (isPrivate(conversationId) ? memory : disk);
  const both = async (work: (one: Database) => Promise<void>) => {
    await work(memory);
    await work(disk);
  };
  return {
    conversations: () => disk.conversations(),
    conversation: (id) => of(id).conversation(id),
    updateConversation: (id, change) => of(id).updateConversation(id, change),
    deleteConversation: (id) => of(id).deleteConversation(id),
    events: (id) => of(id).events(id),
    async addEvents(events) {
      const hidden = events.filter((event) => isPrivate(event.conversationId));
      if (hidden.length === 0) return disk.addEvents(events);
      await memory.addEvents(hidden);
      const kept = events.filter((event) => !isPrivate(event.conversationId));
      return kept.length === 0 ? undefined : disk.addEvents(kept);
    },
    approvals: (id) => (id === undefined ? disk : of(id)).approvals(id),
    putApproval: (approval) => of(approval.conversationId).putApproval(approval),
    deleteApproval: (id) => both((one) => one.deleteApproval(id)),
    async tabConversation(tabId) {
      return (await memory.tabConversation(tabId)) ?? disk.tabConversation(tabId);
    },
    setTabConversation: (tabId, id) => of(id).setTabConversation(tabId, id),
    sameSession: (session) => both((one) => one.sameSession(session)),
    deleteBefore: (time) => both((one) => one.deleteBefore(time)),
    clear: () => both((one) => one.clear()),
  };
}
