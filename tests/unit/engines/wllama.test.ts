import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Engine } from '../../../lib/agent/engine';
import type { ModelSource } from '../../../lib/engines/downloads/model';
import type { ModelStore } from '../../../lib/engines/downloads/store';
import { createWllama } from '../../../lib/engines/wllama';
import type {
  ChatChunk,
  ChatParams,
  LoadParams,
  WllamaInstance,
} from '../../../lib/engines/wllama/package';
import { load, never, reply, request } from './fakes/drive';

/** Stands in for the package: each instance is one llama.cpp in its worker. */
class FakeLlama implements WllamaInstance {
  loads: LoadParams[] = [];
  chats: ChatParams[] = [];
  exits = 0;
  compat: unknown = 'default';
  vocabulary = 100;
  onLoad: (params: LoadParams) => Promise<void> = async () => {};
  onProbe: () => Promise<void> = async () => {};
  onChat: (params: ChatParams) => Promise<void> = async ({ onData, abortSignal }) => {
    for (const content of ['One', ' two', ' three']) {
      await Promise.resolve();
      if (abortSignal.aborted) throw new DOMException('aborted', 'AbortError');
      onData(piece(content));
    }
    onData({ choices: [{ delta: {}, finish_reason: 'stop' }], timings: TIMINGS });
  };
  setCompat(compat: null) {
    this.compat = compat;
  }
  async loadModel(_: Blob[], params: LoadParams) {
    this.loads.push(params);
    await this.onLoad(params);
  }
  getLoadedContextInfo() {
    return { n_ctx: this.loads.at(-1)?.n_ctx ?? 0, n_vocab: this.vocabulary };
  }
  async createChatCompletion(params: ChatParams) {
    this.chats.push(params);
    await this.onChat(params);
  }
  probes = 0;
  async createCompletion() {
    this.probes++;
    await this.onProbe();
  }
  async exit() {
    this.exits++;
  }
}
const TIMINGS = { cache_n: 40, prompt_n: 10, predicted_n: 3, predicted_per_second: 7 };
const piece = (content: string): ChatChunk => ({
  choices: [{ delta: { content }, finish_reason: null }],
});

let llamas: FakeLlama[];
interface Log {
  debug(text: string): void;
  warn(text: string): void;
}
let prepare: (llama: FakeLlama, log: Log) => void;
/** Never gets ready; its start fails only when it is ended. */
const loadsUntilEnded: typeof prepare = (fake) => {
  fake.onLoad = () => new Promise((_, reject) => (fake.exit = async () => reject('terminated')));
};
let downloads: ModelSource[];
let installed: Set<string>;
let engine: Engine;
let gpu: boolean;
let memory: number | undefined;
let cores: number;
let isolated: boolean;
let waits: (() => void)[];

const summary = { bytesNeeded: 1, contextLength: 4096, architecture: 'llama' };
const store: ModelStore = {
  list: async () =>
    [...installed].map((id) => ({
      id,
      label: id,
      bytes: 5,
      totalBytes: 5,
      complete: true,
      addedAt: 0,
      summary,
    })),
  get: async (id) => (await store.list()).find((model) => model.id === id),
  open: async (id) => (installed.has(id) ? [new Blob(['model'])] : undefined),
  async download(source) {
    downloads.push(source);
    installed.add(source.id);
    return [new Blob(['model'])];
  },
  importFiles: () => Promise.reject(new Error('not here')),
  async delete(id) {
    installed.delete(id);
  },
};

