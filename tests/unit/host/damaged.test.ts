import { expect, it, vi } from 'vitest';
import { openDatabase } from '../../../lib/host/indexed-database';
import { say, setup, store } from './stage';

const ended = (events: () => { type: string }[], count: number) =>
  vi.waitUntil(() => events().filter((event) => event.type === 'turn-ended').length === count);

it('a store that the browser dropped is told once, and the chat goes on', async () => {
  const { request, events, world } = await setup([say('One.'), say('Two.')], { mark: 3 });
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'hello' });
  await ended(events, 1);
  await request('ask', { tabId: 1, text: 'and now?' });
  await ended(events, 2);
  const told = events().filter((event) => event.type === 'notice');
  expect(told).toMatchObject([{ level: 'error', said: { code: 'history-lost' } }]);
  expect(world.mark).toBe(1);
});

it('what was deleted, or was never there, is not called lost', async () => {
  const database = openDatabase('damaged-1');
  const first = await setup([say('One.'), say('Two.')], { database });
  const { conversation } = await first.request('watch', { tabId: 1 });
  await first.request('ask', { tabId: 1, text: 'hello' });
  await ended(first.events, 1);
  expect(first.world.mark).toBe(1);
  await first.request('deleteConversation', { conversationId: conversation.id });
  expect(first.world.mark).toBe(0);
  const second = await setup([say('Two.')], { database, mark: first.world.mark });
  await second.request('watch', { tabId: 1 });
  await second.request('ask', { tabId: 1, text: 'hello again' });
  await ended(second.events, 1);
  expect(second.events().filter((event) => event.type === 'notice')).toEqual([]);
});

it('after a crash the tab of its site shows the conversation that was cut off, and the history says so', async () => {
  const database = openDatabase('damaged-2');
  const base = { title: 'Caps', createdAt: 0, updatedAt: 0, turns: 1, runningTurn: 't' };
  await store(database, { ...base, id: 'mine', origin: 'https://site.test' });
  await store(database, { ...base, id: 'other', origin: 'https://other.test' });
  const { request } = await setup([say('One.')], { database });
  const { conversation } = await request('watch', { tabId: 9 });
  expect(conversation.id).toBe('mine');
  expect((await request('watch', { tabId: 10 })).conversation.id).not.toBe('mine');
  const listed = await request('listConversations', { search: '' });
  expect(listed.map(({ id, interrupted }) => [id, interrupted]).sort()).toEqual([
    ['mine', true],
    ['other', true],
  ]);
});
