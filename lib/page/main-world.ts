import { fromPage, onToPage, type ToPage, toPage } from './channel';
import { withButtons } from './shim/forms';
import type { Shim } from './shim/model-context';
import type { TestedTools } from './shim/testing';
import { type ModelContextLike, modelContextOf, nativeSurface } from './surfaces/native';
import { explainThrown, polyfillContexts, polyfillSurface } from './surfaces/polyfill';
import { readTools } from './surfaces/read';
import { registeredSurface } from './surfaces/registered';
import { LINGER_MS, type Surface } from './surfaces/surface';
import { MAX_RESULT, MAX_TOOLS, type RawTool } from './wire';

/** Beyond what is shown, so that what is left out can be counted. */
const MOST = MAX_TOOLS * 10;

/** What the shim brings; the reader goes without, and without its code. */
export interface Provision {
  installShim(onChange: () => void): Shim;
  watchDocument(shim: Shim, also: (stop: () => void) => void): void;
  legacyAlias(native: ModelContextLike): object;
  installTesting(tools: TestedTools): object;
}

/**
 * The main-world script of one document. With a provision it gives the page WebMCP where the
 * browser has none; in any case it lets the isolated script see what only the main world sees.
 */
export function startMain(provision?: Provision): void {
  // Somebody answers: an earlier version of this script, from before an update.
  if (toPage(null)) return;
  const watchers: (() => void)[] = [];
  const changed = () => {
    fromPage({ op: 'changed' });
    for (const watcher of watchers) watcher();
  };
  let native: ModelContextLike | undefined;
  let registered: Surface | undefined;
  /** Whether every registration with the browser was seen: not where it came to us late. */
  let whole = false;
  let shim: Shim | undefined;
  const ours = new Set<unknown>();
  const testing = (tools: TestedTools) => {
    if (provision && !('modelContextTesting' in navigator))
      ours.add(provision.installTesting(tools));
  };
  const adopt = (context: ModelContextLike) => {
    native = context;
    ours.add(context);
    const surface = registeredSurface(context);
    registered = surface;
    // Not over what browsers before Chrome 152 have there themselves.
    if (!provision || !(shim || !('modelContext' in navigator))) return;
    ours.add(provision.legacyAlias(context));
    const where = {
      description: '',
      window,
      origin: location.protocol === 'file:' ? 'file://' : origin,
    };
    testing({
      list: surface.own,
      run: async (name, input, signal) =>
        (await context.executeTool({ ...where, name }, input, signal && { signal })) as
          | string
          | null,
      watch: (watcher) => context.addEventListener('toolchange', watcher),
    });
  };
  const opaque = origin === 'null' && location.protocol !== 'file:';
  const found = modelContextOf(document);
  if (found && !isNative(found)) {
    // A page that was there before us has made its own: it stays as it is, and is read like any other.
  } else if (found && !opaque) {
    whole = document.readyState === 'loading';
    adopt(found);
  } else if (provision && isSecureContext) {
    const made = provision.installShim(changed);
    testing({
      list: made.own,
      run: made.run,
      watch: (watcher) => void watchers.push(watcher),
    });
    shim = made;
    ours.add(made.context);
    provision.watchDocument(made, (stop) => {
      const now = modelContextOf(document);
      if (!now || ours.has(now) || !isNative(now)) return;
      stop();
      adopt(now);
    });
  }

  const watched = new WeakSet<object>();
  const surfaces = (nativeElsewhere: boolean): Surface[] => {
    const list: Surface[] = [];
    if (shim) list.push(shimSurface(shim));
    if (registered) list.push(registered);
    if (native && !nativeElsewhere && !whole) list.push(nativeSurface(native));
    for (const context of polyfillContexts(ours)) {
      list.push(polyfillSurface(context));
      if (watched.has(context)) continue;
      watched.add(context);
      watchPolyfill(context, changed);
    }
    return list;
  };

  const listAll = async (nativeElsewhere: boolean) => {
    const all = new Map<string, [RawTool, Surface]>();
    for (const surface of surfaces(nativeElsewhere))
      for (const tool of await surface.list().catch(() => []))
        if (!all.has(tool.name) && all.size < MOST) all.set(tool.name, [tool, surface]);
    return all;
  };

  const running = new Map<string, AbortController>();
  let elsewhere = !!native;
  const run = async (call: string, tool: RawTool, args: string) => {
    const abort = new AbortController();
    running.set(call, abort);
    try {
      const [, surface] = (await listAll(elsewhere)).get(tool.name) ?? [];
      if (!surface || abort.signal.aborted) return { error: 'gone', ran: false };
      const value = await surface.call(tool, args, abort.signal);
      return { value: value?.slice(0, MAX_RESULT + 1) ?? null };
    } catch (error) {
      return explainThrown(error);
    } finally {
      running.delete(call);
    }
  };
  const handle = async (message: Partial<ToPage>) => {
    const { id = '' } = message;
    if (message.op === 'cancel') running.get(message.call ?? '')?.abort();
    if (message.op === 'list') {
      elsewhere = !!message.native;
      const tools = Array.from((await listAll(elsewhere)).values(), ([tool]) => tool);
      fromPage({ op: 'reply', id, tools, whole });
    } else if (message.op === 'call' && message.tool)
      fromPage({
        op: 'reply',
        id,
        ...(await run(message.call ?? '', message.tool, message.args ?? '{}')),
      });
  };
  onToPage((message) => void handle(message).catch(() => {}));
}

function shimSurface(shim: Shim): Surface {
  return {
    async list() {
      const own = shim.own();
      const tools = own.map((tool) => ({ ...tool, inputSchema: tool.schema }));
      const read = readTools(tools, 'shim');
      for (const tool of read) if (!shim.tools.has(tool.name)) tool.surface = 'form';
      return withButtons(read, own);
    },
    call: ({ name }, args, signal) => shim.run(name, JSON.parse(args), signal, LINGER_MS),
  };
}

function isNative(context: ModelContextLike): boolean {
  const { getTools } = context;
  // Of a bound function no name is shown.
  return (
    typeof getTools === 'function' &&
    /getTools\(\) \{ \[native code\]/.test(Function.prototype.toString.call(getTools))
  );
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
