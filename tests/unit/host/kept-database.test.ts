import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../lib/agent/events';
import type { Database, StoredConversation } from '../../../lib/host/database';
import { openDatabase } from '../../../lib/host/indexed-database';
import { createKeptDatabase } from '../../../lib/host/kept-database';
import { createMemoryDatabase } from '../../../lib/host/memory-database';

let n = 0;
const FULL = 'QuotaExceededError';
const quota = () => new DOMException('The disk is full.', FULL);
/** A full disk can still be read. */
const isWrite = (method: string) => /^(?:update|add|put|set|same)/.test(method);
const info = (id: string, title = id): StoredConversation => ({
  id,
  title,
  origin: 'https://a.test',
  createdAt: 1,
  updatedAt: 1,
  turns: 0,
});
const event = (conversationId: string, id: string): AgentEvent => ({
  type: 'notice',
  id,
  at: 1,
  conversationId,
  turnId: 't',
  level: 'info',
  text: id,
});

/** A disk that can be told to fail, and a clock that can be told to go. */
function setup() {
  const world: { fails: Error | undefined; at: number; asked: number } = {
    fails: undefined,
    at: 0,
    asked: 0,
  };
  const inner = openDatabase(`kept-${n++}`);
  const disk = new Proxy(inner, {
    get: (target, name: keyof Database) => {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => {
        world.asked++;
        const fails = world.fails !== undefined && (world.fails.name !== FULL || isWrite(name));
        return fails ? Promise.reject(world.fails) : method(...args);
      };
    },
  });
  return { world, disk, inner, kept: createKeptDatabase(disk, () => world.at) };
}

it('goes on in memory while the disk is full, says why, and moves all of it to the disk later', async () => {
  const { world, inner, kept } = setup();
  await kept.updateConversation('c', () => info('c'));
  await kept.addEvents([event('c', '1')]);
  world.fails = quota();
  expect(await kept.addEvents([event('c', '2')])).toMatchObject({ kind: 'full' });
  await kept.updateConversation('c', (stored) => stored && { ...stored, title: 'renamed' });
  expect((await kept.events('c')).map(({ id }) => id)).toEqual(['1', '2']);
  expect((await kept.conversation('c'))?.title).toBe('renamed');
  expect(await inner.events('c')).toHaveLength(1);
  world.fails = undefined;
  world.at = 60_000;
  expect(await kept.addEvents([event('c', '3')])).toBeUndefined();
  expect((await inner.events('c')).map(({ id }) => id)).toEqual(['1', '2', '3']);
  expect((await inner.conversation('c'))?.title).toBe('renamed');
});

it('a change is made to what the disk holds where that can still be read', async () => {
  const { world, disk, inner } = setup();
  await inner.updateConversation('c', () => ({ ...info('c'), turns: 4 }));
  const fullDisk: Database = { ...createMemoryDatabase(), conversation: disk.conversation };
  fullDisk.updateConversation = () => Promise.reject(quota());
  const kept = createKeptDatabase(fullDisk, () => world.at);
  const changed = await kept.updateConversation(
    'c',
    (stored) => stored && { ...stored, turns: stored.turns + 1 },
  );
  expect(changed?.turns).toBe(5);
});

it('a disk that does not open is not asked for every little thing', async () => {
  const { world, kept } = setup();
  world.fails = new DOMException('Internal error opening backing store.', 'UnknownError');
  for (let i = 0; i < 20; i++) await kept.addEvents([event('c', String(i))]);
  expect(await kept.events('c')).toHaveLength(20);
  expect(world.asked).toBeLessThan(5);
});

it('says so when something could not be deleted from the disk', async () => {
  const { world, kept } = setup();
  await kept.updateConversation('c', () => info('c'));
  world.fails = new DOMException('broken', 'UnknownError');
  await expect(kept.deleteConversation('c')).rejects.toThrow('broken');
});

it('what a disk that never opened cannot hold is deleted in memory', async () => {
  const { world, kept } = setup();
  world.fails = new DOMException('broken', 'UnknownError');
  await kept.updateConversation('c', () => info('c'));
  await kept.deleteConversation('c');
  expect(await kept.conversations()).toEqual([]);
});

it('once the disk is back everything is as if it had never failed', async () => {
  const id = fc.constantFrom('a', 'b', 'c');
  const step = fc.oneof(
    fc.record({ do: fc.constant('fail' as const), full: fc.boolean() }),
    fc.record({ do: fc.constant('mend' as const) }),
    fc.record({ do: fc.constant('wait' as const) }),
    fc.record({ do: fc.constant('retitle' as const), id, title: fc.string({ maxLength: 3 }) }),
    fc.record({ do: fc.constant('event' as const), id }),
    fc.record({ do: fc.constant('tab' as const), id, tabId: fc.nat(2) }),
    fc.record({ do: fc.constant('delete' as const), id }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), async (steps) => {
      const { world, inner, kept } = setup();
      const ideal = createMemoryDatabase();
      let next = 0;
      for (const one of steps) {
        if (one.do === 'fail') world.fails = one.full ? quota() : new DOMException('', 'DataError');
        if (one.do === 'mend') world.fails = undefined;
        if (one.do === 'wait') world.at += 60_000;
        const eventId = String(next++).padStart(3, '0');
        for (const db of [kept, ideal]) {
          if (one.do === 'retitle') {
            await db.updateConversation(one.id, (stored) => ({
              ...(stored ?? info(one.id)),
              title: (stored?.title ?? '') + one.title,
            }));
          }
          if (one.do === 'event') await db.addEvents([event(one.id, eventId)]);
          if (one.do === 'tab') await db.setTabConversation(one.tabId, one.id);
          // Deleting needs the disk.
          if (one.do === 'delete' && !world.fails) await db.deleteConversation(one.id);
        }
      }
      world.fails = undefined;
      world.at += 60_000;
      // The next thing that is written takes all the others along.
      for (const db of [kept, ideal]) await db.setTabConversation(9, 'a');
      const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
      expect((await kept.conversations()).sort(byId)).toEqual(
        (await ideal.conversations()).sort(byId),
      );
      expect((await inner.conversations()).sort(byId)).toEqual(
        (await ideal.conversations()).sort(byId),
      );
      for (const which of ['a', 'b', 'c']) {
        expect(await kept.events(which)).toEqual(await ideal.events(which));
        expect(await inner.events(which)).toEqual(await ideal.events(which));
      }
      for (const tabId of [0, 1, 2]) {
        expect(await kept.tabConversation(tabId)).toBe(await ideal.tabConversation(tabId));
      }
    }),
    { numRuns: 150 },
  );
});
