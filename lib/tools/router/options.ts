import { isRecord, ownValue } from '../own-data';
import { relateWords, SYNONYM_GROUPS } from '../text/synonyms';
import { tokenize } from '../text/tokenize';
import { fail } from './error';
import { DEFAULT_MAX_TOOLS, MOST_TOOLS, type ToolFormatInput } from './formats';
import { integerOption, numberOption, requireOptions } from './option-checks';

/** The parts of a tool that are searched, as options and evidence name them. */
export const TOOL_FIELDS = [
  'name',
  'namespace',
  'aliases',
  'tags',
  'description',
  'schema',
] as const;
export type ToolField = (typeof TOOL_FIELDS)[number];
export type FieldWeights = { [field in ToolField]?: number };

export interface ToolRouterOptions {
  /** How much a word counts by the field it stands in, 0 to 100. A field of weight 0 is not searched. */
  fieldWeights?: FieldWeights;
  /** How soon repeating a word stops to help (BM25's k1), 0.1 to 5. Default 1.2. */
  k1?: number;
  /** How much long fields are held against a tool (BM25's b), 0 to 1. Default 0.75. */
  b?: number;
  /** Whether a word found nowhere may match a word of similar spelling. Default true. */
  fuzzy?: boolean;
  /** Shortest word whose spelling is corrected, 1 to 32. Default 4. */
  minFuzzyLength?: number;
  /** More words taken for one another, added to the built-in ones; `false` for none at all. */
  synonyms?: false | { readonly [word: string]: string | readonly string[] };
  /**
   * Splits the tools' texts and the queries instead of {@link tokenize}. It is then the whole text
   * pipeline: nothing is stemmed and no stop word left out.
   */
  tokenizer?: (input: string) => string[];
  /** What a tool whose id is taken does: `'error'` (default) or take its place. */
  onDuplicate?: 'error' | 'replace';
  /** The shape to read tools as; found out tool by tool where absent or `'auto'`. */
  format?: ToolFormatInput;
  /** Most words one query word is widened to, 1 to 100. Default 12. */
  maxExpansions?: number;
  /** Longest query in characters, up to 65,536. Default 4,096. */
  maxQueryLength?: number;
  /** Deepest schema, up to 256. Default 24. */
  maxSchemaDepth?: number;
  /** Largest schema in values, up to 1,000,000. Default 10,000. */
  maxSchemaNodes?: number;
  /** Longest text of a field in characters, up to 1,000,000. Default 65,536. */
  maxTextLength?: number;
  /** Most tools, up to 1,000,000. Default 100,000. */
  maxTools?: number;
}

export interface ResolvedToolRouterOptions {
  readonly b: number;
  readonly fieldWeights: Readonly<Record<ToolField, number>>;
  readonly format?: ToolFormatInput;
  readonly fuzzy: boolean;
  readonly k1: number;
  readonly maxExpansions: number;
  readonly maxQueryLength: number;
  readonly maxSchemaDepth: number;
  readonly maxSchemaNodes: number;
  readonly maxTextLength: number;
  readonly maxTools: number;
  readonly minFuzzyLength: number;
  readonly onDuplicate: 'error' | 'replace';
  /** Words by the words they are taken for; empty where synonyms are off. */
  readonly synonyms: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether words also stand for the subject they point to; off with `synonyms: false`. */
  readonly topics: boolean;
  readonly tokenizer: (input: string) => string[];
}

export const DEFAULT_FIELD_WEIGHTS: Readonly<Record<ToolField, number>> = Object.freeze({
  name: 10,
  namespace: 8,
  aliases: 7,
  tags: 5,
  description: 2,
  schema: 1,
});

/** Fills in the defaults; throws `ERR_TOOL_ROUTER_OPTION` for a value out of its range. */
export function resolveOptions(options: ToolRouterOptions): ResolvedToolRouterOptions {
  requireOptions(options, 'Router options');
  const { tokenizer = tokenize, onDuplicate = 'error' } = options;
  if (typeof tokenizer !== 'function') {
    fail('ERR_TOOL_ROUTER_OPTION', 'tokenizer must be a function');
  }
  if (onDuplicate !== 'error' && onDuplicate !== 'replace') {
    fail('ERR_TOOL_ROUTER_OPTION', 'onDuplicate must be error or replace');
  }
  const whole = (name: WholeOption, fallback: number, most: number) =>
    integerOption(options[name], fallback, name, 1, most);
  return Object.freeze({
    b: numberOption(options.b, 0.75, 'b', 0, 1),
    fieldWeights: resolveWeights(options.fieldWeights),
    format: options.format,
    fuzzy: options.fuzzy ?? true,
    k1: numberOption(options.k1, 1.2, 'k1', 0.1, 5),
    maxExpansions: whole('maxExpansions', 12, 100),
    maxQueryLength: whole('maxQueryLength', 4096, 65_536),
    maxSchemaDepth: whole('maxSchemaDepth', 24, 256),
    maxSchemaNodes: whole('maxSchemaNodes', 10_000, 1_000_000),
    maxTextLength: whole('maxTextLength', 65_536, 1_000_000),
    maxTools: whole('maxTools', DEFAULT_MAX_TOOLS, MOST_TOOLS),
    minFuzzyLength: whole('minFuzzyLength', 4, 32),
    onDuplicate,
    synonyms: resolveSynonyms(options.synonyms),
    topics: options.synonyms !== false,
    tokenizer,
  });
}

type WholeOption = Extract<keyof ToolRouterOptions, `m${string}`>;

function resolveWeights(weights: FieldWeights | undefined): Readonly<Record<ToolField, number>> {
  if (weights === undefined) return DEFAULT_FIELD_WEIGHTS;
  requireOptions(weights, 'fieldWeights');
  const resolved = { ...DEFAULT_FIELD_WEIGHTS };
  for (const field of TOOL_FIELDS) {
    const name = `fieldWeights.${field}`;
    resolved[field] = numberOption(weights[field], resolved[field], name, 0, 100);
  }
  return Object.freeze(resolved);
}

/** Shared by all routers, so that what is derived from them is derived once. */
const BUILT_IN_SYNONYMS: ReadonlyMap<string, ReadonlySet<string>> = relateWords(SYNONYM_GROUPS);
const NO_SYNONYMS: ReadonlyMap<string, ReadonlySet<string>> = new Map();

function resolveSynonyms(
  synonyms: ToolRouterOptions['synonyms'],
): ReadonlyMap<string, ReadonlySet<string>> {
  if (synonyms === undefined) return BUILT_IN_SYNONYMS;
  if (synonyms === false) return NO_SYNONYMS;
  if (!isRecord(synonyms)) {
    fail('ERR_TOOL_ROUTER_OPTION', 'synonyms must be false or an object of string lists');
  }
  const groups = [...SYNONYM_GROUPS];
  for (const word of Object.keys(synonyms)) {
    const others = ownValue(synonyms, word);
    const list: unknown[] = Array.isArray(others) ? others : [others];
    if (!list.every((other) => typeof other === 'string')) {
      fail('ERR_TOOL_ROUTER_OPTION', `synonyms.${word} must be a string or a list of strings`);
    }
    groups.push([word, ...list].flatMap((text) => tokenize(text)));
  }
  return relateWords(groups);
}
