import { fromPage, onToPage, type ToPage, toPage } from './channel';
import { installShim, watchDocument } from './shim/install';
import { legacyAlias } from './shim/legacy';
import type { Shim } from './shim/model-context';
import { wrapNative } from './shim/wrap';
import { type ModelContextLike, modelContextOf, nativeSurface } from './surfaces/native';
import { explainThrown, polyfillContexts, polyfillSurface } from './surfaces/polyfill';
import { readTool } from './surfaces/read';
import type { Surface } from './surfaces/surface';
import { MAX_RESULT, MAX_TOOLS, type RawTool } from './wire';

/**
 * The main-world script of one document. With `provide` it gives the page WebMCP where the browser
 * has none; in any case it lets the isolated script see what only the main world sees.
 */
export function startMain(provide: boolean): void {
  if (toPage(null)) return;
  const changed = () => fromPage({ op: 'changed' });
  let native: ModelContextLike | undefined;
  let shim: Shim | undefined;
  const alias = new Set<unknown>();
  const adopt = (context: ModelContextLike) => {
    native = context;
    wrapNative(context);
    // Not over what browsers before Chrome 152 have there themselves.
    if (provide && (shim || !('modelContext' in navigator))) alias.add(legacyAlias(context));
  };
  const opaque = self.origin === 'null' && location.protocol !== 'file:';
  const found = modelContextOf(document);
  if (found && !opaque) adopt(found);
  else if (provide && isSecureContext) {
    shim = installShim(changed);
    const own = shim.context;
    watchDocument(shim, (stop) => {
      const now = modelContextOf(document);
      if (!now || (now as unknown) === own || !isNative(now)) return;
      stop();
      adopt(now);
    });
  }

  const watched = new WeakSet<object>();
  const surfaces = (nativeElsewhere: boolean): Surface[] => {
    const list: Surface[] = [];
    if (shim) list.push(shimSurface(shim));
    if (native && !nativeElsewhere) list.push(nativeSurface(native));
    for (const context of polyfillContexts(new Set([shim?.context, native, ...alias]))) {
      list.push(polyfillSurface(context));
      if (watched.has(context)) continue;
      watched.add(context);
      watchPolyfill(context, changed);
    }
    return list;
  };

  const listAll = async (nativeElsewhere: boolean) => {
    const all = new Map<string, [RawTool, Surface]>();
    const list = surfaces(nativeElsewhere);
    for (const surface of list)
      for (const tool of await surface.list().catch(() => []))
        if (!all.has(tool.name) && all.size <= MAX_TOOLS) all.set(tool.name, [tool, surface]);
    return all;
  };

  const running = new Map<string, AbortController>();
  let elsewhere = !!native;
  const handle = async (message: Partial<ToPage>) => {
    const { id } = message;
    if (typeof id !== 'string') return;
    if (message.op === 'list') {
      elsewhere = !!message.native;
      const all = await listAll(elsewhere);
      fromPage({ op: 'reply', id, tools: Array.from(all.values(), ([tool]) => tool) });
    } else if (message.op === 'cancel') running.get(id)?.abort();
    else if (message.op === 'call' && message.tool) {
      const { tool, args = '{}' } = message;
      const abort = new AbortController();
      running.set(id, abort);
      try {
        const [, surface] = (await listAll(elsewhere)).get(tool.name) ?? [];
        abort.signal.throwIfAborted();
        if (!surface) {
          fromPage({ op: 'reply', id, error: 'Tool not found', name: 'NotFound', ran: false });
          return;
        }
        const value = await surface.call(tool, args, abort.signal);
        fromPage({ op: 'reply', id, value: value?.slice(0, MAX_RESULT + 1) ?? null });
      } catch (error) {
        fromPage({ op: 'reply', id, ...explainThrown(error) });
      } finally {
        running.delete(id);
      }
    }
  };
  onToPage((message) => void handle(message).catch(() => {}));
}

function shimSurface(shim: Shim): Surface {
  return {
    list: async () =>
      shim.own().flatMap((tool) => {
        const read = readTool(
          { ...tool, inputSchema: tool.schema },
          shim.tools.has(tool.name) ? 'shim' : 'form',
        );
        return read ? [read] : [];
      }),
    call: ({ name }, args, signal) => shim.run(name, JSON.parse(args), signal),
  };
}

function isNative(context: ModelContextLike): boolean {
  return /\[native code\]/.test(Function.prototype.toString.call(context.getTools));
}

function watchPolyfill(context: object, changed: () => void): void {
  const bag = context as {
    addEventListener?: (type: string, listener: () => void) => void;
    registerToolsChangedCallback?: (listener: () => void) => void;
  };
  try {
    bag.addEventListener?.('toolchange', changed);
    bag.addEventListener?.('toolschanged', changed);
    if (!bag.addEventListener) bag.registerToolsChangedCallback?.(changed);
  } catch {
    // Then its changes are seen when the tools are next listed.
  }
}
