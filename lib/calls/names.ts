/** Suggestions look at no more names than this; nobody offers a small model more. */
const MAX_NAMES = 512;
const MAX_LENGTH = 64;

/** The same name however it is spelled: case, separators and a prefix or `Tool` suffix aside. */
function core(name: string): string {
  const last = name.split(/[./:]/).findLast((part) => part !== '') ?? name;
  const spelled = flat(last);
  let end = spelled.length;
  while (spelled.endsWith('tool', end)) end -= 'tool'.length;
  return spelled.slice(0, end) || flat(name);
}
const flat = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * The offered names nearest to one that is not offered, best first, at most three: the same but for
 * case, separators, prefix or suffix; then those that contain it or are contained; then small typos.
 */
export function closestNames(name: string, offered: ReadonlySet<string>): string[] {
  if (name === '') return [];
  const wanted = name.slice(0, MAX_LENGTH);
  const scored: { name: string; score: number }[] = [];
  let looked = 0;
  for (const candidate of offered) {
    if (++looked > MAX_NAMES) break;
    const score = distance(wanted, candidate.slice(0, MAX_LENGTH));
    if (score !== undefined) scored.push({ name: candidate, score });
  }
  return scored
    .sort((a, b) => a.score - b.score)
    .slice(0, 3)
    .map((s) => s.name);
}

function distance(wanted: string, offered: string): number | undefined {
  const a = flat(wanted);
  const b = flat(offered);
  if (a === b) return 0;
  const [coreA, coreB] = [core(wanted), core(offered)];
  if (coreA === coreB || coreA === b || a === coreB) return 0.5;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 4 && (long.startsWith(short) || long.endsWith(short))) {
    return 1 + (long.length - short.length) / MAX_LENGTH;
  }
  const limit = Math.min(3, Math.floor(long.length / 3));
  const edits = Math.abs(a.length - b.length) > limit ? limit + 1 : editDistance(a, b);
  return edits <= limit ? 2 + edits : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
