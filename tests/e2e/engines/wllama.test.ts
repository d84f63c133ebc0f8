import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../lib/agent/engine';
import type { CompactTool } from '../../../lib/tools/tool';
import { compileScriptedModel } from '../../fixtures/scripted-gguf/compile';
import { SHOP_SCRIPT, shopModel } from '../../fixtures/scripted-gguf/shop-model';
import { EngineLab, request } from './lab/start';
import { ModelServer } from './model-server';

const model = shopModel();
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const listing = (oid: string) =>
  JSON.stringify([{ path: 'shop.gguf', size: model.length, lfs: { oid, size: model.length } }]);

let lab: EngineLab;
let server: ModelServer;
const url = (path: string) => server.origin + path;

beforeAll(async () => {
  server = await ModelServer.start({
    '/shop.gguf': model,
    '/again.gguf': model,
    '/slow.gguf': model,
    '/cut.gguf': model.subarray(0, model.length - 1000),
    '/page.gguf': 'this is no model',
    '/o/good/resolve/main/shop.gguf': model,
    '/api/models/o/good/tree/main': listing(sha256(model)),
    '/o/bad/resolve/main/shop.gguf': model,
    '/api/models/o/bad/tree/main': listing('0'.repeat(64)),
    '/no-template.gguf': compileScriptedModel({ ...SHOP_SCRIPT, template: undefined }),
    '/broken-template.gguf': compileScriptedModel({ ...SHOP_SCRIPT, template: '{% for %}{{' }),
    '/small.gguf': compileScriptedModel({ ...SHOP_SCRIPT, contextLength: 1024 }),
  });
  lab = await EngineLab.start();
});
afterAll(async () => {
  await lab?.stop();
  await server?.stop();
});

const requestsFor = (path: string) => server.requests.filter((r) => r.path === path);

