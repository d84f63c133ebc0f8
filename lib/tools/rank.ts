import { compactSchema, descriptionOf } from './compact';
import { cutText } from './text/cut';
import { splitWords } from './text/words';
import type { CompactTool, ToolDescriptor } from './tool';

const DEFAULT_MAX = 8;
/** Longest tool description shown to a model, in UTF-16 units. */
const MAX_DESCRIPTION = 400;
const NAME_WORD = 3;
const DESCRIPTION_WORD = 1;
const RECENT_TOOL = 2;
/** A shared beginning of this many letters counts as the same word: `order` and `ordering`. */
const SHARED_START = 4;

export interface RankOptions {
  /** Most tools returned. Default 8; a fraction is rounded down, 0 or less gives none. */
  max?: number;
  /** Names of tools used recently, which get a bonus of 2. */
  recent?: readonly string[];
}

/**
 * The tools most like the request, at most `max`, as a model sees them. Plain word overlap: +3 for
 * each word of a tool's name in the query (or sharing its first four letters with a query word longer
 * than three), +1 for each word of its description in the query, +2 for a recent tool. A word counts
 * once however often it stands there, so that a long description is no advantage. Ties keep the given
 * order, and with `max` or fewer tools all come back in it.
 *
 * Two tools of one name (two frames) stay two entries. Where the originals are wanted, see
 * {@link pickTools}.
 */
export function rankTools(
  tools: readonly ToolDescriptor[],
  query: string,
  options: RankOptions = {},
): CompactTool[] {
  return pickTools(tools, query, options).map(compactTool);
}

/** What {@link rankTools} chooses, as the very objects given: a page tool keeps its key and frame. */
export function pickTools<T extends ToolDescriptor>(
  tools: readonly T[],
  query: string,
  options: RankOptions = {},
): T[] {
  const max = maxOf(options.max);
  if (tools.length <= max) return [...tools];
  const recent = new Set(options.recent ?? []);
  return scoreTools(tools, query, (tool) => recent.has(tool.name))
    .slice(0, max)
    .map(({ tool }) => tool);
}

/** Every tool with its score by the rule of {@link rankTools}, best first; ties keep the given order. */
export function scoreTools<T extends ToolDescriptor>(
  tools: readonly T[],
  query: string,
  isRecent: (tool: T) => boolean,
): { tool: T; score: number }[] {
  const asked = new Set(splitWords(query));
  const starts = new Set<string>();
  for (const word of asked) {
    if (word.length >= SHARED_START) starts.add(word.slice(0, SHARED_START));
  }
  return tools
    .map((tool) => ({
      tool,
      score: scoreWords(tool, asked, starts) + (isRecent(tool) ? RECENT_TOOL : 0),
    }))
    .sort((a, b) => b.score - a.score);
}

/** A tool as the model sees it: description of at most 400 characters, compacted schema. */
export function compactTool(tool: ToolDescriptor): CompactTool {
  return {
    name: tool.name,
    description: cutText(descriptionOf(tool), MAX_DESCRIPTION),
    parameters:
      tool.inputSchema === undefined
        ? { type: 'object', properties: {} }
        : compactSchema(tool.inputSchema),
  };
}

function scoreWords(
  tool: ToolDescriptor,
  asked: ReadonlySet<string>,
  starts: ReadonlySet<string>,
): number {
  let score = 0;
  for (const word of new Set(splitWords(tool.name))) {
    if (asked.has(word) || starts.has(word.slice(0, SHARED_START))) score += NAME_WORD;
  }
  for (const word of new Set(splitWords(descriptionOf(tool)))) {
    if (asked.has(word)) score += DESCRIPTION_WORD;
  }
  return score;
}

function maxOf(max: number | undefined): number {
  if (max === undefined || !Number.isFinite(max)) return DEFAULT_MAX;
  return Math.max(0, Math.floor(max));
}
