/** A turn that waits for, or holds, the one engine. */
export interface Job {
  /** Changes when the browser gives the tab another id. */
  tabId: number;
  conversationId: string;
  turnId: string;
  /**
   * Called once, where it has to wait: its place, 1 being next, and who holds the engine. How the line
   * moves on is the host's status, see `waiting`.
   */
  onQueued(position: number, busyTabId: number): void;
  /** Runs once, unless the job was stopped while it waited. Must not reject. */
  run(signal: AbortSignal): Promise<void>;
  /** Called instead of `run` when the job is stopped while it waits. */
  onDropped(why: Error): Promise<void>;
}

export interface Queue {
  add(job: Job): void;
  /**
   * Stops the conversation's job: aborts it if it runs, drops it if it waits. Resolves when it has ended.
   * Without a reason the user stopped it.
   */
  stop(conversationId: string, why?: Error): Promise<void>;
  running(): Job | undefined;
  waiting(): Job[];
  has(conversationId: string): boolean;
}

/** One job at a time, first come first served. `onChange` fires after every change of the line. */
export function createQueue(onChange: () => void): Queue {
  let current: { job: Job; controller: AbortController; ended: Promise<void> } | undefined;
  const line: Job[] = [];

  const next = () => {
    const job = line.shift();
    current = undefined;
    if (job) {
      const controller = new AbortController();
      current = { job, controller, ended: job.run(controller.signal).finally(next) };
    }
    onChange();
  };

  return {
    add(job) {
      line.push(job);
      if (!current) return next();
      job.onQueued(line.length, current.job.tabId);
      onChange();
    },
    async stop(conversationId, why = new DOMException('Stopped by the user.', 'AbortError')) {
      const waits = line.findIndex((job) => job.conversationId === conversationId);
      if (waits >= 0) {
        const [dropped] = line.splice(waits, 1);
        await dropped?.onDropped(why);
        onChange();
      }
      if (current?.job.conversationId === conversationId) {
        const { controller, ended } = current;
        controller.abort(why);
        await ended;
      }
    },
    running: () => current?.job,
    waiting: () => [...line],
    has: (conversationId) =>
      current?.job.conversationId === conversationId ||
      line.some((job) => job.conversationId === conversationId),
  };
}
