import { expect, it, vi } from 'vitest';
import { openDatabase } from '../../../lib/host/indexed-database';
import { retried } from '../../../lib/host/retried';
import { call, say, setup } from './stage';

/** Everything the disk holds, as text. */
async function onDisk(name: string): Promise<string> {
  const open = indexedDB.open(name);
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    open.onsuccess = () => resolve(open.result);
    open.onerror = () => reject(open.error);
  });
  const stores = [...db.objectStoreNames];
  const all = await Promise.all(
    stores.map(
      (store) =>
        new Promise((resolve, reject) => {
          const read = db.transaction(store).objectStore(store).getAll();
          read.onsuccess = () => resolve(read.result);
          read.onerror = () => reject(read.error);
        }),
    ),
  );
  db.close();
  return JSON.stringify(all);
}

it('nothing of an incognito tab is on disk, in the history, or there once the tab is closed', async () => {
  const database = openDatabase('private-1');
  const { host, request, heard, world, ran } = await setup(
    [call('change', 815), say('The code is SECRET.')],
    { database },
  );
  world.incognito = true;
  const { conversation } = await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 815 please' });
  const { callId } = await heard('approval-asked');
  await request('answerApproval', { callId, decision: 'allow', remember: true });
  await heard('turn-ended');
  expect(ran).toHaveLength(1);
  expect((await request('watch', { tabId: 1 })).conversation.id).toBe(conversation.id);
  expect((await request('listConversations', { search: '' })).length).toBe(0);
  expect(await onDisk('private-1')).not.toMatch(/815|SECRET|change|private-/);
  host.heard({ to: 'pagehand-host', push: 'tab-closed', tabId: 1 });
  await vi.waitUntil(async () => {
    const { conversation: now } = await request('watch', { tabId: 1 });
    return now.id !== conversation.id;
  });
  await expect(
    request('openConversation', { tabId: 1, conversationId: conversation.id }),
  ).rejects.toThrow();
});

it('a kept conversation that is opened in an incognito tab goes on in a copy', async () => {
  const database = openDatabase('private-2');
  const { request, events, world } = await setup([say('Kept.'), say('Hidden.')], { database });
  const ended = (count: number) =>
    vi.waitUntil(() => events().filter((event) => event.type === 'turn-ended').length === count);
  const { conversation } = await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'an open question' });
  await ended(1);
  world.incognito = true;
  const opened = await request('openConversation', {
    tabId: 2,
    conversationId: conversation.id,
  });
  expect(opened.events.map((event) => event.type)).toContain('turn-ended');
  await request('ask', { tabId: 2, text: 'a hidden question' });
  await ended(2);
  const kept = await onDisk('private-2');
  expect(kept).toContain('an open question');
  expect(kept).not.toContain('hidden question');
});

it('clearing everything clears what is kept by site, too', async () => {
  const { request, world } = await setup([]);
  await request('watch', { tabId: 1 });
  await request('clearAll', {});
  expect(world.forgotSites).toBe(1);
});

it('work that failed is begun again by the next who asks, and work that is going on is shared', async () => {
  const work = vi.fn<() => Promise<string>>();
  work.mockRejectedValueOnce(new Error('once'));
  work.mockResolvedValue('there');
  const ask = retried(work);
  const first = ask();
  expect(ask()).toBe(first);
  await expect(first).rejects.toThrow('once');
  expect(await ask()).toBe('there');
  expect(await ask()).toBe('there');
  expect(work).toHaveBeenCalledTimes(2);
});
