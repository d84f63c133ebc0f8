import 'fake-indexeddb/auto';
import { forceCloseDatabase } from 'fake-indexeddb';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../../lib/agent/events';
import { createConversations } from '../../../lib/host/conversations';
import { createIds } from '../../../lib/host/ids';
import { openDatabase } from '../../../lib/host/indexed-database';
import { createSearch } from '../../../lib/host/search';
import { NO_PROMOTIONS } from '../../../lib/tools/discovery/promotion';

const never = new AbortController().signal;
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

const at = (origin: string) => ({ origin, incognito: false });

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
  const db = fresh();
  await db.addEvents([notice('b', '1', 'x'), notice('a', '2', 'two'), notice('a', '1', 'one')]);
  const texts = (await db.events('a')).map((e) => (e.type === 'notice' ? e.text : ''));
  expect(texts).toEqual(['one', 'two']);
});

it('skips a stored event that no longer fits, not its neighbours', async () => {
  const db = fresh();
  const broken = { ...notice('a', '1', 'x'), level: 'loud' } as unknown as AgentEvent;
  await db.addEvents([broken, notice('a', '2', 'kept')]);
  expect(await db.events('a')).toEqual([notice('a', '2', 'kept')]);
});

it('deletes a conversation with its events, its approvals and its place in a tab', async () => {
  const db = fresh();
  const conversations = createConversations(db, createIds(Date.now), Date.now);
  const info = await conversations.current(5, at('https://a.test'));
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
  const db = fresh();
  const before = createConversations(db, createIds(Date.now), Date.now);
  const info = await before.current(5, at('https://a.test'));
  await before.turnStarted(info, 't', 'Find   a cap');
  const after = createConversations(db, createIds(Date.now), Date.now);
  expect(await after.current(5, at('https://b.test'))).toMatchObject({
    id: info.id,
    title: 'Find a cap',
    turns: 1,
  });
  expect((await after.current(6, at('https://b.test'))).id).not.toBe(info.id);
});

it('finds conversations by title, by site and by what was said', async () => {
  const db = fresh();
  const conversations = createConversations(db, createIds(Date.now), Date.now);
  const info = await conversations.current(5, at('https://shop.test'));
  await conversations.turnStarted(info, 't', 'Find a cap');
  await db.addEvents([
    { ...notice(info.id, '1', ''), type: 'text', step: 1, channel: 'prose', text: 'Two ha' },
    { ...notice(info.id, '2', ''), type: 'text', step: 1, channel: 'prose', text: 'ts.' },
  ] as AgentEvent[]);
  const find = createSearch(db);
  for (const words of ['FIND', 'shop.test', 'two HATS']) {
    expect(await find(words, never)).toHaveLength(1);
  }
  expect(await find('boots', never)).toEqual([]);
});

it('a fork leaves the original as it was', async () => {
  const db = fresh();
  const conversations = createConversations(db, createIds(Date.now), Date.now);
  const info = await conversations.current(5, at('https://shop.test'));
  await conversations.turnStarted(info, 't', 'Find a cap');
  await db.addEvents([notice(info.id, '1', 'a', 't1'), notice(info.id, '2', 'b', 't2')]);
  const fork = await conversations.fork(5, info, (await db.events(info.id)).slice(0, 1), {
    incognito: false,
  });
  expect((await conversations.current(5, at(''))).id).toBe(fork.id);
  expect((await db.events(fork.id)).map((e) => e.turnId)).toEqual(['t1']);
  expect(await db.events(info.id)).toHaveLength(2);
});

it('changes of one conversation that come at the same time are all made', async () => {
  const db = fresh();
  const conversations = createConversations(db, createIds(Date.now), Date.now);
  const info = await conversations.current(5, at('https://shop.test'));
  await conversations.turnStarted(info, 't', 'Find a cap');
  await Promise.all([
    conversations.rename(info.id, 'Caps'),
    conversations.share(5, info, { text: true }),
    conversations.turnEnded(info.id, 't', NO_PROMOTIONS),
  ]);
  expect(await db.conversation(info.id)).toMatchObject({
    title: 'Caps',
    shared: { text: true },
    runningTurn: undefined,
    promotions: NO_PROMOTIONS,
  });
});

it('what the user takes back while a turn begins stays taken back', async () => {
  const db = fresh();
  const conversations = createConversations(db, createIds(Date.now), Date.now);
  const info = await conversations.share(5, await conversations.current(5, at('https://a.test')), {
    text: true,
  });
  const started = conversations.turnStarted(info, 't', 'Read it');
  await conversations.share(5, info, undefined);
  await started;
  expect(conversations.sharedNow(info)).toEqual({});
  expect((await db.conversation(info.id))?.shared).toBeUndefined();
});

it('a view is not told what the user takes back while a turn is being stored', async () => {
  const db = fresh();
  const conversations = createConversations(db, createIds(Date.now), Date.now);
  const info = await conversations.share(5, await conversations.current(5, at('https://a.test')), {
    text: true,
  });
  const setTab = db.setTabConversation;
  vi.spyOn(db, 'setTabConversation').mockImplementation(async (...args) => {
    await conversations.share(5, info, undefined);
    await setTab(...args);
  });
  await conversations.turnStarted(info, 't', 'Read it');
  expect(conversations.shownIn(5)?.shared).toBeUndefined();
});

