/**
 * One conversation with several versions of what was asked. A turn names the one it follows; where it
 * names none it follows the one before it in the log. Asking a message again makes a sibling of its turn:
 * nothing that was done leaves the log.
 */
export interface Branching {
  turnId: string;
  /** The turn it follows; `""` where it begins the conversation anew. */
  after?: string | undefined;
}

/** What a turn follows that begins the conversation. */
export const ROOT = '';

/** Turn → the one it follows. */
function parentsOf(turns: readonly Branching[]): Map<string, string> {
  const parents = new Map<string, string>();
  let before = ROOT;
  for (const { turnId, after } of turns) {
    // A log that was cut may name a turn that is not in it.
    const isKnown = after === ROOT || (after !== undefined && parents.has(after));
    parents.set(turnId, isKnown && after !== undefined ? after : before);
    before = turnId;
  }
  return parents;
}

/** The turn that `turnId` follows. */
export const parentOf = (turns: readonly Branching[], turnId: string): string =>
  parentsOf(turns).get(turnId) ?? ROOT;

/** Every turn's versions, in the order they were asked, by what they follow. */
export function versionsOf<T extends Branching>(turns: readonly T[]): Map<string, T[]> {
  const versions = new Map<string, T[]>();
  const parents = parentsOf(turns);
  for (const turn of turns) {
    const parent = parents.get(turn.turnId) ?? ROOT;
    versions.set(parent, [...(versions.get(parent) ?? []), turn]);
  }
  return versions;
}

/** One version of the conversation: at each fork the chosen turn, else the newest. */
export function pathOf<T extends Branching>(
  turns: readonly T[],
  chosen: ReadonlyMap<string, string> = new Map(),
): T[] {
  const versions = versionsOf(turns);
  const path: T[] = [];
  let at = ROOT;
  for (;;) {
    const here = versions.get(at);
    const next = here?.find(({ turnId }) => turnId === chosen.get(at)) ?? here?.at(-1);
    if (next === undefined) return path;
    path.push(next);
    at = next.turnId;
  }
}

/** The turns that lead to `turnId`, itself included. */
export function pathTo<T extends Branching>(turns: readonly T[], turnId: string): T[] {
  const parents = parentsOf(turns);
  const wanted = new Set<string>();
  for (let at: string = turnId; at !== ROOT && !wanted.has(at); at = parents.get(at) ?? ROOT) {
    wanted.add(at);
  }
  return turns.filter((turn) => wanted.has(turn.turnId));
}

/** A turn and everything that followed it, in whatever version. */
export function withFollowers<T extends Branching>(turns: readonly T[], turnId: string): T[] {
  const parents = parentsOf(turns);
  const wanted = new Set([turnId]);
  // A turn stands in the log after the one it follows.
  for (const turn of turns) {
    if (wanted.has(parents.get(turn.turnId) ?? ROOT)) wanted.add(turn.turnId);
  }
  return turns.filter((turn) => wanted.has(turn.turnId));
}
