import type { Exchange } from '../../../lib/agent/options';
import type { Script } from '../../../lib/evals/drive';
import type { JsonValue } from '../../../lib/tools/tool';

/** A call that must be made. Values are plain, or matchers: see `matchesValue`. */
export interface WantedCall {
  tool: string;
  args: Record<string, JsonValue>;
  /** It may be left out. */
  optional?: boolean | undefined;
  /** The words of the request that an argument was read from, where somebody wrote them down. */
  words?: Record<string, string>;
}

/** Calls of one group in any order, groups one after the other. */
export type Wanted = readonly (readonly WantedCall[])[];

/** One request of a folder, whichever form it was written in. */
export interface FolderCase {
  id: string;
  site: string;
  /** What sort of request it is, for the table. */
  kind: string;
  request: string;
  before: readonly Exchange[];
  expected:
    | { type: 'calls'; calls: Wanted; alts: readonly Wanted[] }
    /** Nothing may be called. */
    | { type: 'none' }
    /** The user must be asked, for these arguments where they are named. */
    | { type: 'ask'; missing: readonly string[] };
  /** Words that no argument takes and the user must be told of; absent where nobody wrote them down. */
  conditions?: readonly string[];
  script: Script;
}

/** A moment without an offset is the wall clock of a person in UTC, the same on every machine. */
export function momentOf(text: string): { now: number; timeZone: string } {
  const zoned = /(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const now = Date.parse(zoned ? text : `${text}Z`);
  if (Number.isNaN(now)) throw new Error(`"${text}" is no moment such as 2026-11-30T09:00`);
  return { now, timeZone: zoned ? 'Europe/Berlin' : 'UTC' };
}

/** Where a folder does not say: a Monday morning in Berlin. */
export const DEFAULT_MOMENT = '2026-11-30T09:00:00+01:00';
