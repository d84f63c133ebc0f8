import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createChunkQueue } from '../../../lib/engines/chunk-queue';
import { createMeter } from '../../../lib/engines/downloads/meter';
import { onMirror, splitUrls, toFileUrl } from '../../../lib/engines/downloads/mirror';
import { gpuFacts } from '../../../lib/engines/machine';
import { responseConstraint } from '../../../lib/engines/response-constraint';
import { createTokenCounter } from '../../../lib/engines/tokens';
import { readableBytes } from '../../../lib/said/say';

describe('addresses', () => {
  const url = 'https://huggingface.co/a/b/resolve/main/c.gguf?download=true';

  test('move to the mirror with their path', () => {
    expect(onMirror(url, undefined)).toBe(url);
    expect(onMirror(url, 'http://mirror.corp/hub/')).toBe(
      'http://mirror.corp/hub/a/b/resolve/main/c.gguf?download=true',
    );
  });

  test('of a page on the hub become that of the file', () => {
    expect(toFileUrl('https://huggingface.co/a/b/blob/main/c.gguf')).toBe(
      'https://huggingface.co/a/b/resolve/main/c.gguf',
    );
    expect(toFileUrl('https://x.test/a/b/blob/c.gguf')).toBe('https://x.test/a/b/blob/c.gguf');
  });

  test('of one part give those of all', () => {
    expect(splitUrls('https://x.test/m-00002-of-00003.gguf?v=1')).toEqual([
      'https://x.test/m-00001-of-00003.gguf?v=1',
      'https://x.test/m-00002-of-00003.gguf?v=1',
      'https://x.test/m-00003-of-00003.gguf?v=1',
    ]);
    expect(splitUrls('https://x.test/m.gguf')).toEqual(['https://x.test/m.gguf']);
    expect(splitUrls('https://x.test/m-00001-of-99999.gguf')).toHaveLength(1);
  });
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1500, '1.5 kB'],
  [734_000_000, '734 MB'],
  [999_700_000, '1.0 GB'],
  [1_250_000_000, '1.3 GB'],
])('%i bytes read as %s', (bytes, text) => expect(readableBytes(bytes)).toBe(text));

describe('speed', () => {
  test('is that of the last seconds, not of the whole', () => {
    let now = 0;
    const meter = createMeter(() => now, 100_000);
    for (; now <= 10_000; now += 500) meter(now); // 1,000 bytes a second
    let last = meter(10_000);
    for (let done = 10_000; now <= 18_000; now += 500) {
      done += 5000;
      last = meter(done);
    }
    expect(last.bytesPerSecond).toBeGreaterThan(9000);
  });

  test('is not told before there is one', () => {
    expect(createMeter(() => 0, 10)(5)).toEqual({});
  });
});

describe('token counts', () => {
  test('follow what the engine reports', () => {
    const counter = createTokenCounter();
    const text = 'some words that a tokenizer would count '.repeat(10);
    counter.learn(text, 123);
    expect(counter.count(text)).toBe(123);
    counter.reset();
    expect(counter.count(text)).not.toBe(123);
  });

  test('do not follow a few words, nor nonsense', () => {
    const counter = createTokenCounter();
    const before = counter.count('hello there');
    counter.learn('hello', 4000);
    counter.learn('hello there '.repeat(100), 0);
    expect(counter.count('hello there')).toBe(before);
  });
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

describe('a queue of chunks', () => {
  test('gives everything in order, then ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer()), fc.nat(10), async (items, late) => {
        const queue = createChunkQueue<number>();
        const read = all(queue);
        for (const [i, item] of items.entries()) {
          if (i === late) await Promise.resolve();
          queue.push(item);
        }
        queue.end();
        expect(await read).toEqual(items);
      }),
    );
  });

  test('gives what came before a failure, then the failure', async () => {
    const queue = createChunkQueue<number>();
    queue.push(1);
    queue.fail(new Error('broke'));
    queue.end();
    const seen: number[] = [];
    await expect(
      (async () => {
        for await (const item of queue) seen.push(item);
      })(),
    ).rejects.toThrow('broke');
    expect(seen).toEqual([1]);
  });
});

test('software rendering is known by its name', () => {
  const adapter = (vendor: string) =>
    gpuFacts({
      features: new Set(['shader-f16']) as unknown as GPUSupportedFeatures,
      limits: { maxBufferSize: 5 } as GPUSupportedLimits,
      info: { vendor, architecture: '', description: '' } as GPUAdapterInfo,
    });
  expect(adapter('google swiftshader')).toMatchObject({ software: true, shaderF16: true });
  expect(adapter('nvidia')).toMatchObject({ software: false, maxBufferBytes: 5 });
});

test('a response constraint has no keyword Chrome refuses, and keeps the choice', () => {
  const schema = responseConstraint({
    oneOf: [
      { type: 'object', properties: { not: { type: 'string' } }, not: {}, if: {} },
      { type: 'object', properties: { text: { type: 'strnig' } }, uniqueItems: true },
    ],
  });
  expect(schema).toEqual({
    anyOf: [
      { type: 'object', properties: { not: { type: 'string' } } },
      { type: 'object', properties: { text: {} } },
    ],
  });
});
