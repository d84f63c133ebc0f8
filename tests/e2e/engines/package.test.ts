import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const BUILT = resolve(import.meta.dirname, '../../../.output/chrome-mv3');
const files = readdirSync(BUILT, { recursive: true, encoding: 'utf8' });
const scripts = files.filter((name) => /\.(js|html)$/.test(name));

test('llama.cpp is in the package', () => {
  const wasm = readFileSync(join(BUILT, 'wllama.wasm'));
  expect(WebAssembly.validate(wasm.subarray(0, 8))).toBe(true);
  expect(wasm.length).toBeGreaterThan(5_000_000);
});

test('the list of model libraries names what is there, and nothing else', () => {
  const listed: unknown = JSON.parse(readFileSync(join(BUILT, 'model-libs/index.json'), 'utf8'));
  const there = files.filter((name) => /^model-libs[\\/].*\.wasm$/.test(name));
  expect(listed).toEqual(there.map((name) => name.slice('model-libs/'.length)));
});

test.each(scripts)('%s names no address of code elsewhere', (name) => {
  const text = readFileSync(join(BUILT, name), 'utf8');
  const addresses = text.match(/https?:\/\/[\w.-]+\/[^\s"'`<>)\\]*/g) ?? [];
  // Pages about code, in comments, are no code.
  const loadable = addresses.filter((address) => !/\/\/github\.com\/.*\/blob\//.test(address));
  const code = loadable.filter(
    (address) =>
      /\.(m?js|wasm)(?:\?|$)/.test(address) ||
      /\/\/(cdn|unpkg|esm|raw\.githubusercontent|[\w.]*jsdelivr)\b/.test(address),
  );
  expect(code).toEqual([]);
});
