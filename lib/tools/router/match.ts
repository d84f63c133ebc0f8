import type { ToolFilters } from './filter';
import type { NormalizedTool } from './formats';
import type { ToolField } from './options';
import type { IndexedTool } from './tool-index';

/** A tool found for a query, with the evidence. */
export interface ToolMatch<T = unknown> {
  readonly id: string;
  readonly name: string;
  /** Higher is better; comparable within one search only. `null` for a tool that was not searched for. */
  readonly score: number | null;
  /** The fields in which words of the query stand. */
  readonly matchedFields: readonly ToolField[];
  /** The words of the query that were found. */
  readonly matchedTerms: readonly string[];
  /** Share of the query's telling words that were found, 0 to 1. */
  readonly queryCoverage: number;
  readonly pinned: boolean;
  readonly estimatedTokens: number;
  readonly record: NormalizedTool<T>;
  /** The definition as it was given. */
  readonly tool: T;
}

export interface ToolSearchOptions<T = unknown> extends ToolFilters<T> {
  /** Most matches, 1 to 1,000. Default 5. */
  limit?: number;
  /** Least score of a match, 0 or more. Default 0.01. */
  minScore?: number;
  /** What the matches may cost together; a match that does not fit is passed over. */
  maxEstimatedTokens?: number;
}

/** A match of a tool that was not searched for. */
export function unsearchedMatch<T>(tool: IndexedTool<T>, pinned: boolean): ToolMatch<T> {
  return matchOf(tool, {
    score: null,
    matchedFields: [],
    matchedTerms: [],
    queryCoverage: 0,
    pinned,
  });
}

type Evidence = Pick<
  ToolMatch,
  'score' | 'matchedFields' | 'matchedTerms' | 'queryCoverage' | 'pinned'
>;

/** The public, frozen match of a tool. */
export function matchOf<T>(tool: IndexedTool<T>, evidence: Evidence): ToolMatch<T> {
  const { record, estimatedTokens } = tool;
  return Object.freeze({
    id: record.id,
    name: record.name,
    ...evidence,
    estimatedTokens,
    record,
    tool: record.original,
  });
}
