import { describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../lib/host/database';
import { createKeptDatabase } from '../../../lib/host/kept-database';
import { Settings } from '../../../lib/settings/settings';
import { readPromotions } from '../../../lib/tools/discovery/promotion';
import { call, say, setup, store } from './stage';

const navigated = (url: string) =>
  ({ to: 'pagehand-host', push: 'navigated', tabId: 1, url }) as const;
const forever = () => new Promise<string>(() => {});

it('what is remembered counts in the same turn, and no longer once it is revoked in it', async () => {
  let revoke = async () => {};
  const { request, heard, events, ran } = await setup([
    call('change', 1),
    call('change', 2),
    async () => {
      await revoke();
      return call('change', 3);
    },
  ]);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 1, 2 and 3' });
  const { callId } = await heard('approval-asked');
  revoke = async () => {
    const [given] = await request('listApprovals', {});
    await request('revokeApproval', { id: given?.id ?? '' });
  };
  await request('answerApproval', { callId, decision: 'allow', remember: true });
  await vi.waitUntil(() => events().filter((e) => e.type === 'approval-asked').length === 3);
  expect(events().flatMap((e) => (e.type === 'approval-answered' ? [e.by] : []))).toEqual([
    'user',
    'remembered',
  ]);
  expect(ran).toEqual(['change {"n":1}', 'change {"n":2}']);
});

it('a navigation takes back what was asked for, also while the tab shows another conversation', async () => {
  const { host, request, heard, database, ran, events } = await setup([call('change', 1)]);
  const { conversation } = await request('watch', { tabId: 1 });
  await store(database, { ...conversation, id: 'other', tabId: undefined });
  await request('ask', { tabId: 1, text: 'change 1' });
  const { callId } = await heard('approval-asked');
  await request('openConversation', { tabId: 1, conversationId: 'other' });
  host.heard(navigated('https://site.test/b'));
  await request('answerApproval', { callId, decision: 'allow', remember: false });
  await vi.waitUntil(async () =>
    (await database.events(conversation.id)).some((e) => e.type === 'turn-ended'),
  );
  expect(ran).toEqual([]);
  expect(events().some((e) => e.type === 'approval-answered')).toBe(false);
});

it('a conversation at work in one tab is not opened in another', async () => {
  const { request, database } = await setup([forever]);
  const { conversation } = await request('watch', { tabId: 1 });
  await store(database, { ...conversation, id: 'other', tabId: undefined });
  await request('ask', { tabId: 1, text: 'long' });
  await request('openConversation', { tabId: 1, conversationId: 'other' });
  await expect(
    request('openConversation', { tabId: 2, conversationId: conversation.id }),
  ).rejects.toThrow('another tab');
});

it('a navigation in mid-turn is told once, whoever tells it', async () => {
  const { host, request, heard, events, world } = await setup([call('look', 1), forever]);
  await request('watch', { tabId: 1 });
  host.heard(navigated('https://site.test/before'));
  world.onCall = () => {
    host.heard(navigated('https://site.test/b'));
    host.heard(navigated('https://site.test/b'));
  };
  await request('ask', { tabId: 1, text: 'look at 1' });
  await heard('call-finished');
  await vi.waitUntil(() => events().filter((e) => e.type === 'step-started').length === 2);
  host.heard(navigated('https://site.test/b'));
  host.heard({ ...navigated('https://site.test/elsewhere'), tabId: 2 });
  const urls = events().flatMap((e) => (e.type === 'page-navigated' ? [e.url] : []));
  expect(urls).toEqual(['https://site.test/b', 'https://site.test/b']);
});

it('of an address on another site only the origin is told', async () => {
  const { host, request, heard, events, world } = await setup([call('look', 1), forever]);
  await request('watch', { tabId: 1 });
  world.onCall = () => host.heard(navigated('https://other.test/u/alice?session=1'));
  await request('ask', { tabId: 1, text: 'look at 1' });
  await heard('call-finished');
  const urls = events().flatMap((e) => (e.type === 'page-navigated' ? [e.url] : []));
  expect(urls).toEqual(['https://other.test']);
});

it('what the user sets for the site counts from the next step of the turn', async () => {
  const { request, heard, prompts, world } = await setup([call('look', 1), say('Done.')]);
  await request('watch', { tabId: 1 });
  world.onCall = () => {
    world.settings = {
      sites: { 'https://site.test': { defer: 'auto', tools: { change: 'hidden' } } },
    };
  };
  await request('ask', { tabId: 1, text: 'look at 1' });
  await heard('turn-ended');
  const shown = prompts.map(({ tools }) => tools.map(({ name }) => name));
  expect(shown[0]).toContain('change');
  expect(shown[1]).toContain('look');
  expect(shown[1]).not.toContain('change');
});

it.each(['stop', 'deleteConversation', 'clearAll'] as const)(
  '%s also ends a turn that is only on its way into the line',
  async (method) => {
    const { request, database, heard, world, ran } = await setup([call('look', 1)]);
    const { conversation } = await request('watch', { tabId: 1 });
    let release: (() => void) | undefined;
    world.onSettings = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const asked = request('ask', { tabId: 1, text: 'look at 1' });
    await vi.waitUntil(() => release);
    const stopped =
      method === 'clearAll'
        ? request('clearAll', {})
        : request(method, { conversationId: conversation.id });
    world.onSettings = async () => {};
    release?.();
    await asked;
    await stopped;
    expect(await heard('turn-ended')).toMatchObject({ reason: 'stopped' });
    expect(ran).toEqual([]);
    const stored = await database.events(conversation.id);
    if (method !== 'stop') expect([stored, await database.conversations()]).toEqual([[], []]);
  },
);

it('old conversations go when the list is asked for, also in a host that lives for weeks', async () => {
  const { request, database, world } = await setup([]);
  const { conversation } = await request('watch', { tabId: 1 });
  await store(database, { ...conversation, id: 'old', updatedAt: 1 });
  await store(database, { ...conversation, id: 'new', updatedAt: Date.now() });
  expect(await request('listConversations', {})).toHaveLength(2);
  world.settings = { keepHistoryDays: 30 };
  expect((await request('listConversations', {})).map(({ id }) => id)).toEqual(['new']);
});

it('a turn whose end was stored is not ended again by the next host', async () => {
  const { host, request, heard, database } = await setup([say('Hi.')]);
  const { conversation } = await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'hello' });
  const { turnId } = await heard('turn-ended');
  const info = await vi.waitUntil(async () => {
    const stored = await database.conversation(conversation.id);
    return stored?.runningTurn === undefined ? stored : undefined;
  });
  await store(database, { ...info, runningTurn: turnId });
  await host.start();
  const ends = (await database.events(conversation.id)).filter((e) => e.type === 'turn-ended');
  expect(ends).toHaveLength(1);
  expect((await database.conversation(conversation.id))?.runningTurn).toBeUndefined();
});

