import { STOP_WORDS, WEAK_WORDS } from '../text/stop-words';
import { type ArgumentKind, findArgumentKinds } from './argument-kinds';

/** How a router reads text: tokens as its tokenizer gives them, terms as its index keeps them. */
export interface TextPipeline {
  tokenize(text: string): string[];
  /** The term a token is kept under. */
  termOf(token: string): string;
  /** Whether this is the built-in English pipeline: stop words, stemming and argument kinds apply. */
  readonly builtIn: boolean;
}

/** One distinct word of a query. */
export interface QueryWord {
  /** As typed, lower-case. */
  readonly text: string;
  readonly term: string;
  /** How much it counts: 1 for a word typed once, more for repeats, less for one that says little. */
  readonly weight: number;
}

export interface Query {
  /** The words that can tell tools apart, each once. */
  readonly words: readonly QueryWord[];
  /** For each sentence the places of its words in {@link words}; empty for a query of one sentence. */
  readonly sentences: readonly (readonly number[])[];
  /** Words typed in capitals that may be initials, lower-case: `PR`. */
  readonly acronyms: readonly string[];
  /** The kinds of value the query names, which some tool takes as arguments. */
  readonly kinds: readonly ArgumentKind[];
  /** Pieces that may be the very name of a tool, lower-case. */
  readonly identifiers: ReadonlySet<string>;
}

/** Most distinct words of a query that are looked up; what comes later is ignored. */
const MAX_WORDS = 128;
/** Most sentences told apart: a request of several errands is short, a pasted document is not one. */
const MAX_SENTENCES = 12;
/** What a weak word counts. */
const WEAK_SHARE = 0.4;
const ACRONYM = /(?<![\p{L}\p{N}])\p{Lu}{2,8}(?![\p{L}\p{N}])/gu;
/** Where one errand may end and the next begin. */
const SENTENCE_END =
  /(?<=[.!?;])\s+|(?<=[。！？；])|\n+|,?\s(?:and\s)?(?:then|afterwards|finally|lastly|additionally|furthermore)\b,?/iu;
const IDENTIFIER = /[\p{L}\p{N}][\p{L}\p{N}_.:/-]*/gu;

export function readQuery(text: string, pipeline: TextPipeline): Query {
  const places = new Map<string, number>();
  const words: { text: string; term: string; count: number; share: number }[] = [];
  const read = (tokens: readonly string[]): number[] => {
    const own = new Set<number>();
    for (const token of tokens) {
      const term = pipeline.termOf(token);
      let place = places.get(term);
      if (place === undefined) {
        if (words.length >= MAX_WORDS) continue;
        place = words.length;
        places.set(term, place);
        const share = pipeline.builtIn && WEAK_WORDS.has(token) ? WEAK_SHARE : 1;
        words.push({ text: token, term, count: 0, share });
      }
      const word = words[place];
      if (word !== undefined) word.count++;
      own.add(place);
    }
    return [...own];
  };

  const sentences: number[][] = [];
  for (const sentence of text.split(SENTENCE_END)) {
    const own = read(pipeline.tokenize(sentence).filter((token) => isTelling(token, pipeline)));
    if (own.length > 0) sentences.push(own);
  }
  if (words.length === 0) read(pipeline.tokenize(text));
  return {
    words: words.map(({ text, term, count, share }) => ({
      text,
      term,
      weight: share * (1 + Math.log(count)),
    })),
    sentences: sentences.length > 1 && sentences.length <= MAX_SENTENCES ? sentences : [],
    acronyms: distinct(text, ACRONYM),
    kinds: pipeline.builtIn ? findArgumentKinds(text) : [],
    identifiers: new Set(distinct(text, IDENTIFIER)),
  };
}

const isTelling = (token: string, pipeline: TextPipeline): boolean =>
  !pipeline.builtIn || !STOP_WORDS.has(token);

const distinct = (text: string, pattern: RegExp): string[] => [
  ...new Set((text.match(pattern) ?? []).slice(0, MAX_WORDS).map((piece) => piece.toLowerCase())),
];
