import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EngineLab } from './lab/start';
import { ModelServer } from './model-server';

/**
 * The real package in the real offscreen document, up to the graphics card's arithmetic: software
 * WebGPU would take half a minute a token, and the compiled libraries are not to be had here. The
 * library is a WebAssembly module that does not fit, so that every load ends where a real one begins.
 */
const MODEL = 'SmolLM2-360M-Instruct-q4f32_1-MLC';
const LIBRARY = 'SmolLM2-360M-Instruct-q4f32_1_cs1k-webgpu.wasm';
const FOLDER = `/mlc-ai/${MODEL}/resolve/main`;
const SHARD = 2_000_000;

/** `(module (import "env" "nothing" (func)))` */
const STRANGE_MODULE = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0],
  ...[2, 15, 1, 3, ...Buffer.from('env'), 7, ...Buffer.from('nothing'), 0, 0],
]);

let lab: EngineLab;
let server: ModelServer;

beforeAll(async () => {
  const shard = (fill: number) => new Uint8Array(SHARD).fill(fill);
  server = await ModelServer.start({
    [`${FOLDER}/mlc-chat-config.json`]: JSON.stringify({ tokenizer_files: ['tokenizer.json'] }),
    [`${FOLDER}/tokenizer.json`]: '{}',
    [`${FOLDER}/tensor-cache.json`]: JSON.stringify({
      records: [0, 1, 2].map((i) => ({
        dataPath: `params_shard_${i}.bin`,
        format: 'raw-shard',
        nbytes: SHARD,
        records: [],
      })),
    }),
    [`${FOLDER}/params_shard_0.bin`]: shard(1),
    [`${FOLDER}/params_shard_1.bin`]: shard(2),
    [`${FOLDER}/params_shard_2.bin`]: shard(3),
  });
  lab = await EngineLab.start({}, { [LIBRARY]: STRANGE_MODULE });
  await lab.call('useMirror', server.origin);
});
afterAll(async () => {
  await lab?.stop();
  await server?.stop();
});

const state = async () =>
  (await lab.call('describe', 'web-llm')).models.find((model) => model.id === MODEL);
const remove = () => lab.call('removeModel', 'web-llm', MODEL);

describe('the list', () => {
  test('comes from the package, in builds this card can run, with the reasons of the others', async () => {
    const { models } = await lab.call('describe', 'web-llm');
    expect(models.length).toBeGreaterThan(5);
    for (const model of models) {
      expect(model.id).toMatch(/-q4f32_1-MLC$/); // software WebGPU has no 16-bit shaders
      expect(model.memoryBytes).toBeGreaterThan(100e6);
      expect(model.contextWindow).toBeGreaterThanOrEqual(1024);
      expect(model.blocked).toBeDefined();
    }
    expect(models.find((model) => model.id === MODEL)?.blocked?.text).toMatch(/emulated/);
    expect(models.find((model) => model.label === 'Qwen3 4B')?.blocked?.text).toMatch(
      /not part of this/,
    );
  });

  test('asking costs no request', () => {
    expect(server.requests).toEqual([]);
  });
});

test('a model whose program is not in the package is refused before anything is downloaded', async () => {
  const { error } = await lab.call('load', 'web-llm', 'Qwen3-0.6B-q4f32_1-MLC');
  expect(error).toMatchObject({ kind: 'unavailable' });
  expect(server.requests).toEqual([]);
});

describe('downloads', () => {
  test('come from the mirror, with their bytes, into the caches web-llm reads', async () => {
    const { progress, error } = await lab.call('load', 'web-llm', MODEL);
    const download = progress.filter((p) => p.phase === 'download');
    expect(download.at(-1)).toMatchObject({ done: 3 * SHARD, total: 3 * SHARD });
    const done = download.map((p) => p.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(error).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('program'),
    });
    expect(await state()).toMatchObject({ installed: true, sizeBytes: 3 * SHARD });
  });

  test('are made once: the next load asks nobody, not even after a restart', async () => {
    const before = server.requests.length;
    await lab.call('load', 'web-llm', MODEL);
    await lab.restart();
    await lab.call('load', 'web-llm', MODEL);
    expect(server.requests.length).toBe(before);
  });

  test('deleted models are gone from every cache', async () => {
    await remove();
    expect(await state()).toMatchObject({ installed: false });
    expect(
      await lab.evaluate(
        `Promise.all(['webllm/model', 'webllm/config'].map(async (name) => (await (await caches.open(name)).keys()).length))`,
      ),
    ).toEqual([0, 0]);
  });

  test('a stopped download goes on where it was, in the middle of a file', async () => {
    await lab.call('useMirror', server.origin);
    server.requests.length = 0;
    server.rate = 3_000_000;
    const stopped = await lab.call('load', 'web-llm', MODEL, SHARD * 1.2);
    server.rate = Number.POSITIVE_INFINITY;
    expect(stopped.error?.message).toMatch(/abort/i);
    expect(await state()).toMatchObject({ installed: false });
    await lab.restart();
    await lab.call('useMirror', server.origin);
    await lab.call('load', 'web-llm', MODEL);
    const asked = server.requests.filter((request) => request.path.endsWith('_1.bin'));
    expect(asked.at(-1)?.range).toMatch(/^bytes=\d+-$/);
    const first = server.requests.filter((request) => request.path.endsWith('_0.bin'));
    expect(first.length).toBe(1);
    expect(await state()).toMatchObject({ installed: true });
  });

  test('a file of the wrong size is refused', async () => {
    await remove();
    const list = JSON.stringify({
      records: [{ dataPath: 'params_shard_0.bin', format: 'raw-shard', nbytes: 77, records: [] }],
    });
    server.replace(`${FOLDER}/tensor-cache.json`, list);
    const { error } = await lab.call('load', 'web-llm', MODEL);
    expect(error).toMatchObject({ kind: 'corrupt', message: expect.stringContaining('77') });
  });
});