beforeEach(() => {
  llamas = [];
  downloads = [];
  installed = new Set();
  prepare = () => {};
  gpu = false;
  memory = 8e9;
  cores = 4;
  isolated = false;
  waits = [];
  let clock = 0;
  engine = createWllama({
    store,
    machine: {
      get cores() {
        return cores;
      },
      get memoryBytes() {
        return memory;
      },
      get isolated() {
        return isolated;
      },
      gpu: async () =>
        gpu
          ? {
              shaderF16: true,
              maxBufferBytes: 1e9,
              maxBindingBytes: 1e9,
              maxStorageBuffers: 10,
              maxWorkgroupBytes: 32768,
              software: false,
              name: 'card',
            }
          : undefined,
    },
    wasmUrl: 'chrome-extension://x/wllama.wasm',
    loadModule: async () => ({
      Wllama: class extends FakeLlama {
        constructor(_: unknown, config: { logger: Log }) {
          super();
          llamas.push(this);
          prepare(this, config.logger);
        }
      },
    }),
    sleep: (_, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        waits.push(resolve);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    mirror: () => 'https://mirror.test',
    now: () => (clock += 10),
    wasmSupported: () => true,
  });
});
const llama = () => llamas.at(-1) ?? expect.fail('nothing was started');

describe('loading', () => {
  test('takes catalogue models from the mirror, under their own id', async () => {
    await load(engine, 'lfm2.5-350m');
    expect(downloads).toMatchObject([
      {
        id: 'lfm2.5-350m',
        files: [{ url: expect.stringMatching(/^https:\/\/mirror\.test\/LiquidAI\/.*\.gguf$/) }],
      },
    ]);
    expect(engine.dialect).toBe('liquid');
  });

  test('takes an address as it is, and all files of a split model', async () => {
    await load(engine, 'https://x.test/m-00001-of-00002.gguf');
    expect(downloads[0]?.files.map((file) => file.url)).toEqual([
      'https://x.test/m-00001-of-00002.gguf',
      'https://x.test/m-00002-of-00002.gguf',
    ]);
  });

  test('downloads nothing that is there', async () => {
    installed.add('file:Mine.gguf');
    expect((await load(engine, 'file:Mine.gguf')).error).toBeUndefined();
    expect(downloads).toEqual([]);
  });

  test('without a name takes what is there, before anything that is not', async () => {
    installed.add('qwen3-0.6b');
    await load(engine);
    expect((await engine.describe()).loaded).toBe('qwen3-0.6b');
    expect(downloads).toEqual([]);
  });

  test.each(['no-such-model', 'file:Gone.gguf', 'javascript:alert(1)'])(
    'explains why there is no %s',
    async (id) => {
      expect((await load(engine, id)).error).toMatchObject({ kind: 'failed' });
      expect(downloads).toEqual([]);
    },
  );

  test('never lets the package look for code elsewhere', async () => {
    await load(engine, 'lfm2.5-350m');
    expect(llama().compat).toBeNull();
  });

  test('twice is once', async () => {
    await load(engine, 'lfm2.5-350m');
    await load(engine, 'lfm2.5-350m');
    expect(llamas.length).toBe(1);
  });

  test('another model ends the first', async () => {
    await load(engine, 'lfm2.5-350m');
    await load(engine, 'qwen3-0.6b');
    expect(llamas[0]?.exits).toBe(1);
    expect(engine.dialect).toBe('hermes');
  });

  test('leaves the graphics card alone unless it has 16-bit shaders', async () => {
    await load(engine, 'lfm2.5-350m');
    expect(llama().loads[0]).toMatchObject({ n_gpu_layers: 0, n_batch: 128 });
    await engine.unload();
    gpu = true;
    await load(engine, 'lfm2.5-350m');
    expect(llama().loads[0]?.n_gpu_layers).toBeUndefined();
  });

  test('that is stopped ends the worker and gives the reason', async () => {
    prepare = loadsUntilEnded;
    const stop = new AbortController();
    const loading = load(engine, 'lfm2.5-350m', stop.signal);
    await vi.waitFor(() => expect(llamas[0]?.loads.length).toBe(1));
    stop.abort(new DOMException('enough', 'AbortError'));
    expect((await loading).error).toMatchObject({ name: 'AbortError' });
    expect((await reply(engine, 'hi')).error).toMatchObject({ kind: 'not-loaded' });
  });

  test('falls back to ChatML when the template of the model is broken', async () => {
    prepare = (fake, { warn }) => {
      fake.onLoad = async ({ chat_template }) => {
        if (chat_template !== undefined) return;
        warn('common_chat_templates_init: error: unexpected token');
        throw new Error('load failed');
      };
    };
    expect((await load(engine, 'lfm2.5-350m')).error).toBeUndefined();
    expect(llama().loads[0]?.chat_template).toContain('<|im_start|>');
  });

  test('that llama.cpp refuses without an error is an error all the same', async () => {
    prepare = (fake, { warn }) => {
      fake.vocabulary = 0;
      warn("llama_model_load: error: unknown model architecture: 'new'");
    };
    const { error } = await load(engine, 'lfm2.5-350m');
    expect(error).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining("unknown model architecture: 'new'"),
    });
    expect(llama().exits).toBe(1);
  });

  test('without memory says so', async () => {
    prepare = (fake) => {
      fake.onLoad = () => Promise.reject(new Error('(ABORT) Cannot enlarge memory arrays'));
    };
    expect((await load(engine, 'lfm2.5-350m')).error).toMatchObject({ kind: 'memory' });
  });
});

