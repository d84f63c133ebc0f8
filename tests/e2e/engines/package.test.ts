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

test('every package in it comes with its licence', () => {
  const text = readFileSync(join(BUILT, 'THIRD-PARTY.txt'), 'utf8');
  const { dependencies } = JSON.parse(
    readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> };
  const missing = Object.entries(dependencies)
    .map(([name, version]) => `${name} ${version}\nLicence: `)
    .filter((head) => !text.includes(head));
  expect(missing).toEqual([]);
  for (const part of text.split(`${'='.repeat(78)}`)) expect(part).toMatch(/copyright|licen[cs]e/i);
  expect(text).toContain('Apache License');
  expect(text).toContain('llama.cpp');
});

test('views connect to nobody, and nothing in the package may be framed or sent elsewhere', () => {
  const manifest = JSON.parse(readFileSync(join(BUILT, 'manifest.json'), 'utf8')) as {
    content_security_policy: { extension_pages: string };
    web_accessible_resources?: unknown;
  };
  const policy = manifest.content_security_policy.extension_pages;
  for (const part of [
    "default-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    'connect-src',
    'frame-ancestors',
  ])
    expect(policy).toContain(part);
  expect(policy).not.toMatch(/\*(?!;|\s|$)|http:(?!\/\/(?:localhost|127\.0\.0\.1):)/);
  expect(manifest.web_accessible_resources).toBeUndefined();
  const views = scripts.filter((name) => name.endsWith('.html') && name !== 'host.html');
  expect(views.length).toBeGreaterThan(2);
  for (const view of views) {
    expect(readFileSync(join(BUILT, view), 'utf8')).toMatch(/content="connect-src (?:'|&#39;)self/);
  }
});
