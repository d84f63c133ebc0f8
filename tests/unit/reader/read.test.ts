import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createNetwork } from '../../../lib/reader/network';
import { requestTokens, slotsOf, toolTokens } from '../../../lib/reader/text';
import { createWordPieces } from '../../../lib/reader/wordpiece';
import { packagedReader } from '../../evals/reader';

interface Sample {
  tools: { name: string; description: string; inputSchema?: never }[];
  toolIds: number[][];
  requests: {
    request: string;
    earlier: string[];
    ids: number[];
    scores: number[];
    cuts: number[];
  }[];
}
/** What the network in training says, written by training/reader/sample.py. */
const sample = JSON.parse(
  readFileSync(new URL('../../fixtures/reader/sample.json', import.meta.url), 'utf8'),
) as Sample;
const reader = await packagedReader();

describe('the packaged reader', () => {
  test.each(sample.requests)('reads “$request” as it was trained to', (asked) => {
    const { tools } = reader.read(asked.request, asked.earlier, sample.tools);
    // 8-bit weights and 12-bit activations against 32 bits.
    for (const [i, tool] of sample.tools.entries())
      expect(tools.find((t) => t.name === tool.name)?.score).toBeCloseTo(asked.scores[i] ?? 0, 0);
  });

  test('values are words of the request, choices of the argument, or none', () => {
    const tools = sample.tools;
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        for (const { slots, left } of reader.read(text, [], tools).tools) {
          for (const w of [...left, ...slots.flatMap((s) => s.words)])
            expect(text.slice(w.start, w.end)).toBe(w.text);
          for (const s of slots)
            for (const choice of s.choices)
              expect(s.slot.choices.map((c) => c.value)).toContain(choice);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('of many tools the nearest are read', () => {
    const many = Array.from({ length: 40 }, (_, i) => ({
      name: `paint_wall_${i}`,
      description: 'Paint a wall.',
    }));
    const { tools } = reader.read('cancel my booking B-77', [], [...many, ...sample.tools]);
    expect(tools[0]?.name).toBe('bookings.cancel');
    expect(tools.length).toBeLessThan(many.length);
  });
});

describe('weights', () => {
  test.each([
    ['nothing', new ArrayBuffer(0)],
    ['a length beyond the end', new Uint8Array([255, 255, 255, 127, 0]).buffer],
    ['no table', new Uint8Array([2, 0, 0, 0, 123, 120]).buffer],
  ])('%s is refused', async (_name, bytes) => {
    const kernel = readFileSync(new URL('../../../public/reader/kernel.wasm', import.meta.url));
    await expect(createNetwork(bytes, new Uint8Array(kernel))).rejects.toThrow();
  });
});

describe('tool and request as tokens', () => {
  const cut = createWordPieces(['[PAD]', ...Array.from({ length: 120 }, (_, i) => `w${i}`)]);

  test('any schema: never throws, and never more tokens than the network takes', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4 }), fc.string(), (schema, name) => {
        const tool = { name, inputSchema: { properties: JSON.parse(JSON.stringify(schema)) } };
        expect(toolTokens(tool, cut).ids.length).toBeLessThanOrEqual(224);
        expect(() => slotsOf(tool.inputSchema)).not.toThrow();
      }),
    );
  });

  test('a long request is cut, and so is what was said before it', () => {
    const long = 'word '.repeat(300);
    const tokens = requestTokens(long, [long, long], cut);
    expect(tokens.ids.length).toBeLessThanOrEqual(65 + 49);
    expect(tokens.marks).toHaveLength(tokens.ids.length);
  });
});
