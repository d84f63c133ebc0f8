import type { AgentPage, CallOutcome } from '../agent/ports';
import { callBackground, WorkerLostError } from '../messages/background-api';
import type { Catalog } from '../tools/tool';

/**
 * A tab, as the loop sees it: every request goes to the service worker, which Chrome may end at any
 * moment. A lost answer is asked for again under the same id; frames run a call once per id.
 */
export function createTabPage(
  tabId: number,
  newId: () => string,
  ask: typeof callBackground = callBackground,
): AgentPage {
  async function insist<T>(
    request: (again: boolean) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    let heard = false;
    for (let lost = 0; ; lost++) {
      signal.throwIfAborted();
      try {
        return await request(heard);
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
      insist(request, signal)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', stopped));
    });
  }

  return {
    read(what, signal): Promise<string> {
      return stoppable(newId(), () => ask('readPage', { tabId, what }), signal);
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
        return {
          kind: 'error',
          message: error instanceof Error ? error.message : String(error),
          mayHaveRun: error instanceof WorkerLostError && error.heard,
        };
      }
    },
  };
}
