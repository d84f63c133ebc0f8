import { splitWords } from '../text/words';
import type { IndexedTool } from './tool-index';

const MAX_INITIALS = 16;

/**
 * The tools whose names hold words in a row that begin with these letters. Initials are worked out
 * when the first acronym is asked for: most catalogs never see one.
 */
export function createAcronymFinder<T>() {
  const known = new WeakMap<IndexedTool<T>, string>();
  const initialsOf = (tool: IndexedTool<T>): string => {
    let initials = known.get(tool);
    if (initials === undefined) {
      const words = splitWords(tool.record.name).slice(0, MAX_INITIALS);
      initials = words.map((word) => word.charAt(0)).join('');
      known.set(tool, initials);
    }
    return initials;
  };
  return (tools: readonly (IndexedTool<T> | undefined)[], letters: string): number[] => {
    const slots: number[] = [];
    for (const tool of tools) {
      if (tool !== undefined && initialsOf(tool).includes(letters)) slots.push(tool.slot);
    }
    return slots;
  };
}