it('opens itself again when the browser closed it', async () => {
  const name = `closed-${n++}`;
  const db = openDatabase(name);
  await db.addEvents([notice('a', '1', 'x')]);
  const open = indexedDB.open.bind(indexedDB);
  const connections: IDBDatabase[] = [];
  const spy = vi.spyOn(indexedDB, 'open').mockImplementation((...args) => {
    const asked = open(...args);
    asked.addEventListener('success', () => connections.push(asked.result));
    return asked;
  });
  const other = openDatabase(name);
  await other.events('a');
  // Closed under it: the next transaction is refused.
  connections[0]?.close();
  expect(await other.events('a')).toEqual([notice('a', '1', 'x')]);
  expect(connections).toHaveLength(2);
  spy.mockRestore();
});

it.each(['AbortError', 'UnknownError'])(
  'what was under way when the browser closed it is done again, and once: %s',
  async (name) => {
    const db = fresh();
    await db.addEvents([notice('a', '1', 'x')]);
    const opens = vi.spyOn(indexedDB, 'open');
    const begin = IDBDatabase.prototype.transaction;
    let closed: IDBDatabase | undefined;
    const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(function (
      this: IDBDatabase,
      ...args
    ) {
      const tx = begin.apply(this, args);
      closed = this;
      // The browser ends every transaction of a connection that it closes; the event comes later.
      queueMicrotask(() => {
        if (name !== 'AbortError') {
          Object.defineProperty(tx, 'error', { value: new DOMException('Closing.', name) });
        }
        tx.abort();
        this.close();
      });
      return tx;
    });
    await db.addEvents([notice('a', '2', 'y')]);
    // Its types take the class for the connection.
    forceCloseDatabase(closed as never);
    expect(await db.events('a')).toEqual([notice('a', '1', 'x'), notice('a', '2', 'y')]);
    expect(opens).toHaveBeenCalledTimes(1);
    spy.mockRestore();
    opens.mockRestore();
  },
);

it('a disk that is full is told as that, not as a connection that was closed', async () => {
  const db = fresh();
  await db.addEvents([notice('a', '1', 'x')]);
  const opens = vi.spyOn(indexedDB, 'open');
  const begin = IDBDatabase.prototype.transaction;
  const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
    this: IDBDatabase,
    ...args
  ) {
    const tx = begin.apply(this, args);
    queueMicrotask(() => {
      Object.defineProperty(tx, 'error', { value: new DOMException('', 'QuotaExceededError') });
      tx.abort();
    });
    return tx;
  });
  await expect(db.addEvents([notice('a', '2', 'y')])).rejects.toThrow(
    expect.objectContaining({ name: 'QuotaExceededError' }),
  );
  expect(opens).not.toHaveBeenCalled();
  spy.mockRestore();
  opens.mockRestore();
});

it('deleting everything makes a database anew that could not be opened', async () => {
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('Internal error opening backing store.', 'UnknownError');
  });
  const db = fresh();
  await expect(db.conversations()).rejects.toThrow('backing store');
  await db.clear();
  open.mockRestore();
  expect(await db.conversations()).toEqual([]);
});

it('reads a log once for all the keys of a search, and again after a turn', async () => {
  const db = fresh();
  const conversations = createConversations(db, createIds(Date.now), Date.now);
  const info = await conversations.current(5, at('https://shop.test'));
  await conversations.turnStarted(info, 't', 'Find a cap');
  await conversations.turnEnded(info.id, 't');
  const events = vi.spyOn(db, 'events');
  const find = createSearch(db);
  for (const words of ['b', 'bo', 'boo', 'boots']) await find(words, never);
  expect(events).toHaveBeenCalledTimes(1);
  await db.updateConversation(
    info.id,
    (stored) => stored && { ...stored, updatedAt: Date.now() + 1 },
  );
  await db.addEvents([
    {
      ...notice(info.id, '1', ''),
      type: 'turn-ended',
      reason: 'answered',
      message: 'Two boots.',
      remedies: [],
      steps: 1,
    } as AgentEvent,
  ]);
  expect(await find('boots', never)).toHaveLength(1);
  expect(events).toHaveBeenCalledTimes(2);
});

it('a search that nobody waits for any more reads nothing further', async () => {
  const db = fresh();
  for (const id of ['a', 'b', 'c']) {
    await db.updateConversation(id, () => ({
      id,
      title: '',
      origin: '',
      createdAt: 1,
      updatedAt: 1,
      turns: 1,
    }));
  }
  const stop = new AbortController();
  const events = vi.spyOn(db, 'events').mockImplementation(async () => {
    stop.abort(new Error('typed on'));
    return [];
  });
  await expect(createSearch(db)('x', stop.signal)).rejects.toThrow('typed on');
  expect(events).toHaveBeenCalledTimes(1);
});
