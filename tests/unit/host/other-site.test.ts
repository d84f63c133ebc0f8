import { expect, it, vi } from 'vitest';
import { call, say, setup } from './stage';

const textOf = (value: unknown) => JSON.stringify(value);

it('a conversation that moves to another site starts anew there, and again when it comes back', async () => {
  const { request, events, prompts, world } = await setup([
    call('look', 815),
    say('The code is SECRET-815.'),
    say('Nothing is known here.'),
    say('Still nothing.'),
    say('Nor here.'),
  ]);
  const ended = (count: number) =>
    vi.waitUntil(() => events().filter((event) => event.type === 'turn-ended').length === count);
  await request('watch', { tabId: 1 });
  await request('ask', { tabId: 1, text: 'look at 815' });
  await ended(1);
  world.url = 'https://other.test/b';
  await request('ask', { tabId: 1, text: 'show it' });
  await ended(2);
  expect(textOf(prompts[2])).not.toContain('815');
  await request('ask', { tabId: 1, text: 'and now?' });
  await ended(3);
  expect(textOf(prompts[3])).toContain('Nothing is known here.');
  world.url = 'https://site.test/a';
  await request('ask', { tabId: 1, text: 'and here?' });
  await ended(4);
  expect(textOf(prompts[4])).not.toMatch(/815|Nothing is known/);
});
