import { expect, it, vi } from 'vitest';
import { pathOf } from '../../../lib/agent/branches';
import { EngineError } from '../../../lib/agent/engine';
import { AgentEvent } from '../../../lib/agent/events';
import { foldTranscript } from '../../../lib/agent/transcript';
import type { Database } from '../../../lib/host/database';
import { createMemoryDatabase } from '../../../lib/host/memory-database';
import { Settings } from '../../../lib/settings/settings';
import { readPromotions } from '../../../lib/tools/discovery/promotion';
import { call, say, setup, store } from './stage';

it('a turn runs from the request to its end, told and stored in the same order', async () => {
  const { request, heard, events, database, ran } = await setup([
    call('look', 3),
    say('It worked.'),
  ]);
  const { conversation } = await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'Look at 3' });
  expect(await heard('turn-ended')).toMatchObject({ reason: 'answered' });
  expect(ran).toEqual(['look {"n":3}']);
  await vi.waitUntil(
    async () => (await database.events(conversation.id)).length === events().length,
  );
  expect(await database.events(conversation.id)).toEqual(events());
});

it('who hears that a turn has ended may ask again at once', async () => {
  const { request, heard, events } = await setup([say('One.'), say('Two.')]);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'first' });
  await heard('turn-ended');
  await request('ask', { tabId: 1, text: 'second' });
  await vi.waitUntil(() => events().filter((e) => e.type === 'turn-ended').length === 2);
});

