/**
 * English words that ask for the same action or thing of a tool, a group a line. Groups are the
 * everyday vocabulary of software at large; none comes from any catalog.
 */
export const ACTION_SYNONYMS: readonly (readonly string[])[] = [
  'cancel close delete remove',
  'create add make new open schedule',
  'download fetch get read retrieve',
  'find discover look lookup query search',
  'list browse show',
  'send deliver post publish',
  'update change edit modify set',
  'available availability free',
  'conversation message',
  'document file page',
].map((line) => line.split(' '));

/** For each word the words of its groups, itself excluded. */
export function relateWords(groups: Iterable<readonly string[]>): Map<string, Set<string>> {
  const related = new Map<string, Set<string>>();
  for (const group of groups) {
    for (const word of group) {
      const others = related.get(word) ?? new Set<string>();
      for (const other of group) if (other !== word) others.add(other);
      related.set(word, others);
    }
  }
  return related;
}
