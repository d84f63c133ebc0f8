import * as z from 'zod';
import type { Said, Words } from '../../said/said';
import { about, say } from '../../said/say';
import { identityOf } from '../exposure/changes';
import type { ToolEntry } from '../exposure/entry';
import { fingerprint } from '../exposure/fingerprint';
import { byCodeUnit } from '../render/p-format';

/** A tool that a search brought into the prompt. Named by origin and name: a reload gives it another key. */
const PromotionSchema = z.object({
  key: z.string().max(4_096),
  origin: z.string().max(4_096),
  name: z.string().max(1_024),
  /** Of the declared schema when it was promoted. */
  schema: z.string().max(64),
  /** Higher is more recent. */
  used: z.number().int().nonnegative(),
  /** It was declared in a prompt. */
  shown: z.boolean().optional(),
});
type Promotion = z.infer<typeof PromotionSchema>;

/** Promotions kept at all; a search returns at most 20. */
const MAX_PROMOTIONS = 64;

const StateSchema = z.object({ promoted: z.array(PromotionSchema).max(MAX_PROMOTIONS) });
/** Plain JSON: what a conversation keeps of its discoveries. */
export type PromotionState = z.infer<typeof StateSchema>;

export const NO_PROMOTIONS: PromotionState = { promoted: [] };

/** The state that was saved with a conversation; nothing promoted where it does not read. */
export function readPromotions(saved: unknown): PromotionState {
  const read = StateSchema.safeParse(saved);
  return read.success ? read.data : NO_PROMOTIONS;
}

/**
 * The state after a search: its matches are promoted, the best one being the most recent. Tools
 * promoted before move up.
 */
export function promote(state: PromotionState, matches: readonly ToolEntry[]): PromotionState {
  const kept = state.promoted.filter((old) => !matches.some((entry) => entry.key === old.key));
  let used = clockOf(state);
  const shown = new Set(state.promoted.flatMap((old) => (old.shown ? old.key : [])));
  const added = [...matches]
    .reverse()
    .map((entry) => ({ ...promotionOf(entry, ++used), shown: shown.has(entry.key) }));
  const promoted = [...kept, ...added].sort(mostRecent).slice(0, MAX_PROMOTIONS);
  return { promoted };
}

/** The state after a promoted tool was called: it is the last to be evicted. */
export function touchPromotion(state: PromotionState, entry: ToolEntry): PromotionState {
  const used = clockOf(state) + 1;
  const promoted = state.promoted.map((old) => (old.key === entry.key ? { ...old, used } : old));
  return { promoted: promoted.sort(mostRecent) };
}

const clockOf = (state: PromotionState): number =>
  state.promoted.reduce((highest, { used }) => Math.max(highest, used), 0);
const mostRecent = (a: Promotion, b: Promotion): number => b.used - a.used;

function promotionOf(entry: ToolEntry, used: number): Promotion {
  return {
    key: entry.key,
    origin: originOf(entry),
    name: entry.tool.name,
    schema: fingerprint(entry.schema),
    used,
  };
}

const originOf = (entry: ToolEntry): string => (entry.source === 'page' ? entry.tool.origin : '');

export interface LivePromotions {
  /** The promoted tools to show, by name. */
  entries: ToolEntry[];
  /** The state to keep. */
  state: PromotionState;
  /** Tools that are no longer promoted, and why, in words for the user. */
  dropped: { name: string; why: string; said?: Said }[];
  /** Names of tools whose schema is another than the one that was found; the current one is shown. */
  changed: string[];
}

export interface PromotionRoom {
  maxTokens: number;
  /** Tokens of the entry as it would be shown. */
  cost: (entry: ToolEntry) => number;
}

/**
 * What is left of the promotions on the page as it is now: only tools that are there and deferred
 * (a direct one is shown anyway, a hidden one must not be), with their current schemas, and as many
 * as fit, the least recently used leaving first. The most recent one stays whatever it costs.
 */
export function livePromotions(
  state: PromotionState,
  entries: readonly ToolEntry[],
  room: PromotionRoom,
): LivePromotions {
  const index = state.promoted.length > 0 ? indexOf(entries) : () => undefined;
  const live: LivePromotions = { entries: [], state: NO_PROMOTIONS, dropped: [], changed: [] };
  const kept: Promotion[] = [];
  let tokens = 0;
  for (const old of [...state.promoted].sort(mostRecent)) {
    const entry = index(old);
    const gone = reasonGone(entry);
    if (entry === undefined || gone !== undefined) {
      const { text, said } = gone ?? GONE;
      live.dropped.push({ name: old.name, why: text, said });
      continue;
    }
    if (entry.exposure === 'direct') {
      kept.push(old);
      continue;
    }
    const cost = room.cost(entry);
    if (live.entries.length > 0 && tokens + cost > room.maxTokens) {
      const { text, said } = say('dropped-room');
      // What never was in a prompt does not leave it.
      if (old.shown) live.dropped.push({ name: entry.name, why: text, said });
      continue;
    }
    tokens += cost;
    const now = promotionOf(entry, old.used);
    if (now.schema !== old.schema) live.changed.push(entry.name);
    live.entries.push(entry);
    kept.push({ ...now, shown: true });
  }
  live.entries.sort((a, b) => byCodeUnit(a.name, b.name));
  live.state = { promoted: kept };
  return live;
}

const GONE = say('dropped-gone');
function reasonGone(entry: ToolEntry | undefined): Words | undefined {
  if (entry === undefined) return GONE;
  return entry.exposure === 'hidden' ? about(entry.reason, say('dropped-hidden')) : undefined;
}

/** Finds the entry a promotion means: the very tool, else one of the same name and origin. Each entry once. */
function indexOf(entries: readonly ToolEntry[]): (old: Promotion) => ToolEntry | undefined {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const byIdentity = new Map<string, ToolEntry[]>();
  for (const entry of entries) {
    const id = identityOf(entry);
    const same = byIdentity.get(id);
    if (same === undefined) byIdentity.set(id, [entry]);
    else same.push(entry);
  }
  const taken = new Set<string>();
  return (old) => {
    const same = byIdentity.get(`${old.origin}\n${old.name}`) ?? [];
    const entry = byKey.get(old.key) ?? same.find((other) => !taken.has(other.key));
    if (entry === undefined || taken.has(entry.key)) return undefined;
    taken.add(entry.key);
    return entry;
  };
}
