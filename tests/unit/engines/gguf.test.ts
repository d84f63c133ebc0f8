import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../lib/agent/engine';
import { dialectOf } from '../../../lib/engines/models/dialect-of';
import { readGguf } from '../../../lib/engines/models/gguf';
import { CHATML } from '../../fixtures/scripted-gguf/compile';
import { SHOP_SCRIPT, shopModel } from '../../fixtures/scripted-gguf/shop-model';

const file = shopModel();

describe('a GGUF header', () => {
  test('tells name, kind, window, template and what a token costs', async () => {
    expect(await readGguf(new Blob([file]))).toMatchObject({
      name: SHOP_SCRIPT.name,
      architecture: 'llama',
      contextLength: 32_768,
      chatTemplate: CHATML,
      // one layer, 8 heads of 64, keys and values, two bytes each
      cacheBytesPerToken: 8 * 64 * 2 * 2,
      split: undefined,
    });
  });

  test('asks for exactly the bytes of the file', async () => {
    const { bytesNeeded } = await readGguf(new Blob([file]));
    expect(file.length - bytesNeeded).toBeGreaterThanOrEqual(0);
    expect(file.length - bytesNeeded).toBeLessThan(32);
  });

  test.each([0, 3, 24, 200, 5000, file.length - 64])('cut after %i bytes is corrupt', async (n) => {
    await expect(readGguf(new Blob([file.subarray(0, n)]))).rejects.toMatchObject({
      kind: 'corrupt',
    });
  });

  test('of any other bytes ends in words, never in anything else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 0, max: 300 }),
        async (noise, at) => {
          const bytes = file.slice(0, 6000);
          bytes.set(noise, at);
          const error = await readGguf(new Blob([bytes])).catch((e: unknown) => e);
          expect(error).toBeInstanceOf(EngineError);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('longer than a first look is read on', async () => {
    const long = shopModelWithTemplate(`${CHATML}{# ${'x'.repeat(2_000_000)} #}`);
    expect((await readGguf(new Blob([long]))).architecture).toBe('llama');
  });
});

function shopModelWithTemplate(template: string): Uint8Array<ArrayBuffer> {
  // The template is the last entry of the metadata; a longer one moves the tensors.
  const text = new TextEncoder().encode(CHATML);
  // The tensors behind it stay aligned.
  const growth = template.length - CHATML.length;
  const longer = new TextEncoder().encode(template + ' '.repeat((32 - (growth % 32)) % 32));
  const at = indexOf(file, text);
  const out = new Uint8Array(file.length + longer.length - text.length);
  out.set(file.subarray(0, at));
  new DataView(out.buffer).setBigUint64(at - 8, BigInt(longer.length), true);
  out.set(longer, at);
  out.set(file.subarray(at + text.length), at + longer.length);
  return out;
}
function indexOf(bytes: Uint8Array, part: Uint8Array): number {
  return Buffer.from(bytes).indexOf(Buffer.from(part));
}

describe('the dialect of a model', () => {
  test.each([
    ['{{ "<tool_call>" }}', 'hermes'],
    ['<tool_call>\n<function={{ name }}>', 'qwen-xml'],
    ['<|tool_call_start|>', 'liquid'],
    ['[TOOL_CALLS]', 'mistral'],
    ['<|python_tag|>', 'llama'],
    ['<start_function_call>', 'functiongemma'],
    ['<|tool_call>call:', 'gemma'],
    ['<|tool_call|>', 'granite'],
    ['<|tool_call|>…<|/tool|>', 'phi'],
    ['no tools here', 'hermes'],
    [undefined, 'hermes'],
  ])('%j writes %s', (chatTemplate, dialect) => {
    expect(dialectOf({ chatTemplate })).toBe(dialect);
  });

  test('LFM2.5 lists its tools without marks: its kind tells', () => {
    expect(dialectOf({ architecture: 'lfm2', chatTemplate: 'List of tools: [' })).toBe('liquid');
  });
});
