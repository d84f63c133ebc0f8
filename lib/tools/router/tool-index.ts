import { cutText } from '../text/cut';
import { stem } from '../text/stem';
import { tokenize } from '../text/tokenize';
import { fail } from './error';
import { estimateToolTokens } from './estimate';
import type { NormalizedTool } from './formats';
import { createLexicon, type Lexicon } from './index-lexicon';
import { createTermIndex, type TermIndex } from './index-terms';
import type { ResolvedToolRouterOptions, ToolField } from './options';
import type { TextPipeline } from './query';
import { collectSchemaText } from './schema-text';

/** The fields of the index; the schema is two, since names of arguments say more than prose on them. */
export const INDEX_FIELDS: readonly ToolField[] = [
  'name',
  'namespace',
  'aliases',
  'tags',
  'description',
  'schema',
  'schema',
];
export const NAME_FIELD = 0;
export const DESCRIPTION_FIELD = 4;
export const ARGUMENT_NAME_FIELD = 5;
export const ARGUMENT_TEXT_FIELD = 6;

/** Longest token an index keeps; a tokenizer's longer ones are dropped. */
const MAX_TOKEN = 256;

/** A tool read and measured, not yet in the index. */
export interface PreparedTool<T> {
  readonly record: NormalizedTool<T>;
  readonly estimatedTokens: number;
  readonly texts: readonly string[];
  /** The terms of the texts, where a tokenizer of the caller's own was run, since it may fail. */
  readonly fields?: readonly (readonly string[])[];
}

/** A tool in the index. */
export interface IndexedTool<T> {
  readonly record: NormalizedTool<T>;
  readonly estimatedTokens: number;
  readonly slot: number;
}

/** The tools of a router and the index over their words, kept in step. */
export interface ToolIndex<T> {
  readonly terms: TermIndex;
  readonly lexicon: Lexicon;
  readonly pipeline: TextPipeline;
  /** By slot of {@link terms}; empty where a slot is free. */
  readonly bySlot: readonly (IndexedTool<T> | undefined)[];
  prepare(record: NormalizedTool<T>): PreparedTool<T>;
  add(tool: PreparedTool<T>): IndexedTool<T>;
  remove(tool: IndexedTool<T>): void;
  clear(): void;
}

export function createToolIndex<T>(options: ResolvedToolRouterOptions): ToolIndex<T> {
  const terms = createTermIndex(INDEX_FIELDS.length);
  const pipeline = createPipeline(options.tokenizer);
  let bySlot: (IndexedTool<T> | undefined)[] = [];

  function prepare(record: NormalizedTool<T>): PreparedTool<T> {
    const schema = collectSchemaText(record.inputSchema, options);
    const texts = [
      record.name,
      record.namespace,
      record.aliases.join(' '),
      record.tags.join(' '),
      record.description,
      schema.names.join(' '),
      schema.texts.join(' '),
    ];
    for (const text of texts) {
      if (text.length <= options.maxTextLength) continue;
      fail(
        'ERR_TOOL_TEXT_SIZE',
        `Tool ${cutText(record.id, 80)} exceeds maxTextLength (${options.maxTextLength})`,
      );
    }
    return {
      record,
      estimatedTokens: estimateToolTokens(record.original),
      texts,
      fields: pipeline.builtIn ? undefined : split(texts),
    };
  }

  const split = (texts: readonly string[]) => texts.map((text) => termsOf(text, pipeline));

  return {
    terms,
    lexicon: createLexicon(terms),
    pipeline,
    get bySlot() {
      return bySlot;
    },
    prepare,
    add({ record, estimatedTokens, texts, fields = split(texts) }) {
      const slot = terms.add(fields);
      const tool = { record, estimatedTokens, slot };
      bySlot[slot] = tool;
      return tool;
    },
    remove({ slot }) {
      terms.remove(slot);
      bySlot[slot] = undefined;
    },
    clear() {
      terms.clear();
      bySlot = [];
    },
  };
}

/** In place: a catalog of ten thousand tools makes a lot of lists. */
function termsOf(text: string, pipeline: TextPipeline): readonly string[] {
  if (text === '') return NO_TERMS;
  const tokens = pipeline.tokenize(text);
  for (let at = 0; at < tokens.length; at++) tokens[at] = pipeline.termOf(tokens[at] ?? '');
  return tokens;
}
const NO_TERMS: readonly string[] = [];

function createPipeline(tokenizer: ResolvedToolRouterOptions['tokenizer']): TextPipeline {
  if (tokenizer === tokenize) {
    return { tokenize, termOf: stemOf, builtIn: true };
  }
  return {
    tokenize: (text) => checkTokens(tokenizer(text)),
    termOf: (token) => token,
    builtIn: false,
  };
}

/** {@link stem} with a memory: tools say the same few thousand words over and over. */
function stemOf(word: string): string {
  let stemmed = stems.get(word);
  if (stemmed === undefined) {
    stemmed = stem(word);
    if (stems.size >= MAX_STEMS) stems.clear();
    stems.set(word, stemmed);
  }
  return stemmed;
}
const stems = new Map<string, string>();
const MAX_STEMS = 20_000;

function checkTokens(tokens: unknown): string[] {
  if (!Array.isArray(tokens)) {
    fail('ERR_TOOL_TOKENIZER', 'tokenizer must return an array of strings');
  }
  return tokens.filter((token): token is string => {
    if (typeof token !== 'string') fail('ERR_TOOL_TOKENIZER', 'tokenizer results must be strings');
    return token !== '' && token.length <= MAX_TOKEN;
  });
}
