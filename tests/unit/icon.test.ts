import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';

/** Width and height of a PNG, and how many different bytes its pixels are written with. */
async function look(size: number) {
  const png = await readFile(resolve(import.meta.dirname, `../../public/icon/${size}.png`));
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      parts.push(png.subarray(at + 8, at + 8 + length));
    }
    at += length + 12;
  }
  const pixels = inflateSync(Buffer.concat(parts));
  return {
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    bytes: new Set(pixels).size,
  };
}

test.each([16, 32, 48, 128])('the icon of %i pixels is a drawing of that size', async (size) => {
  const { width, height, bytes } = await look(size);
  expect([width, height]).toEqual([size, size]);
  // A flat square is written with a handful of bytes.
  expect(bytes).toBeGreaterThan(16);
});
