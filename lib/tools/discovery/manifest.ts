import { textBytes } from '../schema/size';
import { firstSentence } from '../text/untrusted';

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
  const sentences = joinWithin(tools, line, '\n', room);
  if (sentences !== undefined) return { text: sentences, form: 'sentences' };
  const names = joinWithin(tools, ({ name }) => name, ', ', room);
  if (names !== undefined) return { text: names, form: 'names' };
  const count = `${tools.length} tools can be searched.`;
  return textBytes(count) <= room ? { text: count, form: 'count' } : { text: '', form: 'none' };
}

/** The items joined, or `undefined` as soon as they take more than `room` bytes. */
function joinWithin(
  tools: readonly Listed[],
  write: (tool: Listed) => string,
  separator: string,
  room: number,
): string | undefined {
  const parts: string[] = [];
  let left = room + separator.length;
  for (const tool of tools) {
    const part = write(tool);
    left -= textBytes(part) + separator.length;
    if (left < 0) return undefined;
    parts.push(part);
  }
  return parts.join(separator);
}

function line({ name, description }: Listed): string {
  const sentence = firstSentence(description, MAX_SENTENCE);
  return sentence === '' ? `- ${name}` : `- ${name}: ${sentence}`;
}