it('refuses a second request while the first one runs', async () => {
  const { request } = await setup([() => new Promise(() => {})]);
  await request('watch', { tabId: 1 });
  const both = await Promise.allSettled([
    request('ask', { tabId: 1, text: 'one' }),
    request('ask', { tabId: 1, text: 'two' }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('a change waits for the user and runs only when it was allowed', async () => {
  const { request, heard, ran } = await setup([call('change', 1), say('ok')]);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 1' });
  const { callId } = await heard('approval-asked');
  expect(ran).toEqual([]);
  await request('answerApproval', { callId, decision: 'allow', remember: false });
  await heard('turn-ended');
  expect(ran).toEqual(['change {"n":1}']);
});

it('every view is told that a turn waits for its user, and when it waits no more', async () => {
  const { request, heard, pushes } = await setup([call('change', 1), say('ok')]);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 1' });
  const { callId } = await heard('approval-asked');
  const told = () => {
    const last = pushes.findLast((push) => push.push === 'status');
    return last?.push === 'status' ? last.status.busy?.waitsFor : undefined;
  };
  await vi.waitUntil(() => told() === 'approval');
  expect((await request('watch', { tabId: 2 })).status.busy).toMatchObject({
    tabId: 1,
    waitsFor: 'approval',
  });
  await request('answerApproval', { callId, decision: 'allow', remember: false });
  expect(told()).toBeUndefined();
});

it('what is remembered is asked no more in this chat, and again once it is revoked', async () => {
  const { request, heard, events, ran } = await setup([
    call('change', 1),
    say('ok'),
    call('change', 2),
    say('ok'),
    call('change', 3),
  ]);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 1' });
  const { callId } = await heard('approval-asked');
  await request('answerApproval', { callId, decision: 'allow', remember: true });
  await heard('turn-ended');
  await vi.waitUntil(async () => (await request('listApprovals', {})).length === 1);
  await request('ask', { tabId: 1, text: 'change 2' });
  await vi.waitUntil(() => ran.length === 2);
  await vi.waitUntil(() => events().filter((e) => e.type === 'turn-ended').length === 2);
  const [given] = await request('listApprovals', {});
  expect(given).toMatchObject({ toolName: 'change', origin: 'https://site.test' });
  await request('revokeApproval', { id: given?.id ?? '' });
  await request('ask', { tabId: 1, text: 'change 3' });
  await vi.waitUntil(
    () => events().filter((e) => e.type === 'approval-asked' && e.callId !== callId).length > 0,
  );
  expect(ran).toHaveLength(2);
});

it('what is allowed on the site holds in every chat, until it is taken back', async () => {
  const { request, heard, events, ran } = await setup([
    call('change', 1),
    say('ok'),
    call('change', 2),
    say('ok'),
    call('change', 3),
  ]);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 1' });
  const { callId } = await heard('approval-asked');
  await request('answerApproval', { callId, decision: 'allow', remember: true, scope: 'site' });
  await heard('turn-ended');
  await vi.waitUntil(async () => (await request('listApprovals', {})).length === 1);
  await request('newConversation', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 2' });
  await vi.waitUntil(() => ran.length === 2);
  await vi.waitUntil(() => events().filter((e) => e.type === 'turn-ended').length === 2);
  const [given] = await request('listApprovals', {});
  expect(given).toMatchObject({ toolName: 'change', conversationId: '' });
  await request('revokeApproval', { id: given?.id ?? '' });
  await request('ask', { tabId: 1, text: 'change 3' });
  await vi.waitUntil(() => events().filter((e) => e.type === 'approval-asked').length === 3);
  expect(events().findLast((e) => e.type === 'approval-asked')).not.toHaveProperty('remembered');
  expect(ran).toHaveLength(2);
});

it('runs what the user made of the arguments, keeps what the model wrote, and refuses what does not fit', async () => {
  const { request, heard, events, ran, prompts } = await setup([call('change', 1), say('ok')]);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 1' });
  const { callId } = await heard('approval-asked');
  const allow = { callId, decision: 'allow', remember: false } as const;
  const wrong = await request('answerApproval', { ...allow, arguments: { n: 'two' } });
  expect(wrong.problems).toMatchObject([{ path: 'n' }]);
  expect(ran).toEqual([]);
  const right = await request('answerApproval', { ...allow, arguments: { n: 2 } });
  expect(right.problems).toEqual([]);
  await heard('turn-ended');
  expect(ran).toEqual(['change {"n":2}']);
  expect(events()).toContainEqual(
    expect.objectContaining({ type: 'call-proposed', arguments: { n: 1 } }),
  );
  expect(events()).toContainEqual(
    expect.objectContaining({ type: 'approval-answered', arguments: { n: 2 } }),
  );
  expect(JSON.stringify(prompts.at(-1)?.messages)).toContain('The user changed the arguments');
});

it('a navigation takes back what was asked for', async () => {
  const { host, request, heard, ran } = await setup([call('change', 1), say('ok')]);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 1' });
  const { callId } = await heard('approval-asked');
  host.heard({ to: 'pagehand-host', push: 'navigated', tabId: 1, url: 'https://site.test/b' });
  expect(await heard('approval-answered')).toMatchObject({ decision: 'deny', by: 'navigation' });
  await request('answerApproval', { callId, decision: 'allow', remember: false });
  await heard('turn-ended');
  expect(ran).toEqual([]);
});

it('the page’s text can be read only after the user shared it', async () => {
  const { request, heard, prompts, events } = await setup([say('1'), say('2')]);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'read the page' });
  await heard('turn-ended');
  const shown = await request('share', { tabId: 1, text: true, selection: false });
  expect(shown.conversation.shared).toMatchObject({ text: true, selection: false });
  await request('ask', { tabId: 1, text: 'read the page' });
  await vi.waitUntil(() => events().filter((e) => e.type === 'turn-ended').length === 2);
  const offered = prompts.map(({ tools }) => tools.some(({ name }) => name === 'read_page_text'));
  expect(offered).toEqual([false, true]);
});

it('what was shared of one site is not shared of the next one', async () => {
  const { host, request, heard, prompts } = await setup([say('1')]);
  await request('watch', { tabId: 1 });
  await request('share', { tabId: 1, text: true, selection: true });
  host.heard({ to: 'pagehand-host', push: 'navigated', tabId: 1, url: 'https://site.test/other' });
  expect((await request('watch', { tabId: 1 })).conversation.shared?.text).toBe(true);
  host.heard({ to: 'pagehand-host', push: 'navigated', tabId: 1, url: 'https://bank.test/' });
  expect((await request('watch', { tabId: 1 })).conversation.shared).toBeUndefined();
  await request('ask', { tabId: 1, text: 'read the page' });
  await heard('turn-ended');
  expect(prompts[0]?.tools.map(({ name }) => name)).not.toContain('read_page_text');
});

it('what is shared no more in the middle of a turn is not offered in its next step', async () => {
  const { request, heard, prompts, world } = await setup([call('look', 1), say('ok')]);
  await request('watch', { tabId: 1 });
  await request('share', { tabId: 1, text: true, selection: false });
  world.onCall = () => void request('share', { tabId: 1, text: false, selection: false });
  await request('ask', { tabId: 1, text: 'read the page' });
  await heard('turn-ended');
  const offered = prompts.map(({ tools }) => tools.some(({ name }) => name === 'read_page_text'));
  expect(offered).toEqual([true, false]);
});

it('asking again keeps what the user shared', async () => {
  const { request, heard, prompts } = await setup([say('1'), say('2')]);
  await request('watch', { tabId: 1 });
  await request('share', { tabId: 1, text: true, selection: false });
  await request('ask', { tabId: 1, text: 'read the page' });
  const { conversationId, turnId } = await heard('turn-ended');
  await request('retry', { tabId: 1, conversationId, turnId });
  await vi.waitUntil(() => prompts.length === 2);
  expect(prompts[1]?.tools.map(({ name }) => name)).toContain('read_page_text');
});

it('what a search found is kept with the conversation', async () => {
  const { request, heard, world, database } = await setup([
    JSON.stringify({ type: 'tool_call', name: 'tool_search', arguments: { query: 'look' } }),
    say('Found it.'),
  ]);
  world.settings = Settings.parse({ sites: { 'https://site.test': { defer: 'always' } } });
  const { conversation } = await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'look at it' });
  await heard('turn-ended');
  await vi.waitUntil(async () => {
    const kept = await database.conversation(conversation.id);
    return readPromotions(kept?.promotions).promoted.some(({ key }) => key === 'doc/look');
  });
});

it('closing the tab ends its turn, and says why', async () => {
  const { host, request, heard } = await setup([call('change', 1)]);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 1' });
  await heard('approval-asked');
  host.heard({ to: 'pagehand-host', push: 'tab-closed', tabId: 1 });
  expect(await heard('turn-ended')).toMatchObject({ reason: 'page-gone', remedies: ['retry'] });
});

it('closing a tab whose turn waits in the line ends that turn the same way', async () => {
  const { host, request, heard, ran } = await setup([() => new Promise(() => {})]);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'long' });
  await request('watch', { tabId: 2 });
  await request('ask', { tabId: 2, text: 'change 1' });
  host.heard({ to: 'pagehand-host', push: 'tab-closed', tabId: 2 });
  expect(await heard('turn-ended')).toMatchObject({ reason: 'page-gone' });
  expect(ran).toEqual([]);
});

