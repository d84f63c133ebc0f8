import type { ToolEntry } from '../exposure/entry';
import { cutText } from '../text/cut';
import type { JsonSchema } from '../tool';

/** A tool as a ranker sees it. */
export interface RankCandidate {
  key: string;
  name: string;
  /** What else it is called: its title, and its own name where the model knows it by another. */
  aliases: readonly string[];
  description: string;
  inputSchema: JsonSchema;
  /** Changes when anything of the tool does. */
  print: string;
}

export interface RankHit {
  key: string;
  /** Higher is better; only positive ones count. */
  score: number;
}

/**
 * Orders tools by how well they fit a text: best first, at most `limit`, only those that fit at all.
 * Tools whose keys are `recent` were called lately: each gets a bonus, less than what the words of a
 * request are worth that names a tool, so that they fill places and take none.
 */
export type Ranker = (
  query: string,
  tools: readonly RankCandidate[],
  limit: number,
  recent?: ReadonlySet<string>,
) => RankHit[];

/**
 * A ranker the host installs beside the built-in one, such as a decision model. It gets the model's
 * query as the only intent. It may fail, be slow or invent keys.
 */
export interface HostRanker {
  /** Shown in the log. */
  name: string;
  rank(
    query: string,
    tools: readonly RankCandidate[],
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly HostRankHit[]>;
}

export interface HostRankHit extends RankHit {
  /** From 0 to 1, `null` where the ranker does not say. */
  confidence: number | null;
}

/** What is searched of texts that a page may make as long as it likes, in characters. */
const MAX_ALIAS = 200;
const MAX_DESCRIPTION = 4_000;

export function rankCandidates(entries: readonly ToolEntry[]): RankCandidate[] {
  return entries.map(({ key, name, schema, print, tool }) => ({
    key,
    name,
    aliases: [tool.title ?? '', tool.name]
      .filter((alias) => alias !== '' && alias !== name)
      .map((alias) => cutText(alias, MAX_ALIAS)),
    description: cutText(tool.description, MAX_DESCRIPTION),
    inputSchema: schema,
    print,
  }));
}
