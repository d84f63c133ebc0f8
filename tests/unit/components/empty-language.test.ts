import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const words = (language: string): string =>
  (
    JSON.parse(
      readFileSync(
        new URL(`../../../public/_locales/${language}/messages.json`, import.meta.url),
        'utf8',
      ),
    ) as Record<string, { message: string }>
  )['emptyNoModel']?.message ?? '';

// The engine that needs no model reads English alone; who writes otherwise is told before typing.
test.each([
  ['de', 'Englisch'],
  ['es', 'inglés'],
  ['ja', '英語'],
  ['ar', 'بالإنجليزية'],
])('an empty chat in %s says which language is understood', (language, english) => {
  expect(words(language)).toContain(english);
});
