import type { Database } from './database';

/** How many conversations there are, kept outside the database that holds them. */
export interface Mark {
  read(): Promise<number>;
  write(count: number): Promise<void>;
}

export interface WatchedDatabase extends Database {
  /** Whether fewer conversations are there than were: the browser drops a store that it finds damaged. */
  hasLost(): Promise<boolean>;
}

/**
 * Keeps the mark beside the database. It is never higher than what is stored, so that nothing is called
 * lost that was deleted; where the mark cannot be kept, nothing is called lost at all.
 */
export function createWatchedDatabase(database: Database, mark: Mark): WatchedDatabase {
  const write = (count: number) => mark.write(count).catch(() => {});
  const keep = async () => write((await database.conversations()).length);
  const remove = async (work: () => Promise<void>) => {
    await write(0);
    try {
      await work();
    } finally {
      await keep();
    }
  };
  return {
    ...database,
    async hasLost() {
      const before = await mark.read().catch(() => 0);
      const now = (await database.conversations()).length;
      await write(now);
      return now < before;
    },
    async updateConversation(id, change) {
      let isNew = false;
      const after = await database.updateConversation(id, (stored) => {
        isNew = stored === undefined;
        return change(stored);
      });
      if (isNew && after) await keep();
      return after;
    },
    deleteConversation: (id) => remove(() => database.deleteConversation(id)),
    deleteBefore: (time) => remove(() => database.deleteBefore(time)),
    clear: () => remove(() => database.clear()),
  };
}
