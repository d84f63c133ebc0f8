import type { Listed, SaidValue } from '../said/said';
import type { SaidCode } from '../said/say';
import { WORDS } from '../said/words';

/** What the parser mends, which it tells in English alone: it knows of nothing but text. */
const MENDED = [
  'mended-cut-short',
  'mended-unclosed',
  'mended-parameter',
  'mended-position',
  'mended-only',
  'mended-brace',
  'mended-doubled-braces',
  'mended-noise',
  'mended-flat',
  'mended-key',
  'mended-json',
  'mended-json-cut',
  'mended-doubled',
  'mended-quotes',
  'mended-comma',
  'mended-python',
  'mended-keys',
  // Last, as its English begins like that of others.
  'mended-prefix',
] as const satisfies readonly SaidCode[];

const READERS = MENDED.map((code) => ({
  code,
  pattern: new RegExp(
    `^${WORDS[code].replace(/[.*+?^()[\]{}|\\]/g, '\\$&').replace(/\$\d/g, '(.*)')}$`,
    's',
  ),
}));

/** A repair of the parser with how to say it in other languages. */
export function saidRepair(text: string): Listed {
  for (const { code, pattern } of READERS) {
    const values: SaidValue[] | undefined = pattern.exec(text)?.slice(1);
    if (values) return { text, said: { code, values } };
  }
  return text;
}
