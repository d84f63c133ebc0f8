/**
 * Word borders inside one identifier: `addToCart`, `parseHTTPHeader`, `base64Encode`, but none in
 * `3D`. Lookarounds, so linear time.
 */
const IDENTIFIER_BORDER = /(?<=\p{Ll})(?=\p{Lu})|(?<=[\p{Lu}\p{Nd}])(?=\p{Lu}\p{Ll})/gu;
/** Accents of alphabets that are read the same without them. Vowel signs of Indic scripts are words' substance and stay. */
const ACCENT = /[\u0300-\u036f]/g;
const SEPARATOR = /[^\p{L}\p{N}\p{M}]+/gu;
/** Apostrophes vanish inside a word, so that `what's` is one word and not `what` and `s`. */
const APOSTROPHE = /(?<=\p{L})['’](?=\p{L})/gu;

/**
 * Text as it is compared: compatibility forms folded, accents removed, `camelCase`, `snake_case` and
 * punctuation turned into single spaces, lower-case, trimmed. Language-neutral; anything that is no
 * string gives `''`.
 */
export function normalizeText(input: unknown): string {
  if (typeof input !== 'string') return '';
  return input
    .normalize('NFKD')
    .replace(ACCENT, '')
    .normalize('NFC')
    .replace(APOSTROPHE, '')
    .replace(IDENTIFIER_BORDER, ' ')
    .toLowerCase()
    .replace(SEPARATOR, ' ')
    .trim();
}

/** The words of {@link normalizeText}, in order and with repeats; digits are words. */
export function splitWords(input: unknown): string[] {
  if (typeof input !== 'string') return [];
  const words = splitAscii(input);
  if (words !== undefined) return words;
  const text = normalizeText(input);
  return text === '' ? [] : text.split(' ');
}

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** What each ASCII character is to a word. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  return /[0-9]/.test(character) ? DIGIT : OTHER;
});

/**
 * The words of {@link splitWords} by one pass over the characters, `undefined` where the text is not plain ASCII.
 * Nearly all text of tools is, and this is many times as fast as the patterns above.
 */
export function splitAscii(input: string): string[] | undefined {
  const text = input.includes("'") ? input.replace(APOSTROPHE, '') : input;
  const lower = text.toLowerCase();
  const words: string[] = [];
  let start = -1;
  let before = OTHER;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (code > 127) return undefined;
    const kind = KINDS[code] ?? OTHER;
    if (kind === LOWER || kind === DIGIT) {
      if (start < 0) start = at;
      before = kind;
      continue;
    }
    if (start >= 0 && isBorder(before, kind, text, at)) {
      words.push(lower.slice(start, at));
      start = -1;
    }
    if (kind !== OTHER && start < 0) start = at;
    before = kind;
  }
  return words;
}

/** Whether a capital, or what is no letter, ends the word before it. */
function isBorder(before: number, kind: number, text: string, at: number): boolean {
  if (kind === OTHER || before === LOWER) return true;
  return KINDS[text.charCodeAt(at + 1)] === LOWER;
}