describe('threads', () => {
  const threads = () => llamas.map((fake) => fake.loads[0]?.n_threads);
  const hangs = () => new Promise<void>(() => {});
  /** Lets the time pass that the nth wait is for. */
  async function timeOut(nth: number) {
    await vi.waitFor(() => expect(waits.length).toBe(nth));
    waits.at(-1)?.();
  }

  test.each([
    ['one less than there are cores', { cores: 3, isolated: true }, 2],
    ['four at most', { cores: 32, isolated: true }, 4],
    ['one where there is one core', { cores: 1, isolated: true }, 1],
    ['one where pages are not isolated', { cores: 8, isolated: false }, 1],
    ['one beside a graphics card', { cores: 8, isolated: true, gpu: true }, 1],
  ])('%s', async (_, machine: { cores: number; isolated: boolean; gpu?: boolean }, expected) => {
    ({ cores, isolated } = machine);
    gpu = machine.gpu ?? false;
    await load(engine, 'lfm2.5-350m');
    expect(threads()).toEqual([expected]);
    expect(llama().probes).toBe(expected > 1 ? 1 : 0);
  });

  test('that do not start in time are given up, and one does it', async () => {
    isolated = true;
    prepare = (fake, log) => {
      log.debug('Multithread enabled: true, pthreadPoolSize: 3');
      log.debug('Loading "wllama.wasm" from "chrome-extension://x/wllama.wasm"');
      if (llamas.length === 1) fake.onLoad = hangs;
    };
    const loading = load(engine, 'lfm2.5-350m');
    await timeOut(1);
    expect((await loading).error).toBeUndefined();
    expect(threads()).toEqual([3, 1]);
    expect(llamas.map((fake) => fake.exits)).toEqual([1, 0]);
  });

  test('that started may take their time to read a large model', async () => {
    isolated = true;
    let read = () => {};
    prepare = (fake, log) => {
      fake.onLoad = async () => {
        await Promise.resolve();
        log.debug('Calling wllamaStart...');
        await new Promise<void>((resolve) => (read = resolve));
      };
    };
    const loading = load(engine, 'lfm2.5-350m');
    await timeOut(1);
    read();
    expect((await loading).error).toBeUndefined();
    expect(threads()).toEqual([3]);
  });

  test('that start but do not compute are given up too', async () => {
    isolated = true;
    prepare = (fake) => {
      fake.onProbe = hangs;
    };
    const loading = load(engine, 'lfm2.5-350m');
    await timeOut(2);
    expect((await loading).error).toBeUndefined();
    expect(threads()).toEqual([3, 1]);
    expect((await reply(engine, 'hi')).text).toBe('One two three');
  });

  test('that leave no memory for the model make room for one that can have more', async () => {
    isolated = true;
    prepare = (fake) => {
      fake.onLoad = async ({ n_threads }) => {
        if ((n_threads ?? 0) > 1) throw new Error('(ABORT) Cannot enlarge memory arrays');
      };
    };
    expect((await load(engine, 'lfm2.5-350m')).error).toBeUndefined();
    expect(threads()).toEqual([3, 1]);
  });

  test('that hang let Stop through', async () => {
    isolated = true;
    prepare = loadsUntilEnded;
    const stop = new AbortController();
    const loading = load(engine, 'lfm2.5-350m', stop.signal);
    await vi.waitFor(() => expect(llamas[0]?.loads.length).toBe(1));
    stop.abort(new DOMException('enough', 'AbortError'));
    expect((await loading).error).toMatchObject({ name: 'AbortError' });
    expect(llamas.length).toBe(1);
  });
});

