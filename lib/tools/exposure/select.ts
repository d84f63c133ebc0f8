import { type Ranker, type RankHit, rankCandidates } from '../discovery/ranker';
import type { ToolEntry } from './entry';

/** Why a tool is offered, in the words of the log. */
export type OfferedWhy =
  | 'direct'
  | 'ranked'
  | 'recent'
  | 'promoted'
  | 'pinned'
  | 'built-in'
  | 'bridge';

export interface Selected {
  entry: ToolEntry;
  why: OfferedWhy;
  score?: number;
}

export interface Selection {
  selected: Selected[];
  /** Direct tools that go deferred for this turn, with the reason in words for the user. */
  deferred: { entry: ToolEntry; why: string }[];
}

export interface SelectionRoom {
  /** Tokens that tools nobody spoke about may take. */
  share: number;
  /** Tokens that pinned tools and those of sites that are never deferred may take. */
  ceiling: number;
  /** Most tools offered that nobody spoke about. */
  max: number;
  cost: (entry: ToolEntry) => number;
}

export interface Wish {
  ask: string;
  /** Keys of tools that stay whatever the ranking says. */
  pinned: ReadonlySet<string>;
  /** Names of tools called lately, as their pages or the model know them: a bonus of the ranking. */
  recent: ReadonlySet<string>;
  ranker: Ranker;
}

/**
 * Which of the direct entries the model is shown: Pagehand's own always; then what the user, a recipe
 * or the caller pinned; then the rest, as it is where everything fits, else by relevance to the ask
 * until `max` or the share is reached. A tool too large for what is left is passed over, smaller ones
 * after it are still tried.
 */
export function selectDirect(
  direct: readonly ToolEntry[],
  wish: Wish,
  room: SelectionRoom,
): Selection {
  const selection: Selection = { selected: [], deferred: [] };
  const own = direct.filter((entry) => entry.source === 'pagehand');
  const pinned = direct.filter((entry) => isPinned(entry, wish));
  const fixed = direct.filter((entry) => entry.by === 'site' && !isPinned(entry, wish));
  const free = direct.filter((entry) => entry.by === 'default' && !isPinned(entry, wish));

  let used = 0;
  for (const entry of own) {
    used += room.cost(entry);
    selection.selected.push({ entry, why: 'built-in' });
  }
  const spent = { tokens: used };
  fill(selection, pinned, 'pinned', spent, room, wish);
  fill(selection, fixed, 'direct', spent, room, wish);
  fillFree(selection, free, spent, room, wish);
  return selection;
}

const isPinned = (entry: ToolEntry, wish: Wish): boolean =>
  entry.source === 'page' &&
  (entry.by === 'user' || entry.by === 'recipe' || wish.pinned.has(entry.key));

interface Spent {
  tokens: number;
}

/** Everything, as long as the window holds it; the most relevant where it does not. */
function fill(
  selection: Selection,
  entries: readonly ToolEntry[],
  why: OfferedWhy,
  spent: Spent,
  room: SelectionRoom,
  wish: Wish,
): void {
  if (entries.length === 0) return;
  const costs = costsUpTo(entries, room.ceiling - spent.tokens, room);
  if (costs !== undefined) {
    spent.tokens += costs;
    selection.selected.push(...entries.map((entry) => ({ entry, why })));
    return;
  }
  const reason = `does not fit: pinned tools may take ${room.ceiling} tokens of this window`;
  let misses = 0;
  for (const { entry } of byRelevance(entries, wish, entries.length)) {
    if (misses < MAX_MISSES && take(entry, room.ceiling, spent, room)) {
      selection.selected.push({ entry, why });
    } else {
      misses++;
      selection.deferred.push({ entry, why: reason });
    }
  }
}

function fillFree(
  selection: Selection,
  entries: readonly ToolEntry[],
  spent: Spent,
  room: SelectionRoom,
  wish: Wish,
): void {
  const fits =
    entries.length <= room.max && costsUpTo(entries, room.share - spent.tokens, room) !== undefined;
  if (fits) {
    selection.selected.push(...entries.map((entry): Selected => ({ entry, why: 'direct' })));
    return;
  }
  let count = 0;
  let misses = 0;
  for (const candidate of byRelevance(entries, wish, room.max * POOL)) {
    const { entry } = candidate;
    if (count >= room.max) {
      selection.deferred.push({ entry, why: `less relevant than the ${room.max} tools offered` });
    } else if (misses < MAX_MISSES && take(entry, room.share, spent, room)) {
      count++;
      selection.selected.push(candidate);
    } else {
      misses++;
      selection.deferred.push({
        entry,
        why: `over the share of direct tools, ${room.share} tokens`,
      });
    }
  }
}

/** How many more candidates than places are ranked: some may be too large. */
const POOL = 4;
/** Costing is the dear part: past so many that do not fit, none is tried. */
const MAX_MISSES = 16;

function take(entry: ToolEntry, limit: number, spent: Spent, room: SelectionRoom): boolean {
  if (spent.tokens >= limit) return false;
  const cost = room.cost(entry);
  if (spent.tokens + cost > limit) return false;
  spent.tokens += cost;
  return true;
}

/** What the entries cost together, `undefined` as soon as it is more than `limit`. */
function costsUpTo(
  entries: readonly ToolEntry[],
  limit: number,
  room: SelectionRoom,
): number | undefined {
  let sum = 0;
  for (const entry of entries) {
    sum += room.cost(entry);
    if (sum > limit) return undefined;
  }
  return sum;
}

/** Every entry: as ranked, then those the ranker did not name in the order given. */
function byRelevance(entries: readonly ToolEntry[], wish: Wish, limit: number): Selected[] {
  const isRecent = ({ name, tool }: ToolEntry): boolean =>
    wish.recent.has(name) || wish.recent.has(tool.name);
  const recent = new Set(entries.filter(isRecent).map(({ key }) => key));
  const hits = rankSafely(entries, wish, limit, recent);
  const scores = new Map(hits.map((hit) => [hit.key, hit.score]));
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const ranked = hits.flatMap((hit) => byKey.get(hit.key) ?? []);
  return [...new Set([...ranked, ...entries])].map((entry) => {
    const score = scores.get(entry.key);
    const why = recent.has(entry.key) ? 'recent' : 'ranked';
    return score === undefined ? { entry, why } : { entry, why, score };
  });
}

/** A ranker that fails leaves the order as given: tools stay reachable. */
function rankSafely(
  entries: readonly ToolEntry[],
  wish: Wish,
  limit: number,
  recent: ReadonlySet<string>,
): RankHit[] {
  try {
    return wish.ranker(wish.ask, rankCandidates(entries), limit, recent);
  } catch {
    return [];
  }
}
