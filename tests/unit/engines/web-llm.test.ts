import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChatMessage, Engine } from '../../../lib/agent/engine';
import type { GpuFacts } from '../../../lib/engines/machine';
import { createWebLlm } from '../../../lib/engines/web-llm';
import { createLoadReport } from '../../../lib/engines/web-llm/load-progress';
import type {
  ChatChunk,
  ChatRequest,
  InitReport,
  MlcEngine,
  ModelRecord,
} from '../../../lib/engines/web-llm/package';
import { createFakeCaches } from './fakes/caches';
import { load, never, reply, request } from './fakes/drive';
import { createFakeDisk, type FakeDisk } from './fakes/files';
import { createFakeWeb, type FakeWeb } from './fakes/server';

const HUB = 'https://huggingface.co/mlc-ai';
const LIBRARIES = 'https://raw.githubusercontent.com/mlc-ai/libs/v1';
const record = (id: string, more: Partial<ModelRecord> = {}): ModelRecord => ({
  model: `${HUB}/${id}`,
  model_id: id,
  model_lib: `${LIBRARIES}/${id}.wasm`,
  vram_required_MB: 1400,
  overrides: { context_window_size: 4096 },
  ...more,
});
const F16 = 'Qwen3-0.6B-q4f16_1-MLC';
const F32 = 'Qwen3-0.6B-q4f32_1-MLC';

/** Stands in for the package's engine, with its habits: an aborted reload() resolves without a model. */
class FakeEngine implements MlcEngine {
  reloads: string[] = [];
  unloads = 0;
  interrupted = false;
  requests: ChatRequest[] = [];
  pieces = ['One', ' two'];
  finish = 'stop';
  promptTokens = 20;
  onReload: () => Promise<void> = async () => {};
  failWith: Error | undefined;
  report: (report: InitReport) => void = () => {};
  model_list: ModelRecord[] = [];
  async reload(id: string) {
    this.reloads.push(id);
    await this.onReload();
  }
  async unload() {
    this.unloads++;
  }
  interruptGenerate() {
    this.interrupted = true;
  }
  chat = {
    completions: {
      create: async (asked: ChatRequest) => {
        this.requests.push(asked);
        this.interrupted = false;
        return this.stream();
      },
    },
  };
  private async *stream(): AsyncGenerator<ChatChunk> {
    let sent = 0;
    for (const content of this.pieces) {
      await Promise.resolve();
      if (this.interrupted) break;
      sent++;
      yield { choices: [{ delta: { content }, finish_reason: null }] };
    }
    if (this.failWith) throw this.failWith;
    yield {
      choices: [{ delta: {}, finish_reason: this.interrupted ? 'abort' : this.finish }],
    };
    yield {
      choices: [],
      usage: {
        prompt_tokens: this.promptTokens,
        completion_tokens: sent,
        extra: { decode_tokens_per_s: 9 },
      },
    };
  }
}

let engines: FakeEngine[];
let prepare: (engine: FakeEngine) => void;
let list: ModelRecord[];
let gpu: GpuFacts | undefined;
let libraries: string[];
let web: FakeWeb;
let disk: FakeDisk;
let caches: CacheStorage;
let engine: Engine;
let packageLoads: number;
let space: { usage?: number; quota?: number };

const CARD: GpuFacts = {
  shaderF16: true,
  maxBufferBytes: 2 ** 30,
  maxBindingBytes: 2 ** 30,
  maxStorageBuffers: 10,
  maxWorkgroupBytes: 32_768,
  software: false,
  name: 'a card',
};

beforeEach(() => {
  engines = [];
  prepare = () => {};
  list = [record(F16), record(F32)];
  gpu = { ...CARD };
  libraries = [`${F16}.wasm`, `${F32}.wasm`];
  web = createFakeWeb();
  disk = createFakeDisk();
  caches = createFakeCaches();
  packageLoads = 0;
  space = {};
  serve(F16);
  serve(F32);
  let clock = 0;
  engine = createWebLlm({
    machine: { cores: 4, isolated: false, gpu: async () => gpu },
    caches,
    fetch: (...args) => web.fetch(...args),
    sleep: async (_, signal) => signal.throwIfAborted(),
    scratch: async () => disk.root,
    estimate: async () => space,
    persist: async () => true,
    mirror: () => undefined,
    now: () => (clock += 300),
    libraries: async () => libraries,
    libraryUrl: (name) => `chrome-extension://x/model-libs/${name}`,
    async loadModule() {
      packageLoads++;
      return {
        prebuiltAppConfig: { model_list: list },
        MLCEngine: class extends FakeEngine {
          constructor(config: {
            appConfig: { model_list: ModelRecord[] };
            initProgressCallback(report: InitReport): void;
          }) {
            super();
            this.report = config.initProgressCallback;
            this.model_list = config.appConfig.model_list;
            engines.push(this);
            prepare(this);
          }
        },
      };
    },
  });
});

