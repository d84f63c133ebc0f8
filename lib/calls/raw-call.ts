import type { DialectId } from './dialect-id';
import { isRecord, type JsonRecord, type JsonValue } from './json';
import type { RepairBudget } from './lenient-json';
import type { ParseOptions, Slot } from './result';

/** A call as a dialect's reader found it: the name is not yet known to be offered. */
export interface RawCall {
  name: string;
  /** JSON, or JSON as text; `undefined` where none was written. */
  arguments: JsonValue | undefined;
  repairs: string[];
}

/** What a reader made of one piece of markup: calls, prose carried inside an envelope, and pieces it could not read. */
export interface Reading {
  calls: RawCall[];
  texts: string[];
  unread: Unread[];
}
export interface Unread {
  excerpt: string;
  why: string;
}

export interface ReadContext {
  /** The tools offered; absent while streaming without them, when any name may be one. */
  toolNames?: ReadonlySet<string>;
  slots?: ReadonlyMap<string, readonly Slot[]>;
  dialect?: DialectId;
  unknownTool?: ParseOptions['unknownTool'];
  budget: RepairBudget;
}

export const isOffered = (context: ReadContext, name: string): boolean =>
  context.toolNames?.has(name) ?? true;

/** What stood between two call markers, or after one. */
export interface CallBody {
  text: string;
  /** The opener as written: some carry the tool's name. */
  opener: string;
  closed: boolean;
}

/** `undefined`: not this dialect's form at all; others may try. */
export type BodyReader = (body: CallBody, context: ReadContext) => Reading | undefined;

export const calls = (...found: RawCall[]): Reading => ({ calls: found, texts: [], unread: [] });
export const unread = (excerpt: string, why: string): Reading => ({
  calls: [],
  texts: [],
  unread: [{ excerpt, why }],
});
export function join(readings: readonly Reading[]): Reading {
  return {
    calls: readings.flatMap((r) => r.calls),
    texts: readings.flatMap((r) => r.texts),
    unread: readings.flatMap((r) => r.unread),
  };
}

export const asRecord = (value: JsonValue | undefined): JsonRecord | undefined =>
  isRecord(value) ? value : undefined;
