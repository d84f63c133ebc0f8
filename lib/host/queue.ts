/** A turn that waits for, or holds, the one engine. */
export interface Job {
  /** Changes when the browser gives the tab another id. */
  tabId: number;
  conversationId: string;
  turnId: string;
  /** Told each time its place, or who it waits for, changes; 1 is next. */
  onPosition(position: number, busyTabId: number): void;
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

  /** What each waiting job was last told. */
  const told = new WeakMap<Job, string>();

  const announce = () => {
    line.forEach((job, index) => {
      if (!current) return;
      const place = `${index + 1} ${current.job.turnId}`;
      if (told.get(job) === place) return;
      told.set(job, place);
      job.onPosition(index + 1, current.job.tabId);
    });
    onChange();
  };
  const next = () => {
    const job = line.shift();
    if (!job) {
      current = undefined;
      onChange();
      return;
    }
    const controller = new AbortController();
    const ended = job.run(controller.signal).finally(next);
    current = { job, controller, ended };
    announce();
  };

  return {
    add(job) {
      line.push(job);
      if (current) announce();
      else next();
    },
    async stop(conversationId, why = new DOMException('Stopped by the user.', 'AbortError')) {
      const waits = line.findIndex((job) => job.conversationId === conversationId);
      if (waits >= 0) {
        const [dropped] = line.splice(waits, 1);
        await dropped?.onDropped(why);
        announce();
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
