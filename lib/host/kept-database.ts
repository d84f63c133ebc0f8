import type { Database, Trouble } from './database';
import { createMemoryDatabase } from './memory-database';

type Change = Parameters<Database['updateConversation']>[1];

/** How long a disk that failed is left alone. */
const RETRY_MS = 30_000;

/**
 * A database that never fails a chat: what the disk does not take (it is full, it cannot be opened, the
 * browser closed it) is held in memory, and moved to the disk once that takes it again. Only deleting
 * rejects: what was to be gone must not be there the next time.
 */
export function createKeptDatabase(disk: Database, now: () => number): Database {
  const memory = createMemoryDatabase();
  /**
   * Conversation → what was done to it in memory. Done again to what the disk holds, which could perhaps
   * not be read when it was done.
   */
  const changes = new Map<string, Change[]>();
  let trouble: Trouble | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  /** A disk that never answered holds nothing of this run of the browser. */
  let isUsed = false;
  let moving: Promise<void> = Promise.resolve();

  const fail = (error: unknown) => {
    trouble = troubleOf(error);
    triedAt = now();
  };
  const isLeftAlone = () => trouble !== undefined && now() - triedAt < RETRY_MS;

  async function read<T>(fromDisk: () => Promise<T>, otherwise: T): Promise<T> {
    // A full disk can still be read.
    if (isLeftAlone() && trouble?.kind === 'unavailable') return otherwise;
    try {
      const value = await fromDisk();
      isUsed = true;
      return value;
    } catch (error) {
      fail(error);
      return otherwise;
    }
  }
  async function write<T>(toDisk: () => Promise<T>, toMemory: () => Promise<T>): Promise<T> {
    if (!isLeftAlone()) {
      try {
        if (!memory.isEmpty()) await move();
        if (memory.isEmpty()) {
          const value = await toDisk();
          isUsed = true;
          trouble = undefined;
          return value;
        }
      } catch (error) {
        fail(error);
      }
    }
    return toMemory();
  }
  /** Writes what memory holds to the disk. Reads look into memory first, so that they find it in either. */
  function move(): Promise<void> {
    const work = async () => {
      const kept = memory.all();
      for (const { id } of kept.conversations) {
        const made = [...(changes.get(id) ?? [])];
        await disk.updateConversation(id, (stored) =>
          made.reduce((info, change) => change(info) ?? info, stored),
        );
        changes.get(id)?.splice(0, made.length);
      }
      await disk.addEvents(kept.events);
      for (const approval of kept.approvals) await disk.putApproval(approval);
      for (const { tabId, conversationId } of kept.tabs) {
        await disk.setTabConversation(tabId, conversationId);
      }
      memory.drop(kept);
    };
    const moved = moving.then(work);
    moving = moved.catch(() => {});
    return moved;
  }
  /** Not while something is on its way from one to the other: it would be there again. */
  async function remove(work: (from: Database) => Promise<void>): Promise<void> {
    await moving;
    await work(memory);
    for (const id of changes.keys()) if (!memory.has(id)) changes.delete(id);
    try {
      await work(disk);
    } catch (error) {
      if (isUsed) throw error;
    }
  }

  return {
    async conversations() {
      const held = await memory.conversations();
      const stored = await read(() => disk.conversations(), []);
      if (held.length === 0) return stored;
      const all = new Map([...stored, ...held].map((info) => [info.id, info]));
      return [...all.values()].sort((a, b) => b.updatedAt - a.updatedAt);
    },
    async conversation(id) {
      return (
        (await memory.conversation(id)) ?? (await read(() => disk.conversation(id), undefined))
      );
    },
    updateConversation: (id, change) =>
      write(
        () => disk.updateConversation(id, change),
        async () => {
          const held = await memory.conversation(id);
          const stored = held ?? (await read(() => disk.conversation(id), undefined));
          const made = changes.get(id) ?? [];
          changes.set(id, made);
          made.push(change);
          return memory.updateConversation(id, (latest) => change(latest ?? stored));
        },
      ),
    deleteConversation: (id) => remove((from) => from.deleteConversation(id)),
    async events(id) {
      const held = await memory.events(id);
      const stored = await read(() => disk.events(id), []);
      if (held.length === 0) return stored;
      const all = new Map([...stored, ...held].map((event) => [event.id, event]));
      return [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    addEvents: (events) =>
      write(
        () => disk.addEvents(events),
        async () => {
          await memory.addEvents(events);
          return trouble;
        },
      ),
    async approvals(id) {
      const held = await memory.approvals(id);
      const stored = await read(() => disk.approvals(id), []);
      const all = new Map([...stored, ...held].map((one) => [one.id, one]));
      return [...all.values()];
    },
    putApproval: (approval) =>
      write(
        () => disk.putApproval(approval),
        () => memory.putApproval(approval),
      ),
    deleteApproval: (id) => remove((from) => from.deleteApproval(id)),
    async tabConversation(tabId) {
      const held = await memory.tabConversation(tabId);
      return held ?? (await read(() => disk.tabConversation(tabId), undefined));
    },
    setTabConversation: (tabId, id) =>
      write(
        () => disk.setTabConversation(tabId, id),
        () => memory.setTabConversation(tabId, id),
      ),
    sameSession: (session) =>
      write(
        () => disk.sameSession(session),
        () => memory.sameSession(session),
      ),
    async deleteBefore(time) {
      await moving;
      await memory.deleteBefore(time);
      // Tried again whenever the list is asked for.
      await read(() => disk.deleteBefore(time), undefined);
    },
    async clear() {
      await remove((from) => from.clear());
      trouble = undefined;
    },
  };
}

function troubleOf(error: unknown): Trouble {
  const message = error instanceof Error ? error.message : String(error);
  const isFull = error instanceof Error && error.name === 'QuotaExceededError';
  return { kind: isFull ? 'full' : 'unavailable', message };
}
