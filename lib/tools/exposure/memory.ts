import type { JsonValue } from '../tool';
import type { ToolEntry } from './entry';
import { fingerprint, hashText } from './fingerprint';
import type { Selected, Selection } from './select';

/** What one step's choice tells the next one of the same turn. */
export interface Memory {
  /** Of everything the selection depends on but the steps' own history. */
  fingerprint: string;
  /** What was selected under that fingerprint; absent before anything was. */
  selection?: Selection;
  /** What all tools would cost, which is dear to find out again. */
  allToolsTokens?: number | undefined;
}

/**
 * The memory for this step: with the selection of the step before where page, settings and request
 * are the same, so that a turn's tools stay put while calls and results add up.
 */
export function recall(
  previous: Memory | undefined,
  entries: readonly ToolEntry[],
  settings: JsonValue,
): Memory {
  const parts = entries.map(({ key, print, exposure, by }) => [key, print, exposure, by].join(' '));
  const now = hashText(`${fingerprint(settings)}\n${parts.join('\n')}`);
  if (previous?.selection === undefined || previous.fingerprint !== now) {
    return { fingerprint: now };
  }
  return {
    fingerprint: now,
    selection: onto(previous.selection, entries),
    allToolsTokens: previous.allToolsTokens,
  };
}

/** The same selection over this step's entries. */
function onto(selection: Selection, entries: readonly ToolEntry[]): Selection {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const selected: Selected[] = [];
  for (const old of selection.selected) {
    const entry = byKey.get(old.entry.key);
    if (entry !== undefined) selected.push({ ...old, entry });
  }
  const deferred = selection.deferred.flatMap(({ entry: { key }, why }) => {
    const entry = byKey.get(key);
    return entry === undefined ? [] : [{ entry, why }];
  });
  return { selected, deferred };
}
