/** Shortest time between two looks at a page that keeps changing. */
const PAUSE_MS = 50;
/** The pause is so many times what the last look took, so that looking never takes much of a page's time. */
const SPARE = 150;
const LONGEST_MS = 3000;

/** Calls `look` some time after each burst of calls of what is returned. */
export function paced(look: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = PAUSE_MS;
  return () => {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      const start = performance.now();
      look();
      pause = Math.min(LONGEST_MS, Math.max(PAUSE_MS, SPARE * (performance.now() - start)));
    }, pause);
  };
}
