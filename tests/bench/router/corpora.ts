import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '../../../lib/tools/tool';

export interface CorpusTool {
  id: string;
  name: string;
  namespace?: string;
  tags?: string[];
  description: string;
  inputSchema: JsonSchema;
}

export interface CorpusQuery {
  id: string;
  query: string;
  /** Ids of the tools the request needs. */
  expected: string[];
  /** For an expected id others that do as well. */
  accept?: { [id: string]: string[] };
}

export interface Corpus {
  name: string;
  tools: CorpusTool[];
  queries: CorpusQuery[];
}

/** Longest query a router must take; longer ones (whole system prompts) are cut for every ranker. */
const MAX_QUERY = 4096;

/** Every folder of `root` that holds a corpus, smallest first. */
export function readCorpora(root: string): Corpus[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((name) => existsSync(join(root, name, 'tools.jsonl')))
    .map((name) => ({
      name,
      tools: readLines(join(root, name, 'tools.jsonl')) as CorpusTool[],
      queries: (readLines(join(root, name, 'queries.jsonl')) as CorpusQuery[]).map((query) => ({
        ...query,
        query: query.query.slice(0, MAX_QUERY),
      })),
    }))
    .sort((a, b) => a.tools.length - b.tools.length);
}

const readLines = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));

/** A third of the queries, chosen by their ids alone, that nothing was tuned on. */
export const isHeldOut = ({ id }: CorpusQuery): boolean => hash(id) % 3 === 2;

/** FNV-1a, mixed once more since its low bits follow those of short ids. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
