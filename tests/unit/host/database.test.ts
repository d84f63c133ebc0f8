import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../lib/agent/events';
import { createConversations } from '../../../lib/host/conversations';
import { openDatabase } from '../../../lib/host/database';
import { createIds } from '../../../lib/host/ids';

let n = 0;
const fresh = () => openDatabase(`test-${n++}`);
const notice = (conversationId: string, id: string, text: string, turnId = 't'): AgentEvent => ({
  type: 'notice',
  id,
  at: 1,
  conversationId,
  turnId,
  level: 'info',
  text,
});

it('ids sort in the order they were made, also when the clock stands still or goes back', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2e12 }), { minLength: 2 }), (times) => {
      let at = 0;
      const newId = createIds(() => times[at] ?? 0);
      const ids = times.map((_, index) => {
        at = index;
        return newId();
      });
      expect([...ids].sort()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

it('keeps each conversation’s events apart and in order', async () => {
  const db = await fresh();
  await db.addEvents([notice('b', '1', 'x'), notice('a', '2', 'two'), notice('a', '1', 'one')]);
  const texts = (await db.events('a')).map((e) => (e.type === 'notice' ? e.text : ''));
  expect(texts).toEqual(['one', 'two']);
});

it('skips a stored event that no longer fits, not its neighbours', async () => {
  const db = await fresh();
  const broken = { ...notice('a', '1', 'x'), level: 'loud' } as unknown as AgentEvent;
  await db.addEvents([broken, notice('a', '2', 'kept')]);
  expect(await db.events('a')).toEqual([notice('a', '2', 'kept')]);
});

it('deletes a conversation with its events, its approvals and its place in a tab', async () => {
  const db = await fresh();
  const conversations = createConversations(db, createIds(Date.now), Date.now);
  const info = await conversations.current(5, 'https://a.test');
  await conversations.turnStarted(info, 't', 'hello');
  // An imported event brings its own id.
  await db.addEvents([notice(info.id, '1', 'x'), notice(info.id, '\uffff\uffff', 'y')]);
  await db.putApproval({
    id: 'p',
    toolName: 't',
    origin: 'o',
    conversationId: info.id,
    at: 1,
  });
  expect(await db.events(info.id)).toHaveLength(2);
  await db.deleteConversation(info.id);
  expect(await db.events(info.id)).toEqual([]);
  expect(await db.approvals()).toEqual([]);
  expect(await db.tabConversation(5)).toBeUndefined();
  expect(await db.conversations()).toEqual([]);
});

it('a tab shows its conversation again after the host was started anew', async () => {
  const db = await fresh();
  const before = createConversations(db, createIds(Date.now), Date.now);
  const info = await before.current(5, 'https://a.test');
  await before.turnStarted(info, 't', 'Find   a cap');
  const after = createConversations(db, createIds(Date.now), Date.now);
  expect(await after.current(5, 'https://b.test')).toMatchObject({
    id: info.id,
    title: 'Find a cap',
    turns: 1,
  });
  expect((await after.current(6, 'https://b.test')).id).not.toBe(info.id);
});

it('finds conversations by title, by site and by what was said', async () => {
  const db = await fresh();
  const conversations = createConversations(db, createIds(Date.now), Date.now);
  const info = await conversations.current(5, 'https://shop.test');
  await conversations.turnStarted(info, 't', 'Find a cap');
  await db.addEvents([
    { ...notice(info.id, '1', ''), type: 'text', step: 1, channel: 'prose', text: 'Two ha' },
    { ...notice(info.id, '2', ''), type: 'text', step: 1, channel: 'prose', text: 'ts.' },
  ] as AgentEvent[]);
  for (const words of ['FIND', 'shop.test', 'two HATS']) {
    expect(await conversations.list(words)).toHaveLength(1);
  }
  expect(await conversations.list('boots')).toEqual([]);
});

it('a fork leaves the original as it was', async () => {
  const db = await fresh();
  const conversations = createConversations(db, createIds(Date.now), Date.now);
  const info = await conversations.current(5, 'https://shop.test');
  await conversations.turnStarted(info, 't', 'Find a cap');
  await db.addEvents([notice(info.id, '1', 'a', 't1'), notice(info.id, '2', 'b', 't2')]);
  const fork = await conversations.fork(5, info, (await db.events(info.id)).slice(0, 1));
  expect((await conversations.current(5, '')).id).toBe(fork.id);
  expect((await db.events(fork.id)).map((e) => e.turnId)).toEqual(['t1']);
  expect(await db.events(info.id)).toHaveLength(2);
});
