import type { CallReply, RawTool } from './wire';

/**
 * The road between the isolated script and the main-world script of one document: DOM events that
 * carry JSON text. The page can read and forge every one of them. That is why nothing travels here
 * but the page's own tools, arguments and results, and why both ends check what they read: the most
 * a forger gets is to lie about itself.
 */
const TO_PAGE = 'pagehand-in';
const FROM_PAGE = 'pagehand-out';

export type ToPage =
  | { op: 'list'; id: string; native: boolean }
  | { op: 'call'; id: string; call: string; tool: RawTool; args: string }
  | { op: 'cancel'; id: string; call: string };

export type FromPage =
  /** `whole`: these include all that the browser would list. */
  | { op: 'reply'; id: string; tools: RawTool[]; whole: boolean }
  | ({ op: 'reply'; id: string } & CallReply)
  | { op: 'changed' }
  | { op: 'threw'; tool: string; said: string };

/** False when nobody is there to hear it. */
export const toPage = (message: object | null) => !send(TO_PAGE, message);
export const fromPage = (message: FromPage) => void send(FROM_PAGE, message);

export const onToPage = (listener: (message: Partial<ToPage>) => void) => listen(TO_PAGE, listener);
export const onFromPage = (listener: (message: Partial<FromPage>) => void) =>
  listen(FROM_PAGE, listener);

function send(type: string, message: object | null): boolean {
  return dispatchEvent(
    new CustomEvent(type, { detail: JSON.stringify(message), cancelable: true }),
  );
}

function listen<T extends object>(type: string, listener: (message: T) => void) {
  const heard = (event: Event) => {
    event.preventDefault();
    try {
      const message: unknown = JSON.parse((event as CustomEvent<string>).detail);
      if (message && typeof message === 'object') listener(message as T);
    } catch {
      // Forged, or not for us.
    }
  };
  // On the window: a document's methods can be hidden by elements that carry their names.
  addEventListener(type, heard);
}