it('an engine that fails leaves what was said, says what can be done, and is loaded anew', async () => {
  const { request, heard, loads, events } = await setup([
    new EngineError('device-lost', 'The graphics card was lost.'),
    say('Back again.'),
  ]);
  await request('watch', { tabId: 1 });
  const { turnId } = await request('ask', { tabId: 1, text: 'hello' });
  expect(await heard('engine-failed')).toMatchObject({ remedies: ['retry', 'other-engine'] });
  const ended = await heard('turn-ended');
  expect(ended.reason).toBe('engine-failed');
  const before = loads();
  await request('retry', { tabId: 1, conversationId: ended.conversationId, turnId });
  await vi.waitUntil(() =>
    events().some((e) => e.type === 'turn-ended' && e.reason === 'answered'),
  );
  expect(loads()).toBe(before + 1);
});

it('a second tab waits, hears its place, and Stop takes it out of the line', async () => {
  const { request, heard } = await setup([() => new Promise(() => {})]);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'long' });
  const { conversation } = await request('watch', { tabId: 2 });
  await request('ask', { tabId: 2, text: 'short' });
  expect(await heard('turn-queued')).toMatchObject({ position: 1, busyTabId: 1 });
  expect((await request('watch', { tabId: 2 })).status.queue).toHaveLength(1);
  await request('stop', { conversationId: conversation.id });
  expect(await heard('turn-ended')).toMatchObject({ reason: 'stopped' });
  expect((await request('watch', { tabId: 2 })).status.queue).toEqual([]);
});

