import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { libraryFunctions } from '../../../scripts/library-docs';

const ROOT = resolve(import.meta.dirname, '../../..');
const EXAMPLES = join(ROOT, 'library/examples');

/** What an example says that it prints. */
const promised = (source: string): string[] =>
  [...source.matchAll(/^\/\/ → ?(.*)$/gm)].map(([, text = '']) => text.trim());

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : String(JSON.stringify(value));

describe('the library', () => {
  test('every exported function has words and an example, and every example a function', () => {
    const names = libraryFunctions().map(({ name }) => name);
    expect(readdirSync(EXAMPLES).sort()).toEqual(names.map((name) => `${name}.ts`).sort());
  });

  test.each(readdirSync(EXAMPLES))('%s prints what it says', { timeout: 60_000 }, async (file) => {
    const said: string[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((...values) => {
      said.push(...values.map(shown).join(' ').split('\n'));
    });
    await import(join(EXAMPLES, file));
    log.mockRestore();
    const expected = promised(readFileSync(join(EXAMPLES, file), 'utf8'));
    expect(expected.length).toBeGreaterThan(0);
    expect(said.map((line) => line.trim())).toEqual(expected);
  });
});
