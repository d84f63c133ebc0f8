import { type FromPage, onFromPage, toPage } from '../channel';
import type { CallReply, RawTool } from '../wire';

/** Nobody ran the tool: it is not there, or nobody listens. */
export const gone: CallReply = { error: 'gone', ran: false };

/**
 * What only the main world sees, through the channel: the shim, polyfills, older surfaces. What it
 * answers is the page's word and goes on unread; the background checks every field.
 */
export function mainSurface(native: boolean, other: (message: Partial<FromPage>) => void) {
  const waiting = new Map<string, (reply: object) => void>();
  onFromPage((message: Partial<FromPage>) => {
    if (message.op !== 'reply') return other(message);
    waiting.get(message.id as string)?.(message);
    waiting.delete(message.id as string);
  });
  const ask = (message: object, unheard: object) =>
    new Promise<object>((resolve) => {
      const id = `${Math.random()}`;
      waiting.set(id, resolve);
      if (!toPage({ ...message, id })) resolve(unheard);
    });
  return {
    /** Whatever the page says; where that is no list, listing fails, and the page has no tools. */
    list: () =>
      Promise.race([
        ask({ op: 'list', native }, {}),
        // A page that swallows the event must not hold up the rest.
        new Promise<object>((resolve) => setTimeout(resolve, 2000, {})),
      ]) as Promise<{ tools?: RawTool[]; whole?: boolean }>,
    call: (id: string, tool: RawTool, args: string): Promise<CallReply> =>
      ask({ op: 'call', call: id, tool, args }, gone),
    cancel: (id: string) => toPage({ op: 'cancel', call: id }),
  };
}
