/**
 * Runs `work` whenever it is asked for, never twice at once: asked while it runs, it runs once more
 * afterwards. So the last result is of the last request, and a page that changes all the time is still
 * shown. Rejects with what `work` rejects with; who asked while it ran hears nothing.
 */
export function onceMore(work: () => Promise<unknown>): () => Promise<void> {
  let running = false;
  let asked = false;
  return async () => {
    asked = true;
    if (running) return;
    running = true;
    try {
      while (asked) {
        asked = false;
        await work();
      }
    } finally {
      running = false;
    }
  };
}