function serve(id: string, shards = [3000, 2000]): void {
  const base = `${HUB}/${id}/resolve/main/`;
  const put = (name: string, bytes: Uint8Array<ArrayBuffer> | string) =>
    web.files.set(base + name, {
      bytes: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes,
      etag: `"${name}"`,
    });
  put('mlc-chat-config.json', JSON.stringify({ tokenizer_files: ['tokenizer.json'] }));
  put('tokenizer.json', '{}');
  put(
    'tensor-cache.json',
    JSON.stringify({
      records: shards.map((nbytes, i) => ({ dataPath: `params_shard_${i}.bin`, nbytes })),
    }),
  );
  for (const [i, size] of shards.entries())
    put(`params_shard_${i}.bin`, new Uint8Array(size).fill(i));
}
const mlc = () => engines.at(-1) ?? expect.fail('nothing was started');
const asked = (name: string) => web.requests.filter((r) => r.url.endsWith(name));

describe('the list', () => {
  test('without a graphics card is short, and does not load the package', async () => {
    gpu = undefined;
    expect(await engine.describe()).toMatchObject({
      available: false,
      reason: { text: expect.stringContaining('hardware acceleration') },
      models: [],
    });
    expect(packageLoads).toBe(0);
  });

  test.each<Partial<GpuFacts>>([
    { maxStorageBuffers: 8 },
    { maxWorkgroupBytes: 16_384 },
    { maxBufferBytes: 2 ** 27 },
  ])('says which limit of the card is too low: %j', async (limit) => {
    gpu = { ...CARD, ...limit };
    const { available, reason } = await engine.describe();
    expect(available).toBe(false);
    expect(reason?.text).toMatch(/a card/);
  });

  test('has the 16-bit build where the card can, else the 32-bit one', async () => {
    expect((await engine.describe()).models.map((model) => model.id)).toEqual([F16]);
    gpu = { ...CARD, shaderF16: false };
    expect((await engine.describe()).models.map((model) => model.id)).toEqual([F32]);
  });

  test('has the numbers of the package', async () => {
    const [model] = (await engine.describe()).models;
    expect(model).toMatchObject({ memoryBytes: 1.4e9, contextWindow: 4096, installed: false });
  });

  test('leaves out what the package no longer has, and shows what cannot run with the reason', async () => {
    list = [record(F16, { buffer_size_required_bytes: 2 ** 31 })];
    const { available, models } = await engine.describe();
    expect(available).toBe(false);
    expect(models).toHaveLength(1);
    expect(models[0]?.blocked?.text).toMatch(/2\.1 GB/);
    libraries = [];
    expect((await engine.describe()).models[0]?.blocked?.text).toMatch(/not part of this build/);
  });

  test('does not offer software rendering', async () => {
    gpu = { ...CARD, software: true };
    expect((await engine.describe()).models[0]?.blocked?.text).toMatch(/emulated/);
  });
});

