import { editDistance } from '../text/edit-distance';
import type { TermIndex } from './index-terms';

/** Letters by which terms are filed for prefix search. */
const FILED_LETTERS = 3;
/** Most terms of one prefix looked at: a catalog of ten thousand `create…` names must not be sorted for each word. */
const MAX_LOOKED_AT = 512;
/** Letters a word needs to be taken for one two typos away; shorter words have too many neighbours. */
const TWO_TYPOS_FROM = 8;
/** In a word shorter than this a replaced letter makes another word more often than a typo: `pull`, `pill`. */
const SAFE_LENGTH = 6;
/** Longest word whose spelling is corrected. */
const MAX_FUZZY_LENGTH = 32;

/** Terms of an index that are like a word without being it. Terms no record holds are left out. */
export interface Lexicon {
  /** At most `limit` terms that begin with `word`, the shortest first. */
  startingWith(word: string, limit: number): number[];
  /**
   * At most `limit` terms within one typo of `word` (two from eight letters on) that begin with the
   * same letter, the nearest first.
   */
  spelledLike(word: string, limit: number): { term: number; distance: number }[];
}

/**
 * A lexicon over the terms of `index`; it follows the index by itself, at the cost of the new terms
 * alone. Typos are found without n-gram lists: an edit changes at most two of the letters a word is
 * made of, so comparing two bit sets of letters rules out nearly every term before a distance is
 * computed.
 */
export function createLexicon(index: TermIndex): Lexicon {
  let known: readonly string[] = index.terms;
  let followed = 0;
  let filed = new Map<string, number[]>();
  let letters = new Int32Array(256);

  function follow(): void {
    if (known !== index.terms) {
      known = index.terms;
      followed = 0;
      filed = new Map();
    }
    if (letters.length < known.length) {
      const grown = new Int32Array(Math.max(known.length, letters.length * 2));
      grown.set(letters);
      letters = grown;
    }
    for (; followed < known.length; followed++) {
      const term = known[followed] ?? '';
      letters[followed] = letterSet(term);
      if (term.length <= FILED_LETTERS) continue;
      const key = term.slice(0, FILED_LETTERS);
      const drawer = filed.get(key);
      if (drawer === undefined) filed.set(key, [followed]);
      else drawer.push(followed);
    }
  }

  const inUse = (term: number): boolean => index.documentFrequency(term) > 0;
  const shorterFirst = (a: number, b: number): number => {
    const left = known[a] ?? '';
    const right = known[b] ?? '';
    return left.length - right.length || (left < right ? -1 : 1);
  };

  return {
    startingWith(word, limit) {
      follow();
      if (word.length < FILED_LETTERS) return [];
      const drawer = filed.get(word.slice(0, FILED_LETTERS)) ?? [];
      const found: number[] = [];
      for (const term of drawer) {
        const text = known[term] ?? '';
        if (text.length === word.length || !text.startsWith(word) || !inUse(term)) continue;
        found.push(term);
        if (found.length >= MAX_LOOKED_AT) break;
      }
      return found.sort(shorterFirst).slice(0, limit);
    },

    spelledLike(word, limit) {
      follow();
      if (word.length > MAX_FUZZY_LENGTH) return [];
      const typos = word.length < TWO_TYPOS_FROM ? 1 : 2;
      const wanted = letterSet(word);
      const found: { term: number; distance: number }[] = [];
      for (let term = 0; term < followed; term++) {
        if (bitCount((letters[term] ?? 0) ^ wanted) > 2 * typos) continue;
        const text = known[term] ?? '';
        if (text.charCodeAt(0) !== word.charCodeAt(0)) continue;
        if (Math.abs(text.length - word.length) > typos || !inUse(term)) continue;
        if (word.length < SAFE_LENGTH && text.length === word.length && !isSwap(word, text))
          continue;
        const distance = editDistance(word, text, typos);
        if (distance <= typos) found.push({ term, distance });
      }
      return found
        .sort((a, b) => a.distance - b.distance || shorterFirst(a.term, b.term))
        .slice(0, limit);
    },
  };
}

/** Which of a–z a word holds, one bit each; digits and other scripts share the remaining six. */
function letterSet(word: string): number {
  let set = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at) - 97;
    set |= 1 << (code >= 0 && code < 26 ? code : 26 + (word.charCodeAt(at) % 6));
  }
  return set;
}

/** Whether two words of one length hold the same letters. */
const isSwap = (a: string, b: string): boolean => [...a].sort().join() === [...b].sort().join();

function bitCount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