describe('a reply', () => {
  beforeEach(() => load(engine, 'lfm2.5-350m'));

  test('streams, and ends with the numbers of the engine', async () => {
    const { text, end } = await reply(engine, 'hi');
    expect(text).toBe('One two three');
    expect(end).toMatchObject({
      finish: 'stop',
      usage: { promptTokens: 50, reusedTokens: 40, completionTokens: 3, tokensPerSecond: 7 },
    });
    expect(end?.usage.firstTokenMs).toBeGreaterThan(0);
  });

  test('is stopped only when the engine has let go, and nothing is said after Stop', async () => {
    let free = false;
    llama().onChat = async ({ onData, abortSignal }) => {
      onData(piece('One'));
      await new Promise((resolve) => abortSignal.addEventListener('abort', resolve));
      onData(piece(' two'));
      await Promise.resolve();
      free = true;
      throw new DOMException('aborted', 'AbortError');
    };
    const { text, end } = await reply(engine, 'hi', 1);
    expect(text).toBe('One');
    expect(end?.finish).toBe('abort');
    expect(free).toBe(true);
  });

  test('nobody reads any more gives the engine free', async () => {
    let aborted = false;
    llama().onChat = async ({ onData, abortSignal }) => {
      onData(piece('One'));
      await new Promise((resolve) => abortSignal.addEventListener('abort', resolve));
      aborted = true;
    };
    for await (const _ of engine.generate(request('hi'), never)) break;
    expect(aborted).toBe(true);
  });

  test('waits until the one before has let go, although its reader has left', async () => {
    let letGo = () => {};
    llama().onChat = async ({ onData }) => {
      onData(piece('One'));
      await new Promise<void>((resolve) => (letGo = resolve));
    };
    const first = engine.generate(request('hi'), never)[Symbol.asyncIterator]();
    await first.next();
    const left = first.return?.();
    const second = reply(engine, 'again');
    for (let i = 0; i < 50; i++) await Promise.resolve();
    expect(llama().chats.length).toBe(1);
    llama().onChat = async ({ onData }) => onData(piece('Two'));
    letGo();
    await left;
    expect((await second).text).toBe('Two');
  });

  test('that reaches its limit says so', async () => {
    llama().onChat = async ({ onData, max_tokens }) => {
      expect(max_tokens).toBe(100);
      onData({ choices: [{ delta: { content: 'x' }, finish_reason: 'length' }] });
    };
    expect((await reply(engine, 'hi')).end?.finish).toBe('length');
  });

  test('that is empty ends without text', async () => {
    llama().onChat = async () => {};
    expect(await reply(engine, 'hi')).toMatchObject({ text: '', end: { finish: 'stop' } });
  });

  test('shows how far the prompt is read', async () => {
    llama().onChat = async ({ onData }) => {
      onData({ choices: [], prompt_progress: { total: 90, cache: 10, processed: 50 } });
    };
    const { chunks } = await reply(engine, 'hi');
    expect(chunks[0]).toEqual({ kind: 'prefill', done: 50, total: 90 });
  });

  test('is held to a grammar where one was asked for', async () => {
    await reply(engine, request('hi', { constraint: { kind: 'json', schema: { type: 'null' } } }));
    expect(llama().chats[0]?.grammar).toMatch(/^root ::= nothing$/m);
    await reply(engine, 'hi');
    expect(llama().chats[1]?.grammar).toBeUndefined();
  });
});

describe('trouble under way', () => {
  beforeEach(() => load(engine, 'lfm2.5-350m'));
  const fails = (message: string) => {
    llama().onChat = async ({ onData }) => {
      onData(piece('Half'));
      throw new Error(message);
    };
  };

  test('a full window is told, and the engine goes on', async () => {
    fails('the request exceeds the available context size');
    expect((await reply(engine, 'hi')).error).toMatchObject({
      kind: 'window',
      message: expect.stringContaining('4,096'),
    });
    llama().onChat = async ({ onData }) => onData(piece('fine'));
    expect((await reply(engine, 'hi')).text).toBe('fine');
    expect(llamas.length).toBe(1);
  });

  test.each([
    ['WebGPU device was lost', 'device-lost'],
    ['(ABORT) out of memory', 'memory'],
    ['Invalid typed array length: 1163217991', 'failed'],
    ['unreachable executed', 'failed'],
  ])('“%s” leaves a dead engine that loads again', async (message, kind) => {
    fails(message);
    const failed = await reply(engine, 'hi');
    expect(failed).toMatchObject({ text: 'Half', error: { kind } });
    expect(llamas[0]?.exits).toBe(1);
    expect((await reply(engine, 'hi')).error).toMatchObject({ kind: 'not-loaded' });
    expect((await load(engine, 'lfm2.5-350m')).error).toBeUndefined();
    expect((await reply(engine, 'hi')).text).toBe('One two three');
  });
});

describe('the list', () => {
  test('has the catalogue, then what else is there', async () => {
    installed.add('qwen3-0.6b');
    installed.add('file:Mine.gguf');
    const { available, models } = await engine.describe();
    expect(available).toBe(true);
    expect(models.find((model) => model.id === 'qwen3-0.6b')?.installed).toBe(true);
    expect(models.find((model) => model.id === 'lfm2.5-350m')?.installed).toBe(false);
    expect(models.at(-1)).toMatchObject({ id: 'file:Mine.gguf', contextWindow: 4096 });
  });

  test('says which models need more memory than there is', async () => {
    memory = 2e9;
    const { models } = await engine.describe();
    expect(models.find((model) => model.id === 'qwen3.5-2b')?.blocked?.text).toMatch(
      /1\.6 GB.*2\.0 GB/,
    );
    expect(models.find((model) => model.id === 'lfm2.5-350m')?.blocked).toBeUndefined();
  });

  test('loses a deleted model, also the loaded one', async () => {
    await load(engine, 'lfm2.5-350m');
    await engine.deleteModel?.('lfm2.5-350m');
    expect(llama().exits).toBe(1);
    expect(installed.size).toBe(0);
  });
});
