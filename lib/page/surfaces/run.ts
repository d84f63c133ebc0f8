import { SaidError } from './said-error';
import { resultText, thrownText } from './text';

export type Execute = (input: unknown, client: object) => unknown;

const FAILED =
  'Tool was executed but the invocation failed. For example, the script function threw an error';

/**
 * Runs a page's function as the browser would and gives its value as text. Rejects with a
 * `SaidError` that has the tool's own words, or with the signal's reason as soon as it aborts.
 */
export async function runTool(
  execute: Execute,
  input: unknown,
  signal: AbortSignal,
  started: () => void,
): Promise<string> {
  signal.throwIfAborted();
  const client = {
    signal,
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
      throw new SaidError(FAILED, thrownText(error));
    }
  };
  return Promise.race([answer(), aborted(signal)]);
}

/** Never resolves. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
