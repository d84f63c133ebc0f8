import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { shopModel } from '../../fixtures/scripted-gguf/shop-model';
import { EngineLab, request } from './lab/start';
import { ModelServer } from './model-server';

/** Two threads, whatever this machine has: more than it has cores would mostly wait for each other. */
const THREE_CORES = "Object.defineProperty(navigator, 'hardwareConcurrency', { value: 3 });";

/** Empties the script of llama.cpp's threads, which then never say that they are there. */
const MUTE_THREADS = `globalThis.Blob = class extends Blob {
  constructor(parts, options) {
    const [code] = parts ?? [];
    const mute = typeof code === 'string' && code.includes('em-pthread') && !code.includes('RUN_OPTIONS');
    super(mute ? [''] : parts, options);
  }
};`;

let lab: EngineLab;
let server: ModelServer;
let id: string;

beforeAll(async () => {
  server = await ModelServer.start({ '/shop.gguf': shopModel() });
  id = `${server.origin}/shop.gguf`;
  lab = await EngineLab.start();
});
afterEach(() => lab.call('unload', 'wllama'));
afterAll(async () => {
  await lab?.stop();
  await server?.stop();
});

test('the host is isolated, and reaches servers that say nothing about it', async () => {
  expect(await lab.evaluate('crossOriginIsolated')).toBe(true);
  const status = `fetch(${JSON.stringify(lab.harness.origin)}).then((answer) => answer.status)`;
  expect(await lab.evaluate(status)).toBe(404);
});

test('threads answer, stop and answer again', async () => {
  await lab.restart(THREE_CORES);
  expect((await lab.call('load', 'wllama', id)).error).toBeUndefined();
  const hello = await lab.call('generate', 'wllama', request('hello'));
  expect(hello).toMatchObject({ text: 'I can help with this page.', end: { finish: 'stop' } });
  const stopped = await lab.call('generate', 'wllama', request('novel'), 3);
  expect(stopped).toMatchObject({ chunks: 3, end: { finish: 'abort' } });
  const again = await lab.call('generate', 'wllama', request('hello'));
  expect(again.text).toBe('I can help with this page.');
  expect(lab.workers(), 'llama.cpp and its two threads').toBe(1 + 2);
  await lab.call('unload', 'wllama');
  await expect.poll(() => lab.workers(), { timeout: 10_000 }).toBe(0);
});

test('threads that never answer are given up for a single one', async () => {
  await lab.restart(THREE_CORES + MUTE_THREADS);
  expect((await lab.call('load', 'wllama', id)).error).toBeUndefined();
  await expect.poll(() => lab.workers(), { timeout: 30_000 }).toBe(1);
  const reply = await lab.call('generate', 'wllama', request('hello'));
  expect(reply.text).toBe('I can help with this page.');
});
