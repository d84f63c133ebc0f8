/**
 * Ids that sort by time, also within one millisecond: 9 base-36 digits of the time, 4 of a counter,
 * 5 random so that two databases merged by import do not collide.
 */
export function createIds(now: () => number): () => string {
  let last = 0;
  let count = 0;
  return () => {
    const at = Math.max(now(), last);
    count = at === last ? count + 1 : 0;
    last = at;
    const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    return (
      at.toString(36).padStart(9, '0') +
      count.toString(36).padStart(4, '0') +
      random.toString(36).padStart(7, '0').slice(-5)
    );
  };
}