describe('a model in real llama.cpp', () => {
  beforeAll(async () => {
    const { error } = await lab.call('load', 'wllama', url('/shop.gguf'));
    expect(error).toBeUndefined();
  });

  test('streams prose', async () => {
    const reply = await lab.call('generate', 'wllama', request('hello'));
    expect(reply).toMatchObject({ text: 'I can help with this page.', end: { finish: 'stop' } });
    expect(reply.chunks).toBeGreaterThan(2);
    expect(reply.end?.usage.completionTokens).toBe(5);
  });

  test('lets thinking through as the model wrote it', async () => {
    const reply = await lab.call('generate', 'wllama', request('ponder'));
    expect(reply.text).toBe('<think>Let me see what this page is</think>It is a shop indeed.');
  });

  test('calls, reads the result and answers, with the first step still in its cache', async () => {
    const system = 'You help on this page. '.repeat(60);
    const first = await lab.call('generate', 'wllama', request('red sneakers', { system }));
    expect(first.text).toContain('{"name": "search_products", "arguments": {"query": "red running');
    const messages: ChatMessage[] = [
      { role: 'user', content: 'red sneakers' },
      { role: 'assistant', content: first.text },
      { role: 'tool', callId: '1', name: 'search_products', content: '{"matches": [1, 2]}' },
    ];
    const second = await lab.call('generate', 'wllama', request('', { system, messages }));
    expect(second.text).toBe('Found the results you asked for!');
    const { promptTokens = 0, reusedTokens = 0 } = second.end?.usage ?? {};
    expect(promptTokens).toBeGreaterThan(700);
    expect(reusedTokens / promptTokens).toBeGreaterThan(0.9);
    expect(second.prefill.at(-1)).toBe(promptTokens);
  });

  test('keeps to a JSON schema', async () => {
    const schema = {
      type: 'object',
      properties: { type: { const: 'message' }, count: { type: 'integer' } },
      required: ['type', 'count'],
    };
    const reply = await lab.call(
      'generate',
      'wllama',
      request('hello', { constraint: { kind: 'json', schema } }),
    );
    expect(JSON.parse(reply.text)).toEqual({ type: 'message', count: expect.any(Number) });
  });

  test('a schema that means nothing harms nobody', async () => {
    const schema = { type: 'strnig', $ref: '#/nowhere', anyOf: [{ $ref: 'http://x.test/' }] };
    const reply = await lab.call(
      'generate',
      'wllama',
      request('hello', { constraint: { kind: 'json', schema } }),
    );
    expect(reply.error).toBeUndefined();
    expect(() => JSON.parse(reply.text)).not.toThrow();
  });

  test('under constrained calls it can only call a tool that exists', async () => {
    const tools: CompactTool[] = [
      {
        name: 'find_things',
        description: '',
        parameters: {
          type: 'object',
          properties: { words: { type: 'string' }, kind: { enum: ['new', 'used'] } },
          required: ['kind'],
        },
      },
    ];
    const reply = await lab.call(
      'generate',
      'wllama',
      request('sneakers', { tools, constraint: { kind: 'calls', dialect: 'hermes', tools } }),
    );
    const call = /<tool_call>([\s\S]*)<\/tool_call>/.exec(reply.text)?.[1] ?? '';
    expect(JSON.parse(call)).toMatchObject({
      name: 'find_things',
      arguments: { kind: expect.stringMatching(/^(new|used)$/) },
    });
    expect(reply.text.startsWith('Looking for them.')).toBe(true);
  });

  test('stops in mid-stream, three times, and goes on', async () => {
    for (let i = 0; i < 3; i++) {
      const stopped = await lab.call('generate', 'wllama', request('novel'), 3);
      expect(stopped).toMatchObject({ end: { finish: 'abort' } });
      expect(stopped.chunks).toBe(3);
    }
    const reply = await lab.call('generate', 'wllama', request('hello'));
    expect(reply.text).toBe('I can help with this page.');
  });

  test('an endless reply is cut at its limit', async () => {
    const reply = await lab.call('generate', 'wllama', request('endlessly', { maxTokens: 50 }));
    expect(reply.end).toMatchObject({ finish: 'length', usage: { completionTokens: 50 } });
  });

  test('an empty reply is an end without text', async () => {
    const reply = await lab.call('generate', 'wllama', request('silently'));
    expect(reply).toMatchObject({ text: '', chunks: 0, end: { finish: 'stop' } });
  });

  test('outlives the service worker', async () => {
    const running = lab.call('generate', 'wllama', request('endlessly', { maxTokens: 400 }));
    await lab.harness.killWorker();
    expect((await running).end?.usage.completionTokens).toBe(400);
  });

  test('learns how many tokens its text takes', async () => {
    const text = 'zebra '.repeat(100);
    await lab.call('generate', 'wllama', request(text, { system: '' }));
    // The scripted model reads bytes, which no estimate would guess.
    const counted = await lab.call('count', 'wllama', text);
    expect(counted).toBeGreaterThan(text.length * 0.9);
    expect(counted).toBeLessThan(text.length * 1.2);
  });
});

describe('the window', () => {
  test('a prompt that does not fit says so, and the next one is answered', async () => {
    await lab.call('load', 'wllama', url('/small.gguf'));
    const facts = await lab.call('facts', 'wllama');
    expect(facts.window).toBe(1024);
    const tooLong = await lab.call('generate', 'wllama', request('hello '.repeat(300)));
    expect(tooLong.error).toMatchObject({
      kind: 'window',
      message: expect.stringContaining('1,024'),
    });
    expect((await lab.call('generate', 'wllama', request('hello'))).text).toMatch(/^I can help/);
  });

  test('a reply that reaches its end is cut, not lost', async () => {
    const reply = await lab.call('generate', 'wllama', request('endlessly', { maxTokens: 5000 }));
    expect(reply.end?.finish).toBe('length');
    expect(reply.end?.usage.completionTokens).toBeLessThan(1024);
  });
});

describe('chat templates', () => {
  test.each(['/no-template.gguf', '/broken-template.gguf'])(
    '%s falls back to ChatML',
    async (path) => {
      expect((await lab.call('load', 'wllama', url(path))).error).toBeUndefined();
      const reply = await lab.call('generate', 'wllama', request('hello'));
      expect(reply.text).toBe('I can help with this page.');
    },
  );
});