describe('loading', () => {
  test('runs only the packaged library', async () => {
    await load(engine, F16);
    expect(mlc().model_list[0]?.model_lib).toBe(`chrome-extension://x/model-libs/${F16}.wasm`);
    expect(web.requests.some((r) => r.url.includes('githubusercontent'))).toBe(false);
  });

  test('without the library fails before the download', async () => {
    libraries = [];
    expect((await load(engine, F16)).error).toMatchObject({ kind: 'unavailable' });
    expect(web.requests).toEqual([]);
  });

  test('shows one bar for the download and one for the start, each only growing', async () => {
    prepare = (fake) => {
      fake.onReload = async () => {
        for (const text of ['Loading model from cache[1/2]', 'Loading GPU shader modules[1/9]'])
          for (const progress of [0, 0.5, 1]) fake.report({ progress, text });
        fake.report({ progress: 1, text: 'Finish loading on WebGPU - x' });
      };
    };
    const { progress } = await load(engine, F16);
    for (const phase of ['download', 'prepare']) {
      const done = progress.filter((p) => p.phase === phase).map((p) => p.done);
      expect(done.length).toBeGreaterThan(1);
      expect(done).toEqual([...done].sort((a, b) => a - b));
    }
    expect(progress.filter((p) => p.phase === 'download').at(-1)).toMatchObject({
      done: 5000,
      total: 5000,
    });
  });

  test('a second time asks nobody', async () => {
    await load(engine, F16);
    await engine.unload();
    const before = web.requests.length;
    await load(engine, F16);
    expect(web.requests.length).toBe(before);
    expect((await engine.describe()).models[0]?.installed).toBe(true);
  });

  test('goes on with the broken file, and keeps the whole ones', async () => {
    // three small files, then the first shard whole and the second cut for good
    web.next = [
      { kind: 'ends', after: 1e9 },
      { kind: 'ends', after: 1e9 },
      { kind: 'ends', after: 1e9 },
      { kind: 'ends', after: 1e9 },
      { kind: 'breaks', after: 1000 },
      ...Array.from({ length: 6 }, () => ({ kind: 'offline' }) as const),
    ];
    expect((await load(engine, F16)).error).toMatchObject({ kind: 'download' });
    web.next = [];
    expect((await load(engine, F16)).error).toBeUndefined();
    expect(asked('shard_0.bin')).toHaveLength(1);
    expect(asked('shard_1.bin').at(-1)?.range).toBe('bytes=1000-');
    expect(disk.files()).toEqual({});
  });

  test('a shard of another size is corrupt, and never reaches the cache', async () => {
    web.files.set(`${HUB}/${F16}/resolve/main/params_shard_1.bin`, { bytes: new Uint8Array(1999) });
    expect((await load(engine, F16)).error).toMatchObject({ kind: 'corrupt' });
    expect((await engine.describe()).models[0]?.installed).toBe(false);
  });

  test('a shard with another hash than the hub lists is corrupt, and fetched again next time', async () => {
    const bad = 'f'.repeat(64);
    const good = createHash('sha256').update(new Uint8Array(2000).fill(1)).digest('hex');
    const list = (oid: string) =>
      web.files.set(`https://huggingface.co/api/models/mlc-ai/${F16}/tree/main`, {
        bytes: new TextEncoder().encode(
          JSON.stringify([{ path: 'params_shard_1.bin', size: 2000, lfs: { oid, size: 2000 } }]),
        ),
      });
    list(bad);
    expect((await load(engine, F16)).error).toMatchObject({
      kind: 'corrupt',
      message: expect.stringContaining('SHA-256'),
    });
    expect((await engine.describe()).models[0]?.installed).toBe(false);
    list(good);
    expect((await load(engine, F16)).error).toBeUndefined();
    expect(asked('shard_0.bin')).toHaveLength(1);
    expect(asked('shard_1.bin')).toHaveLength(2);
  });

  test('looks at the space first', async () => {
    space = { quota: 1000, usage: 0 };
    expect((await load(engine, F16)).error).toMatchObject({ kind: 'storage' });
    expect(asked('shard_0.bin')).toHaveLength(0);
  });

  test('that is stopped while it starts ends without a model, although reload() resolves', async () => {
    let finish = () => {};
    prepare = (fake) => {
      fake.onReload = () => new Promise((resolve) => (finish = resolve));
    };
    const stop = new AbortController();
    const loading = load(engine, F16, stop.signal);
    await vi.waitFor(() => expect(engines[0]?.reloads).toEqual([F16]));
    stop.abort(new DOMException('enough', 'AbortError'));
    expect((await loading).error).toMatchObject({ name: 'AbortError' });
    expect((await reply(engine, 'hi')).error).toMatchObject({ kind: 'not-loaded' });

    // The old one still compiles shaders; a new load waits for it instead of running beside it.
    prepare = () => {};
    const again = load(engine, F16);
    for (let i = 0; i < 200; i++) await Promise.resolve();
    expect(engines).toHaveLength(1);
    finish();
    expect((await again).error).toBeUndefined();
    expect(engines).toHaveLength(2);
    expect(engines[0]?.unloads).toBeGreaterThan(0);
  });

  test.each([
    [Object.assign(new Error('import #0 "env"'), { name: 'LinkError' }), 'unavailable'],
    [
      Object.assign(new Error('WebGPU device was lost'), { name: 'DeviceLostError' }),
      'device-lost',
    ],
    [new RangeError('Array buffer allocation failed'), 'memory'],
    [new Error('something else'), 'failed'],
  ])('%s is told as %s', async (error, kind) => {
    prepare = (fake) => {
      fake.onReload = () => Promise.reject(error);
    };
    expect((await load(engine, F16)).error).toMatchObject({ kind });
  });

  test('deleting takes everything away', async () => {
    await load(engine, F16);
    await engine.deleteModel?.(F16);
    expect(mlc().unloads).toBe(1);
    expect((await engine.describe()).models[0]?.installed).toBe(false);
    expect(await (await caches.open('webllm/model')).keys()).toEqual([]);
  });
});