it('retry goes on from before the message, as another version in the same conversation', async () => {
  const { request, heard, prompts, database } = await setup([say('1'), say('2'), say('3')]);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'first' });
  await heard('turn-ended');
  const { turnId } = await request('ask', { tabId: 1, text: 'second' });
  const second = await vi.waitUntil(async () => {
    const end = await heard('turn-ended');
    return end.turnId === turnId ? end : undefined;
  });
  await request('retry', {
    tabId: 1,
    conversationId: second.conversationId,
    turnId,
    text: 'second, better',
  });
  await vi.waitUntil(() => prompts.length === 3);
  const last = prompts[2]?.messages.map(({ content }) => content).join('\n') ?? '';
  expect(last).toContain('first');
  expect(last).toContain('second, better');
  expect(last.match(/second/g)).toHaveLength(1);
  await heard('turn-ended');
  expect(await database.conversations()).toHaveLength(1);
  const told = foldTranscript(await database.events(second.conversationId));
  expect(told.map(({ ask }) => ask)).toEqual(['first', 'second', 'second, better']);
  expect(pathOf(told).map(({ ask }) => ask)).toEqual(['first', 'second, better']);
  // From the version left behind on: the other one is not told.
  await vi.waitUntil(async () => (await request('watch', { tabId: 1 })).status.busy === null);
  await request('ask', { tabId: 1, text: 'third', after: turnId });
  await vi.waitUntil(() => prompts.length === 4);
  const third = prompts[3]?.messages.map(({ content }) => content).join('\n') ?? '';
  expect(third).toContain('second');
  expect(third).not.toContain('second, better');
});

it('deleting everything leaves nothing behind, also of a turn that runs', async () => {
  const { request, heard, database } = await setup([call('change', 1)]);
  const { conversation } = await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 1' });
  await heard('approval-asked');
  await request('clearAll', {});
  expect(await database.conversations()).toEqual([]);
  expect(await database.events(conversation.id)).toEqual([]);
});

it('a change is on disk as begun before it runs', async () => {
  const disk = createMemoryDatabase();
  let mend = () => {};
  const slow = new Promise<void>((resolve) => {
    mend = resolve;
  });
  const database: Database = {
    ...disk,
    async addEvents(events) {
      if (events.some(({ type }) => type === 'call-started')) await slow;
      return disk.addEvents(events);
    },
  };
  const { request, heard, ran } = await setup([call('change', 1)], { database });
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'change 1' });
  const { callId } = await heard('approval-asked');
  await request('answerApproval', { callId, decision: 'allow', remember: false });
  await heard('call-started');
  await new Promise((resolve) => setImmediate(resolve));
  expect(ran).toEqual([]);
  mend();
  await heard('turn-ended');
  expect(ran).toEqual(['change {"n":1}']);
});

it('after a kill the turn says what was done and what may have been', async () => {
  const { host, request, database } = await setup([]);
  const { conversation } = await request('watch', { tabId: 1 });
  await store(database, { ...conversation, runningTurn: 'lost' });
  const proposed = (callId: string, name: string, readOnly: boolean) => ({
    type: 'call-proposed',
    step: 1,
    callId,
    tool: { key: name, name, origin: 'https://site.test' },
    arguments: {},
    deferred: false,
    readOnly,
    consequential: false,
    fixes: [],
    unsourced: [],
    unchecked: [],
  });
  const finished = { ok: true, result: '1', shown: '1', ms: 1, mayHaveRun: false };
  const log = [
    { type: 'turn-started', ask: 'change 1', tabId: 1, url: '', engine: 'instant' },
    proposed('a', 'look', true),
    { type: 'call-started', callId: 'a' },
    { type: 'call-finished', callId: 'a', ...finished },
    proposed('b', 'change', false),
    { type: 'call-started', callId: 'b' },
  ];
  const place = { conversationId: conversation.id, turnId: 'lost' };
  await database.addEvents(
    log.map((body, n) => AgentEvent.parse({ ...body, ...place, id: `0${n}`, at: n })),
  );
  await host.start();
  const { events } = await request('openConversation', {
    tabId: 1,
    conversationId: conversation.id,
  });
  expect(events.at(-1)).toMatchObject({
    type: 'turn-ended',
    reason: 'interrupted',
    message:
      'The browser ended while this was running. Done so far: look. May have run without answering: change.',
  });
});