describe('downloads', () => {
  test('bytes are shown, and the second load asks nobody', async () => {
    await lab.call('unload', 'wllama');
    await lab.call('deleteModel', url('/again.gguf'));
    const first = await lab.call('load', 'wllama', url('/again.gguf'));
    const download = first.progress.filter((p) => p.phase === 'download');
    expect(download.at(-1)).toMatchObject({ done: model.length, total: model.length });
    expect(first.progress.at(-1)?.phase).toBe('prepare');

    await lab.call('unload', 'wllama');
    const before = server.requests.length;
    const second = await lab.call('load', 'wllama', url('/again.gguf'));
    expect(second.error).toBeUndefined();
    expect(second.progress.some((p) => p.phase === 'download')).toBe(false);
    expect(server.requests.length).toBe(before);
    const { models } = await lab.call('describe', 'wllama');
    expect(models.find((m) => m.id === url('/again.gguf'))).toMatchObject({
      installed: true,
      sizeBytes: model.length,
    });
  });

  test('a broken connection is taken up where it broke', async () => {
    const path = '/slow.gguf';
    server.failNext(path, { kind: 'cut', afterBytes: 1_500_000 }, { kind: 'status', status: 503 });
    const loaded = await lab.call('load', 'wllama', url(path));
    expect(loaded.error).toBeUndefined();
    const [first, , third] = requestsFor(path);
    expect(first?.range).toBeUndefined();
    expect(third?.range).toMatch(/^bytes=\d{6,}-$/);
    expect((await lab.call('generate', 'wllama', request('hello'))).text).toMatch(/^I can/);
  });

  test('a stopped download goes on after a restart of the host', async () => {
    const path = '/slow.gguf';
    await lab.call('unload', 'wllama');
    await lab.call('deleteModel', url(path));
    server.requests.length = 0;
    server.rate = 4_000_000;
    const stopped = await lab.call('load', 'wllama', url(path), 1_500_000);
    server.rate = Number.POSITIVE_INFINITY;
    expect(stopped.error?.message).toMatch(/abort/i);
    await lab.restart();
    const { models } = await lab.call('describe', 'wllama');
    expect(models.find((m) => m.id === url(path))).toMatchObject({ installed: false });
    expect((await lab.call('load', 'wllama', url(path))).error).toBeUndefined();
    expect(requestsFor(path).at(-1)).toMatchObject({ status: 206 });
  });

  test('a file is checked against the hash its hub lists', async () => {
    const good = await lab.call('load', 'wllama', url('/o/good/resolve/main/shop.gguf'));
    expect(good.error).toBeUndefined();
    expect(good.progress.some((p) => p.phase === 'verify')).toBe(true);

    const id = url('/o/bad/resolve/main/shop.gguf');
    const bad = await lab.call('load', 'wllama', id);
    expect(bad.error).toMatchObject({ kind: 'corrupt', message: expect.stringContaining('SHA') });
    const { models } = await lab.call('describe', 'wllama');
    expect(models.some((m) => m.id === id)).toBe(false);
  });

  test.each(['/cut.gguf', '/page.gguf'])('%s is refused as corrupt', async (path) => {
    const { error } = await lab.call('load', 'wllama', url(path));
    expect(error?.kind).toBe('corrupt');
  });

  test('a file that is not there is said to be missing', async () => {
    const { error } = await lab.call('load', 'wllama', url('/nowhere.gguf'));
    expect(error).toMatchObject({
      kind: 'download',
      message: expect.stringContaining('no such file'),
    });
  });

  test('a file picked from the disk becomes a model without a download', async () => {
    const before = server.requests.length;
    const added = await lab.importFile('My Model.gguf', model);
    expect(added).toMatchObject({ id: 'file:My Model.gguf', complete: true });
    expect((await lab.call('load', 'wllama', 'file:My Model.gguf')).error).toBeUndefined();
    expect((await lab.call('generate', 'wllama', request('hello'))).text).toMatch(/^I can/);
    expect(server.requests.length).toBe(before);
  });

  test('deleted models take no room any more', async () => {
    await lab.call('unload', 'wllama');
    for (const { id } of (await lab.call('describe', 'wllama')).models)
      await lab.call('deleteModel', id);
    expect(await lab.call('storedModels')).toEqual([]);
  });
});