describe('a reply', () => {
  beforeEach(() => load(engine, F16));

  test('streams, and does not think unless asked to', async () => {
    const { text, end } = await reply(engine, 'hi');
    expect(text).toBe('One two');
    expect(end).toMatchObject({ finish: 'stop', usage: { promptTokens: 20, tokensPerSecond: 9 } });
    expect(mlc().requests[0]?.extra_body).toEqual({ enable_thinking: false });
  });

  test('of the next step counts what was in the cache', async () => {
    await reply(engine, 'hi');
    mlc().promptTokens = 5;
    const messages: ChatMessage[] = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'One two' },
      { role: 'tool', callId: '1', name: 'x', content: 'result' },
    ];
    const { end } = await reply(engine, request('', { messages }));
    expect(end?.usage).toMatchObject({ promptTokens: 27, reusedTokens: 22 });
  });

  test.each([
    ['another conversation', 'stop', 'else'],
    ['a reply that was cut', 'length', 'hi'],
  ])('after %s nothing was in the cache', async (_, finish, first) => {
    mlc().finish = finish;
    await reply(engine, first);
    const messages: ChatMessage[] = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'One two' },
      { role: 'user', content: 'more' },
    ];
    const { end } = await reply(engine, request('', { messages }));
    expect(end?.usage.reusedTokens).toBe(0);
  });

  test('stops three times and goes on', async () => {
    mlc().pieces = ['a', 'b', 'c', 'd'];
    for (let i = 0; i < 3; i++) {
      const { text, end } = await reply(engine, 'hi', 2);
      expect(text).toBe('ab');
      expect(end?.finish).toBe('abort');
    }
    expect((await reply(engine, 'hi')).text).toBe('abcd');
  });

  test('is held to the tools by a structural tag', async () => {
    const tools = [{ name: 'find', description: '', parameters: { type: 'object' } }];
    await reply(
      engine,
      request('hi', { tools, constraint: { kind: 'calls', dialect: 'hermes', tools } }),
    );
    const format = mlc().requests[0]?.response_format;
    expect(format?.type).toBe('structural_tag');
    expect(JSON.parse(format?.type === 'structural_tag' ? format.structural_tag : '')).toEqual({
      type: 'structural_tag',
      format: {
        type: 'triggered_tags',
        triggers: ['<tool_call>'],
        tags: [
          {
            type: 'tag',
            begin: '<tool_call>\n{"name": "find", "arguments": ',
            content: { type: 'json_schema', json_schema: { type: 'object' } },
            end: '}\n</tool_call>',
          },
        ],
      },
    });
  });

  test('that nobody reads any more is given up', async () => {
    for await (const _ of engine.generate(request('hi'), never)) break;
    expect((await reply(engine, 'hi')).text).toBe('One two');
  });

  test.each([
    ['ContextWindowSizeExceededError', 'window', 0],
    ['ModelNotLoadedError', 'device-lost', 1],
    ['DeviceLostError', 'device-lost', 1],
    ['Error', 'failed', 1],
  ])('%s is told as %s', async (name, kind, unloads) => {
    mlc().failWith = Object.assign(new Error('x'), { name });
    const failed = await reply(engine, 'hi');
    expect(failed).toMatchObject({ text: 'One two', error: { kind } });
    expect(engines[0]?.unloads).toBe(unloads);
    await load(engine, F16);
    mlc().failWith = undefined;
    expect((await reply(engine, 'hi')).text).toBe('One two');
  });
});

test('numbers that make no sense do not move the bar back', () => {
  const seen: number[] = [];
  const report = createLoadReport((p) => seen.push(p.done));
  for (const progress of [0.5, Number.NaN, -1, 7])
    report({ progress, text: 'Loading model from cache[1/2]' });
  report({ progress: 0.1, text: 'Something new' });
  expect(seen).toEqual([0.25, 0.25, 0.25, 0.5]);
});
