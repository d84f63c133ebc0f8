import { type FromPage, onFromPage, toPage } from '../channel';
import type { RawTool } from '../wire';
import { readTool } from './read';
import { SaidError } from './said-error';
import type { Surface } from './surface';

/** What only the main world sees, through the channel: the shim, polyfills, older surfaces. */
export function mainSurface(native: boolean, signal: AbortSignal): Surface & { here(): boolean } {
  const waiting = new Map<string, (reply: Partial<Record<string, unknown>>) => void>();
  onFromPage((message: Partial<FromPage>) => {
    if (message.op !== 'reply' || typeof message.id !== 'string') return;
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  }, signal);
  const id = () => Math.random().toString(36).slice(2);
  return {
    here: () => toPage(null),
    list: () =>
      new Promise((resolve) => {
        const key = id();
        const done = (reply: { tools?: unknown }) => {
          waiting.delete(key);
          resolve(Array.isArray(reply.tools) ? reply.tools.flatMap(recheck) : []);
        };
        waiting.set(key, done);
        // A page that swallows the event must not hold up the catalog of the others.
        if (toPage({ op: 'list', id: key, native })) setTimeout(done, 2000, {});
        else done({});
      }),
    call: (tool, args, abort) =>
      new Promise((resolve, reject) => {
        const key = id();
        waiting.set(key, (reply) => {
          if (typeof reply.error === 'string') {
            const error = new SaidError(
              reply.error,
              typeof reply['said'] === 'string' ? reply['said'] : undefined,
              reply['ran'] === false ? false : undefined,
            );
            error.name = String(reply['name']).slice(0, 100);
            reject(error);
          } else resolve(typeof reply['value'] === 'string' ? reply['value'] : null);
        });
        abort.addEventListener('abort', () => {
          toPage({ op: 'cancel', id: key });
          waiting.delete(key);
          reject(abort.reason);
        });
        if (!toPage({ op: 'call', id: key, tool, args })) {
          waiting.delete(key);
          reject(new SaidError('The page can no longer be reached; reload it.', undefined, false));
        }
      }),
  };
}

function recheck(tool: unknown): RawTool[] {
  const claimed = tool as Partial<RawTool> | null;
  const surface = ['shim', 'form', 'native'].includes(String(claimed?.surface))
    ? (claimed as RawTool).surface
    : 'polyfill';
  const hints = Array.isArray(claimed?.hints) ? claimed.hints : [];
  const read = readTool(
    {
      ...claimed,
      inputSchema: claimed?.schema,
      annotations: hints.length ? Object.fromEntries(hints.map((hint) => [hint, true])) : undefined,
    },
    surface,
  );
  if (read && claimed?.cut) read.cut = { ...claimed.cut };
  return read ? [read] : [];
}
