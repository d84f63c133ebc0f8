import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../components/text';
import type { Template } from '../../../lib/said/say';
import { WORDS } from '../../../lib/said/words';

const LOCALES = resolve(import.meta.dirname, '../../../public/_locales');
type Messages = Record<string, { message: string }>;
const read = (language: string) =>
  JSON.parse(readFileSync(join(LOCALES, language, 'messages.json'), 'utf8')) as Messages;

/** Key of `_locales` → the English of it, a key for each form of a counted sentence. */
const table = Object.entries<Template>(WORDS).flatMap(([code, template]) => {
  const key = `said_${code.replaceAll('-', '_')}`;
  return typeof template === 'string'
    ? [[key, template] as const]
    : Object.entries(template).map(([form, text]) => [`${key}_${form}`, text] as const);
});

test('the table and the English texts are the same, word for word', () => {
  const english = Object.entries(read('en')).filter(([key]) => key.startsWith('said_'));
  expect(Object.fromEntries(english.map(([key, { message }]) => [key, message]))).toEqual(
    Object.fromEntries(table),
  );
});

test('no code is named like a plural form', () => {
  const codes = Object.keys(WORDS);
  expect(codes.filter((code) => /-(zero|one|two|few|many|other)$/.test(code))).toEqual([]);
});

describe.each(Object.keys(LANGUAGES))('the sentences in %s', (language) => {
  const messages = read(language);
  const marks = (text: string) => [...new Set(text.match(/\$\d/g) ?? [])].sort();

  test('take the same values as in English, every form of them', () => {
    const wrong = Object.entries(WORDS).flatMap(([code, template]: [string, Template]) => {
      const key = `said_${code.replaceAll('-', '_')}`;
      const wanted = marks(typeof template === 'string' ? template : template.other);
      const forms = Object.keys(messages).filter(
        (known) =>
          known === key || (typeof template !== 'string' && known.replace(/_[a-z]+$/, '') === key),
      );
      if (forms.length === 0) return [`${key} is missing`];
      return forms.filter((form) => marks(messages[form]?.message ?? '').join() !== wanted.join());
    });
    expect(wrong).toEqual([]);
  });

  test('hold nothing that Chrome takes for a placeholder, which would keep it from loading', () => {
    const bad = Object.entries(messages).filter(([, { message }]) => /\$[\w@]+\$/.test(message));
    expect(bad).toEqual([]);
  });

  test('name buttons as they are called', () => {
    const text = (key: string) => messages[key]?.message ?? '';
    expect(text('said_nano_needs_click')).toContain(text('use'));
    expect(text('said_nano_needs_click')).toContain(text('models'));
    expect(text('said_not_installed')).toContain(text('models'));
  });
});
