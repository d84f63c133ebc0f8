import { SaidError } from './said-error';
import { resultText, thrownText } from './text';

export type Execute = (input: unknown, client: object) => unknown;

const FAILED =
  'Tool was executed but the invocation failed. For example, the script function threw an error';

/**
 * Runs a page's function as the browser would and gives its value as text. Rejects with a
 * `SaidError` that has the tool's own words, or with the signal's reason when it aborts: at once, or
 * after `linger` milliseconds, in which what the tool resolves with on being stopped still counts.
 */
export async function runTool(
  execute: Execute,
  input: unknown,
  signal: AbortSignal,
  started: () => void,
  linger = 0,
): Promise<string> {
  signal.throwIfAborted();
  // Its own: the tool is told that it is stopped, not why, and after its caller was.
  const stop = new AbortController();
  const client = {
    signal: stop.signal,
    // Of the drafts before June 2026; the page keeps the user in the loop itself.
    requestUserInteraction: async (ask: () => unknown) => ask(),
  };
  const answer = async () => {
    try {
      const going = execute(input, client);
      started();
      const value = await going;
      return resultText(value);
    } catch (error) {
      signal.throwIfAborted();
      throw new SaidError(FAILED, thrownText(error));
    }
  };
  const stopped = new Promise<never>((_, reject) => {
    const aborted = () => {
      if (linger) setTimeout(reject, linger, signal.reason);
      else reject(signal.reason);
      setTimeout(() => stop.abort());
    };
    signal.addEventListener('abort', aborted, { once: true });
  });
  return Promise.race([answer(), stopped]);
}
