/** A token with the characters of the text it stands for. */
export interface Piece {
  id: number;
  start: number;
  end: number;
}

const UNKNOWN = 100;
const LONGEST_WORD = 100;
const PUNCTUATION = /[!-/:-@[-`{-~\p{P}]/u;
const IDEOGRAPH = /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2fa1f}\uf900-\ufaff]/u;

/**
 * The uncased word pieces of BERT (Devlin et al. 2019): text is lowered, stripped of accents, split at
 * blanks and punctuation, and each word cut into the longest pieces the vocabulary has.
 */
export function createWordPieces(vocabulary: readonly string[]): (text: string) => Piece[] {
  const ids = new Map(vocabulary.map((piece, id) => [piece, id]));
  return (text) => {
    const out: Piece[] = [];
    for (const word of wordsOf(text)) cut(word, ids, out);
    return out;
  };
}

/** A word's characters after lowering, each with where it comes from. */
interface PlainWord {
  text: string[];
  at: number[];
  end: number;
}

function wordsOf(text: string): PlainWord[] {
  const words: PlainWord[] = [];
  let word: PlainWord | undefined;
  const add = (c: string, at: number, length: number): void => {
    word ??= { text: [], at: [], end: 0 };
    word.text.push(c);
    word.at.push(at);
    word.end = at + length;
  };
  const close = (): void => {
    if (word) words.push(word);
    word = undefined;
  };
  let at = 0;
  for (const c of text) {
    if (/\s/u.test(c)) close();
    else if (PUNCTUATION.test(c) || IDEOGRAPH.test(c)) {
      close();
      add(c, at, c.length);
      close();
    } else if (!/[\p{C}\ufffd]/u.test(c)) {
      for (const plain of c.normalize('NFD').toLowerCase())
        if (!/\p{Mn}/u.test(plain)) add(plain, at, c.length);
    }
    at += c.length;
  }
  close();
  return words;
}

function cut(word: PlainWord, ids: ReadonlyMap<string, number>, out: Piece[]): void {
  const begin = word.at[0] ?? 0;
  const whole: Piece = { id: UNKNOWN, start: begin, end: word.end };
  const n = word.text.length;
  if (n > LONGEST_WORD) {
    out.push(whole);
    return;
  }
  const pieces: Piece[] = [];
  for (let from = 0; from < n; ) {
    let to = n;
    let id: number | undefined;
    for (; to > from; to--) {
      const text = word.text.slice(from, to).join('');
      id = ids.get(from > 0 ? `##${text}` : text);
      if (id !== undefined) break;
    }
    if (id === undefined) {
      out.push(whole);
      return;
    }
    pieces.push({ id, start: word.at[from] ?? begin, end: word.at[to] ?? word.end });
    from = to;
  }
  out.push(...pieces);
}
