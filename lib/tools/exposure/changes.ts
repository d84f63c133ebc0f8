import type { ToolEntry } from './entry';

/** What came and went between two steps, by the names the model knows. */
export interface CatalogChanges {
  appeared: string[];
  vanished: string[];
  /** Still there, with another description or schema. */
  changed: string[];
}

/**
 * Compares the tools of two steps. A reloaded page offers the same tools under new keys: a tool is the
 * same where origin and own name are. Before the first step nothing was there and nothing appeared.
 */
export function catalogChanges(
  before: readonly ToolEntry[] | undefined,
  now: readonly ToolEntry[],
): CatalogChanges {
  const changes: CatalogChanges = { appeared: [], vanished: [], changed: [] };
  if (before === undefined) return changes;
  const left = new Map<string, ToolEntry[]>();
  for (const entry of before) {
    const same = left.get(identityOf(entry));
    if (same === undefined) left.set(identityOf(entry), [entry]);
    else same.push(entry);
  }
  for (const entry of now) {
    const same = left.get(identityOf(entry)) ?? [];
    const at = Math.max(
      0,
      same.findIndex((old) => old.key === entry.key),
    );
    const [old] = same.splice(at, 1);
    if (old === undefined) changes.appeared.push(entry.name);
    else if (old.print !== entry.print) changes.changed.push(entry.name);
  }
  for (const same of left.values()) changes.vanished.push(...same.map(({ name }) => name));
  return changes;
}

/** What a tool is called where its page may be loaded again: its origin and the name it has there. */
export const identityOf = (entry: ToolEntry): string =>
  `${entry.source === 'page' ? entry.tool.origin : ''}\n${entry.tool.name}`;
