import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { AgentEvent } from '../agent/events';
import type { ConversationInfo, GivenApproval } from '../messages/host-api';

/** As stored: `runningTurn` marks a turn that has not ended, so that a restart can say it was interrupted. */
export interface StoredConversation extends ConversationInfo {
  runningTurn?: string;
  /** Tools that searches brought into its prompts; read with `readPromotions`. */
  promotions?: unknown;
}

interface Schema extends DBSchema {
  conversations: { key: string; value: StoredConversation; indexes: { updated: number } };
  /** Keyed by conversation and event id: a conversation's log is one key range, in order. */
  events: { key: [string, string]; value: AgentEvent };
  approvals: { key: string; value: GivenApproval; indexes: { conversation: string } };
  /** Tab → the conversation it shows. Tab ids live as long as the browser; see `sameSession`. */
  tabs: { key: number; value: { tabId: number; conversationId: string } };
  meta: { key: string; value: string };
}

/** Everything Pagehand keeps: conversations, their events, approvals given, which tab shows what. */
export interface Database {
  conversations(): Promise<StoredConversation[]>;
  conversation(id: string): Promise<StoredConversation | undefined>;
  putConversation(info: StoredConversation): Promise<void>;
  deleteConversation(id: string): Promise<void>;
  /** In the order they happened. Entries that no longer fit the schema are skipped. */
  events(conversationId: string): Promise<AgentEvent[]>;
  addEvents(events: readonly AgentEvent[]): Promise<void>;
  approvals(conversationId?: string): Promise<GivenApproval[]>;
  putApproval(approval: GivenApproval): Promise<void>;
  deleteApproval(id: string): Promise<void>;
  tabConversation(tabId: number): Promise<string | undefined>;
  setTabConversation(tabId: number, conversationId: string): Promise<void>;
  /** Tab ids mean nothing in another run of the browser: forgets them when the session is a new one. */
  sameSession(session: string): Promise<void>;
  /** Deletes conversations that were last used before the time (milliseconds since the epoch). */
  deleteBefore(time: number): Promise<void>;
  clear(): Promise<void>;
}

export async function openDatabase(name = 'pagehand'): Promise<Database> {
  const db: IDBPDatabase<Schema> = await openDB<Schema>(name, 1, {
    upgrade(upgraded) {
      upgraded
        .createObjectStore('conversations', { keyPath: 'id' })
        .createIndex('updated', 'updatedAt');
      upgraded.createObjectStore('events', { keyPath: ['conversationId', 'id'] });
      upgraded
        .createObjectStore('approvals', { keyPath: 'id' })
        .createIndex('conversation', 'conversationId');
      upgraded.createObjectStore('tabs', { keyPath: 'tabId' });
      upgraded.createObjectStore('meta');
    },
  });
  const log = (conversationId: string) =>
    // A list sorts after every text: whatever an imported event's id is, it is in here.
    IDBKeyRange.bound([conversationId], [conversationId, []]);
  const database: Database = {
    conversations: async () => (await db.getAllFromIndex('conversations', 'updated')).reverse(),
    conversation: (id) => db.get('conversations', id),
    async putConversation(info) {
      await db.put('conversations', info);
    },
    async deleteConversation(id) {
      const tx = db.transaction(['conversations', 'events', 'approvals', 'tabs'], 'readwrite');
      await tx.objectStore('conversations').delete(id);
      await tx.objectStore('events').delete(log(id));
      const approvals = tx.objectStore('approvals');
      for (const key of await approvals.index('conversation').getAllKeys(id)) {
        await approvals.delete(key);
      }
      for (const tab of await tx.objectStore('tabs').getAll()) {
        if (tab.conversationId === id) await tx.objectStore('tabs').delete(tab.tabId);
      }
      await tx.done;
    },
    async events(conversationId) {
      const stored: unknown[] = await db.getAll('events', log(conversationId));
      return stored.flatMap((raw) => {
        const event = AgentEvent.safeParse(raw);
        return event.success ? [event.data] : [];
      });
    },
    async addEvents(events) {
      const tx = db.transaction('events', 'readwrite');
      for (const event of events) await tx.store.put(event);
      await tx.done;
    },
    approvals: (conversationId) =>
      conversationId === undefined
        ? db.getAll('approvals')
        : db.getAllFromIndex('approvals', 'conversation', conversationId),
    async putApproval(approval) {
      await db.put('approvals', approval);
    },
    deleteApproval: (id) => db.delete('approvals', id),
    tabConversation: async (tabId) => (await db.get('tabs', tabId))?.conversationId,
    async setTabConversation(tabId, conversationId) {
      await db.put('tabs', { tabId, conversationId });
    },
    async sameSession(session) {
      const tx = db.transaction(['tabs', 'meta'], 'readwrite');
      const before = await tx.objectStore('meta').get('session');
      if (before !== session) await tx.objectStore('tabs').clear();
      await tx.objectStore('meta').put(session, 'session');
      await tx.done;
    },
    async deleteBefore(time) {
      const old = await db.getAllKeysFromIndex(
        'conversations',
        'updated',
        IDBKeyRange.upperBound(time, true),
      );
      for (const id of old) await database.deleteConversation(id);
    },
    async clear() {
      const stores = ['conversations', 'events', 'approvals', 'tabs'] as const;
      const tx = db.transaction(stores, 'readwrite');
      for (const store of stores) await tx.objectStore(store).clear();
      await tx.done;
    },
  };
  return database;
}
