import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import { AgentEvent } from '../agent/events';
import type { GivenApproval } from '../messages/host-api';
import type { Database, StoredConversation } from './database';

interface Schema extends DBSchema {
  conversations: { key: string; value: StoredConversation; indexes: { updated: number } };
  /** Keyed by conversation and event id: a conversation's log is one key range, in order. */
  events: { key: [string, string]; value: AgentEvent };
  approvals: { key: string; value: GivenApproval; indexes: { conversation: string } };
  /** Tab → the conversation it shows. Tab ids live as long as the browser; see `sameSession`. */
  tabs: { key: number; value: { tabId: number; conversationId: string } };
  meta: { key: string; value: string };
}
type StoreName = 'conversations' | 'events' | 'approvals' | 'tabs' | 'meta';
type Connection = IDBPDatabase<Schema>;

/** A database that does not open by then is treated as one that cannot be opened. */
const OPEN_LIMIT_MS = 10_000;
const MAX_TRIES = 3;

/**
 * The database on disk. Opens itself when it is first needed, and again after the browser closed it.
 * Rejects with the browser's `DOMException` where it cannot be opened, read or written.
 */
export function openDatabase(name = 'pagehand'): Database {
  let opened: Promise<Connection> | undefined;
  /** Lets go of a connection that is closed: of that one only, others may have opened another meanwhile. */
  const forget = (connection: Promise<Connection> | undefined) => {
    if (opened === connection) opened = undefined;
  };
  const connect = (): Promise<Connection> => {
    if (opened) return opened;
    const connection = open(name, () => forget(connection));
    connection.catch(() => forget(connection));
    opened = connection;
    return connection;
  };
  /**
   * Does the work anew, on a new connection, where the browser closed the one that was used: what was
   * begun on that did not happen. Clearing data may close the next one, too.
   */
  async function use<T>(work: (db: Connection) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      const connection = connect();
      try {
        return await work(await withinLimit(connection));
      } catch (error) {
        if (tries === MAX_TRIES || !isClosed(error)) throw error;
        forget(connection);
      }
    }
  }
  /** One transaction; all of the work, or nothing. */
  const write = <S extends StoreName, T>(
    stores: S[],
    work: (tx: IDBPTransaction<Schema, S[], 'readwrite'>) => Promise<T>,
  ): Promise<T> =>
    use(async (db) => {
      const tx = db.transaction(stores, 'readwrite');
      try {
        const [result] = await Promise.all([work(tx), tx.done]);
        return result;
      } catch (error) {
        abort(tx);
        // Why the browser ended it; its requests only say that it did.
        throw tx.error ?? error;
      }
    });

  const database: Database = {
    conversations: () =>
      use(async (db) => (await db.getAllFromIndex('conversations', 'updated')).reverse()),
    conversation: (id) => use((db) => db.get('conversations', id)),
    updateConversation: (id, change) =>
      write(['conversations'], async (tx) => {
        const store = tx.objectStore('conversations');
        const before = await store.get(id);
        const after = change(before);
        if (after) await store.put(after);
        return after ?? before;
      }),
    deleteConversation: (id) =>
      write(['conversations', 'events', 'approvals', 'tabs'], async (tx) => {
        await tx.objectStore('conversations').delete(id);
        await tx.objectStore('events').delete(logOf(id));
        const approvals = tx.objectStore('approvals');
        for (const key of await approvals.index('conversation').getAllKeys(id)) {
          await approvals.delete(key);
        }
        for (const tab of await tx.objectStore('tabs').getAll()) {
          if (tab.conversationId === id) await tx.objectStore('tabs').delete(tab.tabId);
        }
      }),
    async events(conversationId) {
      const stored: unknown[] = await use((db) => db.getAll('events', logOf(conversationId)));
      return stored.flatMap((raw) => {
        const event = AgentEvent.safeParse(raw);
        return event.success ? [event.data] : [];
      });
    },
    addEvents: (events) =>
      write(['events'], async (tx) => {
        const store = tx.objectStore('events');
        await Promise.all(events.map((event) => store.put(event)));
        return undefined;
      }),
    approvals: (conversationId) =>
      use((db) =>
        conversationId === undefined
          ? db.getAll('approvals')
          : db.getAllFromIndex('approvals', 'conversation', conversationId),
      ),
    async putApproval(approval) {
      await use((db) => db.put('approvals', approval));
    },
    deleteApproval: (id) => use((db) => db.delete('approvals', id)),
    tabConversation: async (tabId) => (await use((db) => db.get('tabs', tabId)))?.conversationId,
    async setTabConversation(tabId, conversationId) {
      await use((db) => db.put('tabs', { tabId, conversationId }));
    },
    sameSession: (session) =>
      write(['tabs', 'meta'], async (tx) => {
        const before = await tx.objectStore('meta').get('session');
        if (before !== session) await tx.objectStore('tabs').clear();
        await tx.objectStore('meta').put(session, 'session');
      }),
    async deleteBefore(time) {
      const before = IDBKeyRange.upperBound(time, true);
      const old = await use((db) => db.getAllKeysFromIndex('conversations', 'updated', before));
      for (const id of old) await database.deleteConversation(id);
    },
    async clear() {
      try {
        const stores: StoreName[] = ['conversations', 'events', 'approvals', 'tabs'];
        await write(stores, async (tx) => {
          for (const store of stores) await tx.objectStore(store).clear();
        });
      } catch {
        // One that cannot even be opened is made anew by the next use.
        const held = await opened?.catch(() => undefined);
        held?.close();
        forget(opened);
        await deleteDB(name);
      }
    },
  };
  return database;
}

const open = (name: string, onClosed: () => void): Promise<Connection> =>
  openDB<Schema>(name, 1, {
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
    terminated: onClosed,
  });

/** Every event of a conversation. A list sorts after every text: whatever an imported event's id is. */
const logOf = (conversationId: string) => IDBKeyRange.bound([conversationId], [conversationId, []]);

/**
 * What fails because the browser closed the connection: a new transaction, or one that was under way,
 * and opening while the data is still being cleared.
 */
const CLOSED = new Set(['InvalidStateError', 'AbortError', 'UnknownError']);

function isClosed(error: unknown): boolean {
  return error instanceof DOMException && CLOSED.has(error.name);
}

function abort(tx: { abort(): void; done: Promise<void> }): void {
  tx.done.catch(() => {});
  try {
    tx.abort();
  } catch {
    // It has ended by itself.
  }
}

async function withinLimit<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new DOMException('The database does not open.', 'TimeoutError');
    timer = setTimeout(() => reject(error), OPEN_LIMIT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
