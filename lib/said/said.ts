import * as z from 'zod';

/**
 * Words for the user, in English, and how to say them in another language: `said` names the sentence
 * (a key of the table in `words.ts`, and of `said_…` in every `_locales` file) and its values. Words
 * of the page, of the model and of other people's libraries have no `said`: they stay as they are.
 */
export interface Words {
  text: string;
  said?: Said | undefined;
}

/** A sentence of the table by its code, with what stands in for its `$1`, `$2`, … */
export interface Said {
  code: string;
  values: SaidValue[];
}

export type SaidValue =
  /** A name or somebody else's words, as they are. */
  | string
  /** Written the reader's way; the first of a counted sentence decides its plural. */
  | number
  | { bytes: number }
  /** `text`: whole sentences, one after the other. */
  | { list: (string | Words)[]; as: 'and' | 'or' | 'commas' | 'text' };

const MAX_CODE = 60;
const MAX_VALUES = 9;

const plain = z.union([z.string(), z.number(), z.object({ bytes: z.number() })]);
const as = z.enum(['and', 'or', 'commas', 'text']);
const saidOf = (value: z.ZodType<SaidValue>): z.ZodType<Said> =>
  z.object({ code: z.string().max(MAX_CODE), values: z.array(value).max(MAX_VALUES) });
const wordsWith = (said: z.ZodType<Said>): z.ZodType<Words> =>
  z.object({ text: z.string(), said: said.optional().catch(undefined) });
const listOf = (said: z.ZodType<Said>): z.ZodType<SaidValue> =>
  z.object({
    list: z.array(z.union([z.string(), wordsWith(said)])),
    as,
  });

// Sentences stand in sentences, but not for ever: a recursive schema would follow an imported log down
// to the end of the stack.
const MAX_DEPTH = 4;
let deep = saidOf(plain);
for (let depth = 1; depth < MAX_DEPTH; depth++) deep = saidOf(z.union([plain, listOf(deep)]));

/** Checks what comes out of a log or over a border. What does not fit is left out: the English says it. */
export const SaidField = deep.optional().catch(undefined);
export const Words: z.ZodType<Words> = wordsWith(deep);

/** Words in a list of an event: alone, as older logs have them, or with how to say them. */
export type Listed = string | Words;
export const Listed: z.ZodType<Listed> = z.union([z.string(), Words]);

export const wordsOf = (listed: Listed): Words =>
  typeof listed === 'string' ? { text: listed } : listed;

export const textOf = (listed: Listed): string =>
  typeof listed === 'string' ? listed : listed.text;

/** For a field beside the words; absent where there is nothing to say. */
export const saidIn = ({ said }: { said?: Said | undefined }): { said?: Said } =>
  said === undefined ? {} : { said };

/** An error whose words are Pagehand's own. */
export class WordsError extends Error {
  readonly said: Said | undefined;
  constructor(words: Listed, options?: ErrorOptions) {
    super(textOf(words), options);
    this.name = 'WordsError';
    this.said = wordsOf(words).said;
  }
}

/** What a caught error says. */
export function wordsOfError(error: unknown): Words {
  if (error instanceof WordsError) return { text: error.message, ...saidIn(error) };
  return { text: error instanceof Error ? error.message : String(error) };
}
