import { integerOption } from '../router/option-checks';
import { cutText } from './cut';
import { splitAscii, splitWords } from './words';

/** Scripts written without spaces (or, in Korean, with endings glued on): a "word" there is a phrase. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNSPACED_RUN = new RegExp(`(?:${UNSPACED.source})+|(?:(?!${UNSPACED.source})[^])+`, 'gu');

const DEFAULT_MAX_TOKEN_LENGTH = 64;

export interface TokenizeOptions {
  /** Longest token, 2 to 256 UTF-16 units; the rest of a longer word is cut off. Default 64. */
  maxTokenLength?: number;
}

/**
 * The default text pipeline of the router: words of at least two characters, in order and with
 * repeats, neither stemmed nor filtered. Scripts without spaces give the run as it is, each character
 * and each pair of neighbours, which is what finds a word inside a sentence there.
 */
export function tokenize(input: unknown, options: TokenizeOptions = {}): string[] {
  const max = integerOption(
    options.maxTokenLength,
    DEFAULT_MAX_TOKEN_LENGTH,
    'maxTokenLength',
    2,
    256,
  );
  const tokens: string[] = [];
  const plain = typeof input === 'string' ? splitAscii(input) : [];
  for (const word of plain ?? splitWords(input)) {
    if (plain !== undefined || !UNSPACED.test(word)) {
      if (word.length > 1) tokens.push(cutText(word, max));
      continue;
    }
    for (const run of word.match(UNSPACED_RUN) ?? []) {
      if (UNSPACED.test(run)) pushUnspaced(tokens, run, max);
      else if (run.length > 1) tokens.push(cutText(run, max));
    }
  }
  return tokens;
}

function pushUnspaced(tokens: string[], run: string, max: number): void {
  const characters = [...run];
  if (characters.length > 2) tokens.push(cutText(run, max));
  for (const [at, character] of characters.entries()) {
    tokens.push(character);
    const next = characters[at + 1];
    if (next !== undefined) tokens.push(character + next);
  }
}
