import { expect, it, vi } from 'vitest';
import { call, say, setup } from './stage';

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
  await database.putConversation({ ...conversation, id: 'other', tabId: undefined });
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
  await database.putConversation({ ...conversation, id: 'other', tabId: undefined });
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
  await database.putConversation({ ...conversation, id: 'old', updatedAt: 1 });
  await database.putConversation({ ...conversation, id: 'new', updatedAt: Date.now() });
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
  await database.putConversation({ ...info, runningTurn: turnId });
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
