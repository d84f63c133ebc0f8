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
  const text = normalizeText(input);
  return text === '' ? [] : text.split(' ');
}