it('a turn that a dead host left behind is shown as interrupted', async () => {
  const { host, request, database } = await setup([]);
  const { conversation } = await request('watch', { tabId: 1 });
  await store(database, { ...conversation, runningTurn: 'lost' });
  await host.start();
  const { events } = await request('openConversation', {
    tabId: 1,
    conversationId: conversation.id,
  });
  expect(events).toMatchObject([{ type: 'turn-ended', turnId: 'lost', reason: 'interrupted' }]);
});

it('runs a tool by hand only with arguments that fit', async () => {
  const { request, ran } = await setup([]);
  const wrong = await request('runTool', { tabId: 1, key: 'doc/change', arguments: { n: 'x' } });
  expect(wrong).toMatchObject({ outcome: null, problems: [{ path: 'n' }] });
  const gone = await request('runTool', { tabId: 1, key: 'doc/other', arguments: {} });
  expect(gone.problems[0]?.message).toContain('no longer offers');
  expect(ran).toEqual([]);
  const right = await request('runTool', { tabId: 1, key: 'doc/change', arguments: { n: 1 } });
  expect(right.outcome).toMatchObject({ value: 'change worked' });
});

it('a preview shows ranking, prompt and call, and runs nothing', async () => {
  const { request, ran } = await setup([call('change', 1)]);
  const shown = await request('preview', { tabId: 1, ask: 'change it to 1' });
  expect(shown.ranked[0]?.name).toBe('change');
  expect(shown.system).toContain('Does look.');
  expect(shown.calls).toEqual([
    { engine: 'instant', call: { name: 'change', arguments: { n: 1 } }, text: '' },
  ]);
  expect(ran).toEqual([]);
});

it('a turn takes the model away from a preview that is not done', async () => {
  const { request, heard, prompts } = await setup([() => new Promise(() => {}), say('The turn.')]);
  await request('watch', { tabId: 1 });
  const preview = request('preview', { tabId: 1, ask: 'change it to 1' });
  await vi.waitUntil(() => prompts.length === 1);
  await request('ask', { tabId: 1, text: 'hello' });
  expect((await preview).calls).toEqual([]);
  expect(await heard('turn-ended')).toMatchObject({ reason: 'answered' });
});

it('lists tools with what they cost and who decided how they reach the model', async () => {
  const { request } = await setup([]);
  const { listed, budget } = await request('catalog', { tabId: 1 });
  expect(
    listed.map(({ tool: { name }, exposure, exposureBy }) => [name, exposure, exposureBy]),
  ).toEqual([
    ['look', 'direct', 'auto'],
    ['change', 'direct', 'auto'],
  ]);
  expect(listed.every(({ bytes, tokens }) => bytes > tokens && tokens > 0)).toBe(true);
  expect(budget?.direct).toBeGreaterThan(0);
});

it('a tool run by hand is told in the conversation, and Stop ends it', async () => {
  const { request, heard, events, ran, world } = await setup([]);
  const { conversation } = await request('watch', { tabId: 1 });
  const run = { tabId: 1, key: 'doc/change', arguments: { n: 4 } };
  const { outcome } = await request('runTool', run);
  expect(outcome).toMatchObject({ kind: 'result', value: 'change worked' });
  expect(await heard('turn-started')).toMatchObject({ byHand: true, ask: '' });
  expect(events().map((event) => event.type)).toEqual([
    'turn-started',
    'call-proposed',
    'call-started',
    'call-finished',
    'turn-ended',
  ]);
  expect(ran).toEqual(['change {"n":4}']);
  const [listed] = await request('listConversations', {});
  expect(listed).toMatchObject({ id: conversation.id, title: 'change', turns: 1 });
  world.onCall = () => {
    throw new DOMException('Stopped.', 'AbortError');
  };
  await expect(request('runTool', run)).rejects.toThrow();
  expect(events().findLast((e) => e.type === 'call-finished')).toMatchObject({
    ok: false,
    mayHaveRun: true,
  });
  expect(events().at(-1)).toMatchObject({ type: 'turn-ended', reason: 'stopped' });
});
