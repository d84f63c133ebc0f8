import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAst } from 'vite';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../components/text';

const ROOT = resolve(import.meta.dirname, '../../..');
const LOCALES = join(ROOT, 'public/_locales');

type Messages = Record<string, { message: string }>;

function read(language: string): Messages {
  return JSON.parse(readFileSync(join(LOCALES, language, 'messages.json'), 'utf8')) as Messages;
}

const english = read('en');
const CATEGORY = /_(zero|one|two|few|many|other)$/;
const stems = [
  ...new Set(
    Object.keys(english)
      .filter((key) => CATEGORY.test(key))
      .map((key) => key.replace(CATEGORY, '')),
  ),
];
const plain = Object.keys(english).filter((key) => !CATEGORY.test(key));

describe.each(Object.keys(LANGUAGES))('the texts in %s', (language) => {
  const messages = read(language);

  test('have every plain key, and no other', () => {
    const keys = Object.keys(messages).filter((key) => !CATEGORY.test(key));
    expect(keys.sort()).toEqual([...plain].sort());
  });

  test('have every plural category the language uses', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const wanted = stems.flatMap((stem) => categories.map((category) => `${stem}_${category}`));
    const missing = wanted.filter((key) => !Object.hasOwn(messages, key));
    expect(missing).toEqual([]);
  });

  test('fill in the same values as in English', () => {
    const marks = (text: string) => [...new Set(text.match(/\$\d/g) ?? [])].sort();
    const wrong = plain.filter(
      (key) =>
        marks(messages[key]?.message ?? '').join() !== marks(english[key]?.message ?? '').join(),
    );
    expect(wrong).toEqual([]);
  });

  test('are never empty', () => {
    const empty = Object.entries(messages).filter(([, { message }]) => message.trim() === '');
    expect(empty).toEqual([]);
  });

  test('are translated, not copied', () => {
    if (language === 'en') return;
    const same = plain.filter(
      (key) =>
        messages[key]?.message === english[key]?.message &&
        /\p{Ll}{3,}.*\s.*\p{Ll}{3,}/u.test(english[key]?.message ?? ''),
    );
    expect(same).toEqual([]);
  });
});

test('the manifest’s keys are there', () => {
  const manifest = readFileSync(join(ROOT, 'wxt.config.ts'), 'utf8');
  const keys = [...manifest.matchAll(/__MSG_(\w+)__/g)].map((match) => match[1]);
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) expect(english).toHaveProperty(key ?? '');
});

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

const SPOKEN_ATTRIBUTES = new Set(['aria-label', 'title', 'placeholder', 'alt', 'label']);
/** Addresses shown as examples are the same in every language. */
const EXAMPLE = /^https?:\/\//;

/** Words between tags and in attributes that are read out or shown. */
function literalTexts(path: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const item of node) visit(item);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const { type, value, name } = node as { type?: string; value?: unknown; name?: unknown };
    if (type === 'JSXText' && typeof value === 'string' && /\p{L}/u.test(value)) {
      found.push(value.trim());
    }
    if (type === 'JSXAttribute') {
      const attribute = (name as { name?: unknown }).name;
      const text = (value as { value?: unknown } | null)?.value;
      const spoken = typeof attribute === 'string' && SPOKEN_ATTRIBUTES.has(attribute);
      if (spoken && typeof text === 'string' && /\p{L}/u.test(text) && !EXAMPLE.test(text)) {
        found.push(`${attribute}: ${text}`);
      }
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(readFileSync(path, 'utf8'), { lang: 'tsx' }));
  return found;
}

test('no component and no page of the product holds text of its own', () => {
  const files = [
    ...sources('components'),
    ...['sidepanel', 'options', 'devtools-panel'].flatMap((page) => sources(`entrypoints/${page}`)),
  ].filter((path) => path.endsWith('.tsx'));
  expect(files.length).toBeGreaterThan(30);
  const found = files.flatMap((path) => literalTexts(path).map((text) => `${path}: ${text}`));
  expect(found).toEqual([]);
});

test('every English text is used somewhere', () => {
  const code = [
    ...['components', 'entrypoints', 'lib'].flatMap(sources),
    join(ROOT, 'wxt.config.ts'),
  ]
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  // What the host says is asked for by its code; `said/words.test.ts` compares the keys with the table.
  const keys = [...plain, ...stems].filter((key) => !key.startsWith('said_'));
  const unused = keys.filter((key) => !new RegExp(`['"_]${key}['"_]`).test(code));
  expect(unused).toEqual([]);
});
