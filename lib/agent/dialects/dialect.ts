import type { Listing } from '../../tools/render/listing';
import type { CompactTool } from '../../tools/tool';
import type { Constraint, DialectId, PromptCall } from '../engine';

/**
 * How one family of models is told about tools and writes calls. Everything that is put into a
 * prompt for it, and nothing about reading its replies: that is `lib/calls`.
 */
export interface Dialect {
  id: DialectId;
  /** How the tools' cost is counted: the listing nearest to the dialect's own. */
  listing: Listing;
  /** Two or three lines: how to call and how to answer. */
  instructions: string;
  /** The tools, in the given order. */
  tools(tools: readonly CompactTool[]): string;
  /** Calls as the model itself would have written them. */
  calls(calls: readonly PromptCall[], tools: readonly CompactTool[]): string;
  /** An answer as the model itself would have written it. */
  answer(text: string): string;
  /** A result, as a turn of the user. */
  result(name: string, content: string): string;
  /** What the reply must look like, for engines that can enforce it. */
  constraint(tools: readonly CompactTool[]): Constraint | undefined;
}

/** Free text with calls of the given tools; nothing to enforce where there are none. */
export const callsConstraint =
  (dialect: DialectId) =>
  (tools: readonly CompactTool[]): Constraint | undefined =>
    tools.length === 0 ? undefined : { kind: 'calls', dialect, tools: [...tools] };

/** An answer is plain text. */
export const plainAnswer = (text: string): string => text;

/** Calls as JSON objects with the arguments under the given key. */
export const callObjects = (calls: readonly PromptCall[], key: 'arguments' | 'parameters') =>
  calls.map((call) => JSON.stringify({ name: call.name, [key]: call.arguments }));
