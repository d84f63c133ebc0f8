import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  callBackground,
  onBackgroundPush,
  WorkerLostError,
} from '../../../lib/messages/background-api';
import { MisfitError } from '../../../lib/messages/misfit';

const CLOSED = new Error('A listener indicated an asynchronous response but the channel closed');
const call = {
  tabId: 1,
  callId: 'c',
  again: false,
  arguments: {},
  tool: {
    key: 'd/t',
    name: 't',
    description: '',
    origin: 'https://site.test',
    documentId: 'd',
    frameId: 0,
    surface: 'native' as const,
  },
};

beforeEach(() => {
  fakeBrowser.reset();
  fakeBrowser.runtime.getURL = ((path: string) => `chrome-extension://pagehand${path}`) as never;
});

it('asks again what changes nothing when the worker ended before it answered', async () => {
  const send = vi
    .spyOn(fakeBrowser.runtime, 'sendMessage')
    .mockRejectedValueOnce(CLOSED)
    .mockResolvedValueOnce({ ok: true, value: 'this run' } as never);
  expect(await callBackground('session', {})).toBe('this run');
  expect(send).toHaveBeenCalledTimes(2);
});

it('never asks twice for a call by itself', async () => {
  const send = vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockRejectedValue(CLOSED);
  await expect(callBackground('callTool', call)).rejects.toThrow(WorkerLostError);
  expect(send).toHaveBeenCalledTimes(1);
  await expect(callBackground('session', {})).rejects.toThrow(WorkerLostError);
  expect(send).toHaveBeenCalledTimes(4);
});

it('hears what the background says, not what the script of a page says', () => {
  const listeners: ((raw: unknown, sender: object) => void)[] = [];
  vi.spyOn(fakeBrowser.runtime.onMessage, 'addListener').mockImplementation((listener) => {
    listeners.push(listener as never);
  });
  const heard: string[] = [];
  onBackgroundPush((push) => heard.push(push.push));
  const push = { to: 'pagehand-host', push: 'tab-closed', tabId: 1 };
  const say = (raw: unknown, sender: object) => {
    for (const listener of listeners) listener(raw, sender);
  };
  say(push, { url: 'https://hostile.test/', tab: { id: 1 } });
  expect(heard).toEqual([]);
  say(push, { url: 'chrome-extension://pagehand/background.js' });
  say({ ...push, tabId: 'one' }, {});
  expect(heard).toEqual(['tab-closed']);
});

/** What the background answers next, as it comes out of Chrome. */
const answers = (value: unknown) =>
  vi
    .spyOn(fakeBrowser.runtime, 'sendMessage')
    .mockResolvedValueOnce(JSON.parse(JSON.stringify({ ok: true, value })) as never);

it('what the background answers is checked before anybody uses it', async () => {
  answers({ url: 'https://site.test/', title: 7, restricted: false });
  await expect(callBackground('tab', { tabId: 1 })).rejects.toThrow(/title/);
  answers({ kind: 'result' });
  await expect(callBackground('callTool', call)).rejects.toThrow(MisfitError);
});

it('settings that a background of another version does not know are at their defaults', async () => {
  answers({ engine: 'instant' });
  expect(await callBackground('settings', {})).toMatchObject({ ranking: 'router', sites: {} });
});

it('a tool comes over as the page declared it, whatever its fields are called', async () => {
  const inputSchema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
  const tool = { ...call.tool, inputSchema };
  answers({ tabId: 1, url: '', title: '', tools: [tool], notes: [] });
  const { tools } = await callBackground('collect', { tabId: 1, requestId: 'r' });
  expect(JSON.stringify(tools[0]?.inputSchema)).toBe(JSON.stringify(inputSchema));
});
