import type { AgentPage, CallOutcome } from '../agent/ports';
import { callBackground, WorkerLostError } from '../messages/background-api';
import { MisfitError } from '../messages/misfit';
import { wordsOfError } from '../said/said';
import type { Catalog } from '../tools/tool';

/** How often a request that takes its time is asked after. */
const CHECK_MS = 2000;

/**
 * A tab, as the loop sees it: every request goes to the service worker, which Chrome may end at any
 * moment. A lost answer is asked for again under the same id; frames run a call once per id.
 */
export function createTabPage(
  tabId: number,
  newId: () => string,
  ask: typeof callBackground = callBackground,
  checkMs = CHECK_MS,
): AgentPage {
  async function insist<T>(
    id: string,
    request: (again: boolean) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    let heard = false;
    for (let lost = 0; ; lost++) {
      signal.throwIfAborted();
      try {
        return await watched(id, request(heard), ask, checkMs);
      } catch (error) {
        if (!(error instanceof WorkerLostError) || lost >= 2) throw error;
        heard ||= error.heard;
      }
    }
  }
  /** Ends with the signal's reason at once; tells the page to stop what it can. */
  function stoppable<T>(
    id: string,
    request: (again: boolean) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const stopped = () => {
        ask('cancel', { tabId, id }).catch(() => {});
        reject(signal.reason);
      };
      signal.addEventListener('abort', stopped, { once: true });
      insist(id, request, signal)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', stopped));
    });
  }

  return {
    async wake(signal): Promise<void> {
      const requestId = newId();
      await stoppable(requestId, () => ask('wakeTab', { tabId, requestId }), signal);
    },
    read(what, signal, origin = ''): Promise<string> {
      const requestId = newId();
      return stoppable(
        requestId,
        () => ask('readPage', { tabId, requestId, what, origin }),
        signal,
      );
    },
    collect(signal): Promise<Catalog> {
      const requestId = newId();
      return stoppable(requestId, () => ask('collect', { tabId, requestId }), signal);
    },
    async call(tool, args, signal): Promise<CallOutcome> {
      signal.throwIfAborted();
      const callId = newId();
      try {
        return await stoppable(
          callId,
          (again) => ask('callTool', { tabId, callId, again, tool, arguments: args }),
          signal,
        );
      } catch (error) {
        signal.throwIfAborted();
        const { text, said } = wordsOfError(error);
        return {
          kind: 'error',
          message: text,
          said,
          mayHaveRun:
            error instanceof MisfitError || (error instanceof WorkerLostError && error.heard),
        };
      }
    },
  };
}

/**
 * The work, or a `WorkerLostError` when the worker no longer knows of it: Chrome does not always say
 * that a worker ended under a message. Asking also keeps the worker from ending for want of events.
 */
async function watched<T>(
  id: string,
  work: Promise<T>,
  ask: typeof callBackground,
  checkMs: number,
): Promise<T> {
  const settled = work.then(
    () => true,
    () => true,
  );
  const pause = () =>
    new Promise<false>((resolve) => {
      setTimeout(() => resolve(false), checkMs);
    });
  let missed = 0;
  while (!(await Promise.race([settled, pause()]))) {
    const busy = await ask('busyWith', { id }).catch(() => false);
    // Once may mean that the answer is on its way.
    missed = busy ? 0 : missed + 1;
    if (missed > 1) throw new WorkerLostError(true);
  }
  return work;
}
