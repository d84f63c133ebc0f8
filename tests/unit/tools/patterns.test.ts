import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

/**
 * Every regular expression of the product, run on what makes backtracking expensive: the time may grow
 * with the length of the text, and not with its square.
 */

const ROOT = resolve(import.meta.dirname, '../../..');

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
    .map((file) => join(file.parentPath, file.name));
}

interface Pattern {
  where: string;
  source: string;
  flags: string;
}

function patternsOf(file: string): Pattern[] {
  const text = readFileSync(file, 'utf8');
  const found: Pattern[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const item of node) visit(item);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    if ('regex' in node && typeof node.regex === 'object' && node.regex !== null) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      const at = 'start' in node && typeof node.start === 'number' ? node.start : 0;
      const line = text.slice(0, at).split('\n').length;
      found.push({ where: `${relative(ROOT, file)}:${line}`, source: pattern, flags });
      return;
    }
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}

/** Characters that the pattern speaks of, and some of each class it names. */
function alphabet({ source }: Pattern): string[] {
  const classes: [RegExp, string][] = [
    [/\\d|0-9/, '7'],
    [/\\w|\\p\{L|a-z/, 'a'],
    [/\\p\{L|\\p\{Lu|A-Z/, 'A'],
    [/\\s|\\n/, '\n'],
    [/\\s| /, ' '],
    [/\\p\{C|\\u/, '\u200b'],
    [/\./, '.'],
  ];
  const named = classes.flatMap(([mark, sample]) => (mark.test(source) ? [sample] : []));
  const plain = source
    .replace(/\\u\{?[0-9a-fA-F]+\}?|\\p\{[^}]*\}|\\[a-zA-Z]|\(\?<?[:=!]|\{\d+,?\d*\}/g, '')
    .replace(/[[\](){}|^$*+?]/g, (mark, at: number, whole: string) =>
      whole[at - 1] === '\\' ? mark : '',
    );
  return [...new Set([...named, ...plain])].filter((c) => c !== '\\').slice(0, 8);
}

/** What is repeated, and what stands around it so that a match fails late. */
function pumps(pattern: Pattern): ((length: number) => string)[] {
  const letters = alphabet(pattern);
  const units = [
    ...letters,
    ...letters.flatMap((a) => letters.slice(0, 4).map((b) => (a === b ? '' : a + b))),
    ...letters.slice(0, 4).map((a) => `${a}   `),
  ].filter((unit) => unit !== '');
  // Words the pattern spells, such as a tag it looks for.
  const spelled = pattern.source.match(/[A-Za-z<>"'=/-]{2,}/g) ?? [];
  const heads = ['', ...spelled.slice(0, 1), ...letters.slice(0, 1)];
  return [...units, ...spelled.slice(0, 2)].flatMap((unit) =>
    heads.flatMap((head) =>
      ['', '\u0001'].map(
        (tail) => (length: number) => head + unit.repeat(Math.ceil(length / unit.length)) + tail,
      ),
    ),
  );
}

/** Thousands of small measurements. */
const LONG = 240_000;
const SMALL = [12, 18, 24, 28, 32, 36, 40, 44, 48, 52, 60, 120, 250];
const LARGE = 32_000;
/** Less than this is measured too coarsely to be compared. */
const NOTICEABLE_MS = 25;
const MOST_GROWTH = 2.5;

function timeOf({ source, flags }: Pattern, text: string): number {
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const start = performance.now();
  // As `replace` and `matchAll` do: from every place on.
  for (const _ of text.matchAll(pattern));
  return performance.now() - start;
}

/** The machine may have been busy: the best of a few counts. */
function bestOf(pattern: Pattern, text: string): number {
  let took = timeOf(pattern, text);
  for (let again = 0; again < 6 && took > NOTICEABLE_MS; again++) {
    took = Math.min(took, timeOf(pattern, text));
  }
  return took;
}

/** What makes the pattern slow, if anything does. */
function slowOn(pattern: Pattern): string | undefined {
  for (const pump of pumps(pattern)) {
    for (const length of SMALL) {
      const took = bestOf(pattern, pump(length));
      if (took > NOTICEABLE_MS)
        return `${JSON.stringify(pump(12))}: ${length} characters, ${took} ms`;
    }
    const took = bestOf(pattern, pump(LARGE));
    if (took <= NOTICEABLE_MS) continue;
    const half = bestOf(pattern, pump(LARGE / 2));
    if (took > MOST_GROWTH * half) {
      return `${JSON.stringify(pump(12))}: ${LARGE} characters in ${took} ms, half in ${half} ms`;
    }
  }
  return undefined;
}

/** They read what the user typed, and nothing that a page, a model or a file wrote is run through all of them. */
const OF_THE_REQUEST = join('lib', 'engines', 'instant');

const patterns = [...sources('lib'), ...sources('components')]
  .filter((file) => !relative(ROOT, file).startsWith(OF_THE_REQUEST))
  .flatMap(patternsOf);

test('the patterns are found', () => {
  expect(patterns.length).toBeGreaterThan(150);
});

test('the check knows a slow pattern when it sees one', { timeout: LONG }, () => {
  const slow = (pattern: RegExp) =>
    slowOn({ where: '', source: pattern.source, flags: pattern.flags });
  expect(slow(/^(?:[ \t]{0,3}>[ \t]*){13}/m)).toBeDefined();
  expect(slow(/(a+)+b/)).toBeDefined();
  expect(slow(/[.,]+$/)).toBeDefined();
  expect(slow(/[.,]+/)).toBeUndefined();
});

test('no pattern takes more than twice as long for a text of twice the length', {
  timeout: LONG,
}, () => {
  const slow = patterns.flatMap((pattern) => {
    const text = slowOn(pattern);
    return text === undefined
      ? []
      : [`${pattern.where} /${pattern.source}/${pattern.flags} on ${text}`];
  });
  expect(slow).toEqual([]);
});