it('a conversation that was exported in mid-turn is imported with an end to it', async () => {
  const { request, heard } = await setup([call('change', 1)]);
  const { conversation } = await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 1' });
  await heard('approval-asked');
  const file = await request('exportConversation', {
    conversationId: conversation.id,
    format: 'json',
  });
  await request('importConversation', { tabId: 2, text: file.text });
  const { events } = await request('watch', { tabId: 2 });
  expect(events.at(-1)).toMatchObject({ type: 'turn-ended', reason: 'interrupted' });
});

it('a tab that the browser gave another id keeps its conversation and its turn', async () => {
  const { host, request, heard, world, ran } = await setup([call('change', 1), call('look', 2)]);
  const { conversation } = await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 1, then look at 2' });
  await heard('approval-asked');
  const asked = new Set<number>();
  world.onPage = (tabId) => asked.add(tabId);
  host.heard({ to: 'pagehand-host', push: 'tab-replaced', tabId: 1, by: 7 });
  expect(await heard('approval-answered')).toMatchObject({ by: 'navigation' });
  await heard('turn-ended');
  expect(ran).toEqual(['look {"n":2}']);
  expect([...asked]).toEqual([7]);
  const shown = await request('watch', { tabId: 7 });
  expect(shown.conversation.id).toBe(conversation.id);
});

it('what was shared of one site is not read on another, also while the tab shows another conversation', async () => {
  const { host, request, prompts, world, database } = await setup([call('look', 1)]);
  const { conversation } = await request('watch', { tabId: 1 });
  await store(database, { ...conversation, id: 'other', tabId: undefined });
  await request('share', { tabId: 1, text: true, selection: false });
  world.onCall = () => {
    world.url = 'https://bank.test/';
    host.heard(navigated('https://bank.test/'));
  };
  let opened: Promise<unknown> | undefined;
  world.onSettings = async () => {
    opened ??= request('openConversation', { tabId: 1, conversationId: 'other' });
  };
  await request('ask', { tabId: 1, text: 'read the page' });
  await opened;
  await vi.waitUntil(async () =>
    (await database.events(conversation.id)).some((e) => e.type === 'turn-ended'),
  );
  const offered = prompts.map(({ tools }) => tools.some(({ name }) => name === 'read_page_text'));
  expect(offered).toEqual([true, false]);
});

it('asking again keeps what searches had found', async () => {
  const { request, heard, world, database, prompts } = await setup([
    JSON.stringify({ type: 'tool_call', name: 'tool_search', arguments: { query: 'look' } }),
    say('Found it.'),
    say('Again.'),
  ]);
  world.settings = Settings.parse({ sites: { 'https://site.test': { defer: 'always' } } });
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'find it' });
  const { conversationId, turnId } = await heard('turn-ended');
  await request('retry', { tabId: 1, conversationId, turnId });
  await vi.waitUntil(() => prompts.length === 3);
  expect(prompts[2]?.tools.map(({ name }) => name)).toContain('look');
  const kept = await database.conversation(conversationId);
  expect(readPromotions(kept?.promotions).promoted).toHaveLength(1);
});

describe('a database that fails', () => {
  const failing = (error: Error): Database =>
    new Proxy({} as Database, { get: () => () => Promise.reject(error) });
  const kept = (error: Error) => createKeptDatabase(failing(error), () => 0);

  it.each([
    { name: 'UnknownError', says: 'Start the browser again' },
    { name: 'QuotaExceededError', says: 'Free some disk space' },
  ])('does not stop a chat: it goes on in memory and says so once ($name)', async (one) => {
    const { request, events } = await setup([say('One.'), say('Two.')], {
      database: kept(new DOMException('No.', one.name)),
    });
    await request('watch', { tabId: 1 });
    for (const [count, text] of ['first', 'second'].entries()) {
      await request('ask', { tabId: 1, text });
      await vi.waitUntil(() => events().filter((e) => e.type === 'turn-ended').length > count);
    }
    const notices = events().flatMap((e) => (e.type === 'notice' ? [e.text] : []));
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(one.says);
    // A view that comes later is told, too, and shows both turns.
    const { events: shown } = await request('watch', { tabId: 1 });
    expect(shown).toEqual(events());
    expect(await request('listConversations', {})).toMatchObject([{ title: 'first', turns: 2 }]);
  });
});
