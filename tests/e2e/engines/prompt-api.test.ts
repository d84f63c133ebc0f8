import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ChatMessage } from '../../../lib/agent/engine';
import { installFakeModel } from '../../fixtures/prompt-api-fake';
import { until } from '../harness';
import { EngineLab, request } from './lab/start';

let lab: EngineLab;
let folder: string;
let missing: string | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prompt-api-'));
  lab = await EngineLab.start(installFakeModel(folder));
  missing = await until(
    'the built-in model',
    async () => (await lab.call('describe', 'prompt-api')).available,
    5000,
  ).then(
    () => undefined,
    () => 'this Chromium has no stand-in for the built-in model',
  );
  if (missing) console.warn(`Prompt API tests are skipped: ${missing}`);
  else await lab.call('load', 'prompt-api');
});
afterAll(async () => {
  await lab?.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach((context) => {
  if (missing) context.skip(missing);
});

test('is loaded in the offscreen document without a click, as it is there already', async () => {
  const description = await lab.call('describe', 'prompt-api');
  expect(description).toMatchObject({ available: true, loaded: 'gemini-nano' });
  expect(description.models[0]).toMatchObject({ installed: true, contextWindow: 8192 });
});

test('reads the instructions and the turns, and streams', async () => {
  const reply = await lab.call('generate', 'prompt-api', request('hello'));
  // The stand-in repeats what it read.
  expect(reply.text).toMatch(/System: You help on this page\. End\.User: hello End\.Model: $/);
  expect(reply.chunks).toBeGreaterThan(1);
});

test('goes on in the same session: the next step reads only what is new', async () => {
  const system = 'You help on this page. '.repeat(40);
  const first = await lab.call(
    'generate',
    'prompt-api',
    request('hello', { system, maxTokens: 2000 }),
  );
  const messages: ChatMessage[] = [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: first.text },
    { role: 'tool', callId: '1', name: 'search', content: 'two results' },
  ];
  const second = await lab.call(
    'generate',
    'prompt-api',
    request('', { system, messages, maxTokens: 2000 }),
  );
  expect(second.text).toContain('Result of search:\ntwo results');
  const { promptTokens = 0, reusedTokens = 0 } = second.end?.usage ?? {};
  expect(reusedTokens / promptTokens).toBeGreaterThan(0.9);
});

test('another conversation keeps the instructions read', async () => {
  const system = 'You know the shop. '.repeat(40);
  await lab.call('generate', 'prompt-api', request('one', { system }));
  const other = await lab.call('generate', 'prompt-api', request('two', { system }));
  expect(other.text).not.toContain('one');
  const { promptTokens = 0, reusedTokens = 0 } = other.end?.usage ?? {};
  expect(reusedTokens / promptTokens).toBeGreaterThan(0.9);
});

test('writes JSON that fits, although the schema holds keywords Chrome refuses', async () => {
  const schema = {
    oneOf: [
      {
        type: 'object',
        properties: {
          type: { const: 'tool_call' },
          tool: { enum: ['search'] },
          tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
        },
        required: ['type', 'tool'],
        if: { required: ['tags'] },
        not: { required: ['text'] },
      },
    ],
  };
  const reply = await lab.call(
    'generate',
    'prompt-api',
    request('hello', { constraint: { kind: 'json', schema } }),
  );
  expect(reply.error).toBeUndefined();
  const json = reply.text.slice(reply.text.indexOf('{'));
  expect(JSON.parse(json)).toMatchObject({ type: 'tool_call', tool: 'search' });
});

test('a conversation that is too long is refused before anything is dropped', async () => {
  const reply = await lab.call('generate', 'prompt-api', request('hello '.repeat(3000)));
  expect(reply.error).toMatchObject({ kind: 'window', message: expect.stringContaining('8,192') });
  const next = await lab.call('generate', 'prompt-api', request('hello'));
  expect(next.end?.finish).toBe('stop');
});

test('instructions that are too long are refused as well', async () => {
  const system = 'long '.repeat(4000);
  const reply = await lab.call('generate', 'prompt-api', request('hello', { system }));
  expect(reply.error?.kind).toBe('window');
});

test('stops in mid-stream, three times, and goes on', async () => {
  for (let i = 0; i < 3; i++) {
    const stopped = await lab.call('generate', 'prompt-api', request('hello'), 1);
    expect(stopped).toMatchObject({ chunks: 1, end: { finish: 'abort' } });
  }
  const reply = await lab.call('generate', 'prompt-api', request('hello'));
  expect(reply.end?.finish).toBe('stop');
});

test('a reply longer than allowed is cut', async () => {
  const reply = await lab.call('generate', 'prompt-api', request('hello', { maxTokens: 2 }));
  expect(reply.end?.finish).toBe('length');
});
