import { expect, test, vi } from 'vitest';
import { EvalSite } from '../../../lib/evals/format';
import { call, say, setup } from './stage';

async function recorded(stage: Awaited<ReturnType<typeof setup>>): Promise<EvalSite> {
  const { conversation } = await stage.request('watch', { tabId: 1 });
  await stage.request('ask', { tabId: 1, text: 'Look at 2' });
  await stage.heard('turn-ended');
  const { text } = await stage.request('exportConversation', {
    conversationId: conversation.id,
    format: 'eval',
  });
  return EvalSite.parse(JSON.parse(text));
}

test('a recorded conversation, replayed, calls the same again; nothing runs on the page', async () => {
  const stage = await setup([call('look', 2), say('Seen.'), call('look', 2), say('Seen.')]);
  const site = await recorded(stage);
  expect(stage.ran).toEqual(['look {"n":2}']);
  const { engine, turns } = await stage.request('replay', { tabId: 1, site, tools: 'recorded' });
  expect(engine).toBe('instant');
  expect(turns).toEqual([
    {
      ask: 'Look at 2',
      calls: [{ name: 'look', arguments: { n: 2 } }],
      text: 'Seen.',
      differences: [],
    },
  ]);
  // The model read what the page had returned when it was recorded.
  expect(JSON.stringify(stage.prompts.at(-1)?.messages)).toContain('look worked');
  expect(stage.ran).toHaveLength(1);
});

test('what comes out otherwise is told', async () => {
  const stage = await setup([call('look', 2), say('Seen.'), call('look', 3), say('Seen.')]);
  const site = await recorded(stage);
  const { turns } = await stage.request('replay', { tabId: 1, site, tools: 'page' });
  expect(turns[0]?.differences).toEqual([
    { kind: 'value', tool: 'look', argument: 'n', expected: 2, got: 3 },
  ]);
});

test('with the page’s tools, the model is shown the definitions of now', async () => {
  const stage = await setup([call('look', 2), say('Seen.')]);
  const site = await recorded(stage);
  const old = { ...site, tools: site.tools.map((tool) => ({ ...tool, description: 'Of old.' })) };
  await stage.request('replay', { tabId: 1, site: old, tools: 'recorded' });
  expect(JSON.stringify(stage.prompts.at(-1)?.tools)).toContain('Of old.');
  await stage.request('replay', { tabId: 1, site: old, tools: 'page' });
  expect(JSON.stringify(stage.prompts.at(-1)?.tools)).not.toContain('Of old.');
});

test('a real turn takes the model away from a replay, and keeps it until it has ended', async () => {
  const never = () => new Promise<string>(() => {});
  const stage = await setup([call('look', 2), say('Seen.'), never, never], { engine: 'web-llm' });
  const site = await recorded(stage);
  const replay = stage.request('replay', { tabId: 1, site, tools: 'recorded' });
  await vi.waitUntil(() => stage.prompts.length === 3);
  await stage.request('ask', { tabId: 1, text: 'Look at 3' });
  await expect(replay).rejects.toThrow('at work');
  await vi.waitUntil(() => stage.prompts.length === 4);
  await expect(stage.request('replay', { tabId: 1, site, tools: 'recorded' })).rejects.toThrow(
    'at work',
  );
});
