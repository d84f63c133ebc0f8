import type { DialectId } from './dialect-id';
import type { JsonValue } from './json';

/** A call the model asked for. Its arguments are not checked against the tool's schema. */
export interface ParsedCall {
  /** One of the offered names, exactly. */
  name: string;
  arguments: { [key: string]: JsonValue };
  /** What was mended to read it, in words for the log; empty when it was well formed. */
  repairs?: string[];
}

export interface ParseResult {
  /** The prose, without call markup and thoughts, trimmed. */
  text: string;
  /** What stood inside `<think>` and its kin, trimmed; empty when the model did not think aloud. */
  thinking?: string;
  calls: ParsedCall[];
  /** Messages for calls it got wrong, to feed back to the model. No two are the same; at most 16. */
  errors: string[];
}

/** What {@link ParseResult} leaves open, as the parser fills it. */
export interface ParsedReply extends ParseResult {
  thinking: string;
  calls: ReadCall[];
}
export interface ReadCall extends ParsedCall {
  repairs: string[];
}

/** One argument of a tool, for dialects that name arguments by position. */
export interface Slot {
  name: string;
  /** The schema's `type`; values are left as text where it is absent. */
  type?: string;
}

export interface ParseOptions {
  /** The dialect the model was told to write. Only decides doubtful text; well-formed calls read the same without. */
  dialect?: DialectId;
  /** Each tool's arguments in positional order: the required as declared, then the optional by name. */
  slots?: ReadonlyMap<string, readonly Slot[]>;
  /** The prompt already opened a thought, so the reply begins inside it. */
  thinking?: boolean;
  /** The message about a call of a name that is not offered. Default: one that lists the names. */
  unknownTool?: (name: string, args: JsonValue | undefined) => string;
}

/** Only this much of a reply is read, in UTF-16 units. */
export const REPLY_LIMIT = 32 * 1024;
