import { browser } from 'wxt/browser';
import type { ToContent } from './wire';

/** Why a document did not answer. Only `absent` proves that it heard nothing. */
export type Silence = 'absent' | 'closed' | 'late';

export class SilentError extends Error {
  constructor(
    readonly silence: Silence,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Sends one message to one document and waits for its answer, at most `ms`. Rejects with a
 * `SilentError`, or with the signal's reason.
 */
export async function askDocument(
  tabId: number,
  documentId: string,
  message: ToContent,
  signal: AbortSignal,
  ms: number,
): Promise<unknown> {
  signal.throwIfAborted();
  const done = new AbortController();
  try {
    return await Promise.race([
      browser.tabs.sendMessage(tabId, message, { documentId }).catch((error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        // Chrome: "Could not establish connection. Receiving end does not exist.", "No document with id …"
        const absent = /Receiving end does not exist|^No (tab|frame|document) with/i.test(text);
        throw new SilentError(absent ? 'absent' : 'closed', text);
      }),
      new Promise<never>((_, reject) => {
        const timer = setTimeout(
          () => reject(new SilentError('late', `no answer within ${ms} ms`)),
          ms,
        );
        const stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop, { once: true, signal: done.signal });
        done.signal.addEventListener('abort', () => clearTimeout(timer));
      }),
    ]);
  } finally {
    done.abort();
  }
}

/**
 * `executeScript` never settles where its document moves into the back/forward cache meanwhile:
 * gives `otherwise` after `ms`, or when the work fails.
 */
export async function within<T>(ms: number, work: Promise<T>, otherwise: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, ms, otherwise);
  });
  try {
    return await Promise.race([work.catch(() => otherwise), late]);
  } finally {
    clearTimeout(timer);
  }
}
