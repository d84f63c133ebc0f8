import { STOP_WORDS } from '../text/stop-words';

/** How a router reads text: tokens as its tokenizer gives them, terms as its index keeps them. */
export interface TextPipeline {
  tokenize(text: string): string[];
  /** The term a token is kept under. */
  termOf(token: string): string;
  /** Whether stop words are left out of queries. */
  readonly dropsStopWords: boolean;
}

/** One distinct word of a query. */
export interface QueryWord {
  /** As typed, lower-case. */
  readonly text: string;
  readonly term: string;
  /** How often it was typed. */
  readonly count: number;
}

export interface Query {
  readonly words: readonly QueryWord[];
  /** Words typed in capitals that may be initials, lower-case: `PR`. */
  readonly acronyms: readonly string[];
}

/** Most distinct words of a query that are looked up; what comes later is ignored. */
const MAX_WORDS = 128;
const ACRONYM = /(?<![\p{L}\p{N}])\p{Lu}{2,8}(?![\p{L}\p{N}])/gu;

/** The words of a query that can tell tools apart. */
export function readQuery(text: string, pipeline: TextPipeline): Query {
  const tokens = pipeline.tokenize(text);
  const telling = pipeline.dropsStopWords
    ? tokens.filter((token) => !STOP_WORDS.has(token))
    : tokens;
  const words = new Map<string, { text: string; term: string; count: number }>();
  for (const token of telling.length > 0 ? telling : tokens) {
    const term = pipeline.termOf(token);
    const word = words.get(term);
    if (word !== undefined) word.count++;
    else if (words.size < MAX_WORDS) words.set(term, { text: token, term, count: 1 });
  }
  const acronyms = new Set(
    text
      .match(ACRONYM)
      ?.slice(0, MAX_WORDS)
      .map((word) => word.toLowerCase()),
  );
  return { words: [...words.values()], acronyms: [...acronyms] };
}
