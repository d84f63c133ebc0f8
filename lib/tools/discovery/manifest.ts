import { textBytes } from '../schema/size';
import { firstSentence } from '../text/safe';

/** Longest first sentence of a line. */
const MAX_SENTENCE = 60;
/** A token is taken as four bytes: a fixed rate keeps the manifest the same for every engine. */
const BYTES_PER_TOKEN = 4;

export interface Listed {
  name: string;
  description: string;
}

export type ManifestForm = 'sentences' | 'names' | 'count' | 'none';
export interface Manifest {
  text: string;
  form: ManifestForm;
}

/**
 * What can be searched for, in the fullest form that fits `maxTokens`: a line per tool with the first
 * sentence of its description, names only, their number, nothing. Give the tools sorted; the same
 * tools give the same text.
 */
export function manifestOf(tools: readonly Listed[], maxTokens: number): Manifest {
  const room = Math.max(0, maxTokens) * BYTES_PER_TOKEN;
  for (const [form, write] of FORMS) {
    // Not worth writing: the names alone take this much.
    if (form !== 'count' && tools.length * MIN_LINE > room) continue;
    const text = write(tools);
    if (textBytes(text) <= room) return { text, form };
  }
  return { text: '', form: 'none' };
}

/** Bytes of the shortest entry, a comma or line break included. */
const MIN_LINE = 2;

const FORMS: readonly (readonly [ManifestForm, (tools: readonly Listed[]) => string])[] = [
  ['sentences', (tools) => tools.map(line).join('\n')],
  ['names', (tools) => tools.map(({ name }) => name).join(', ')],
  ['count', (tools) => `${tools.length} tools can be searched.`],
];

function line({ name, description }: Listed): string {
  const sentence = firstSentence(description, MAX_SENTENCE);
  return sentence === '' ? `- ${name}` : `- ${name}: ${sentence}`;
}
