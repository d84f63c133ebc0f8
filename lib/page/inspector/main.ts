import { type ModelContextLike, modelContextOf } from '../surfaces/native';
import { polyfillContexts } from '../surfaces/polyfill';
import { type Asked, type Tell, watchCalls } from './calls';
import { askForListener, claimIn, intoPage, onIntoPage, outOfPage } from './channel';
import { makeCaller } from './stack';
import { onDocumentChange, watchTools } from './tools';
import { MAX_WAITING, type PageEntry } from './wire';
import { quietly, watchOutcome, wrapMethod } from './wrap';

/** After the page is done: somebody who listens would have come by then. */
const ALONE_MS = 3000;

/**
 * Looks on while the page registers and calls tools, for as long as a panel listens: see
 * `docs/webmcp-surfaces.md`. It hands everything on as it is and asks the page for nothing.
 */
export function startInspector(): void {
  // One is there already, from before or from a registration.
  if (intoPage('there')) return;
  const stop = new AbortController();
  const { signal } = stop;
  const late = !!document.documentElement?.firstElementChild;
  let listening = false;
  let waiting: string[] = [];
  let leftOut = 0;
  const say = (entry: PageEntry) => {
    if (signal.aborted) return;
    const text = JSON.stringify(entry);
    if (listening) outOfPage(text);
    else if (waiting.length < MAX_WAITING) waiting.push(text);
    else leftOut++;
  };
  const tell: Tell = (entry) =>
    quietly(() => say({ ...entry, at: Math.round(performance.timeOrigin + performance.now()) }));

  const caller = makeCaller();
  const calls = watchCalls(tell, caller);
  const tools = watchTools(tell);
  const watched = new WeakSet<object>();

  const watch = (context: object, kind: Kind) => {
    watched.add(context);
    const wrap = (name: string, around: Parameters<typeof wrapMethod>[2]) =>
      quietly(() => wrapMethod(context, name, around, signal));
    wrap('registerTool', (inner, self, args) => {
      let done = () => {};
      const given = args.slice();
      quietly(() => {
        const { signal: until } = (args[1] ?? {}) as { signal?: AbortSignal };
        const registering = tools.registering(args[0], false, until, caller().places);
        ({ done } = registering);
        // A polyfill may keep what it is given; only what reads it once gets another object.
        if (kind !== 'page')
          given[0] = calls.seen(args[0] as object, registering.name, kind === 'browser', signal);
      });
      return watchOutcome(
        Reflect.apply(inner, self, given),
        () => done(),
        () => {},
      );
    });
    wrap('unregisterTool', (inner, self, args) => {
      const outcome = Reflect.apply(inner, self, args);
      quietly(() => tools.withdrew(String(args[0])));
      return outcome;
    });
    for (const name of ['clearContext', 'provideContext'])
      wrap(name, (inner, self, args) => {
        quietly(() => tools.withdrew());
        return Reflect.apply(inner, self, args);
      });
    wrap('executeTool', (inner, self, args) => {
      const asked = readAsked(args);
      quietly(() => {
        if (asked.frame) claimIn(asked.frame, asked.tool);
      });
      return calls.asked(inner, self, args, asked, kind !== 'page');
    });
    wrap('callTool', (inner, self, args) => {
      const { name, arguments: input } = (args[0] ?? {}) as { name?: unknown; arguments?: unknown };
      return calls.asked(
        inner,
        self,
        args,
        { tool: String(name), input, elsewhere: false },
        kind !== 'page',
      );
    });
    if (kind !== 'browser') return;
    // What the page, or Pagehand's other script, dispatches itself says nothing new.
    const on = (type: string, told: (tool: string) => void) =>
      (context as EventTarget).addEventListener(
        type,
        (event) => {
          if (event.isTrusted) quietly(() => told(toolOf(event)));
        },
        { signal },
      );
    on('toolactivated', calls.activated);
    on('toolcancel', calls.cancelled);
  };

  const look = () =>
    quietly(() => {
      const context = modelContextOf(document);
      if (context && !watched.has(context)) watch(context, kindOf(context));
      for (const other of polyfillContexts(new Set([context])))
        if (!watched.has(other)) watch(other, 'page');
    });
  const forms = (found: boolean) => () => quietly(() => tools.lookAtForms(found));

  onIntoPage(
    (word) => {
      if (word === 'on' && !listening) {
        listening = true;
        for (const text of waiting) outOfPage(text);
        waiting = [];
        if (leftOut) tell({ kind: 'left-out', count: leftOut });
      }
      if (word === 'off') stop.abort();
    },
    calls.claim,
    signal,
  );
  askForListener();
  tell({ kind: 'watching', late });
  look();
  forms(true)();
  onDocumentChange(look, forms(false), signal);
  const alone = () => setTimeout(() => listening || stop.abort(), ALONE_MS);
  if (document.readyState === 'complete') alone();
  else addEventListener('load', alone, { once: true, signal });
}

const OWN_ONLY = Symbol.for('pagehand.own');

/** Whose a context is: the first two read a tool once, when it is registered. */
type Kind = 'browser' | 'shim' | 'page';

function kindOf(context: ModelContextLike): Kind {
  const isNative = (method: unknown) =>
    typeof method === 'function' &&
    /\[native code\]/.test(Function.prototype.toString.call(method));
  const getter = Object.getOwnPropertyDescriptor(Document.prototype, 'modelContext')?.get;
  // Where the browser has WebMCP no shim is, and a page's own context would ask the browser's
  // `getTools`: one that is under way while its document is left can crash the whole browser.
  if (isNative(getter))
    return !Object.hasOwn(document, 'modelContext') && isNative(context.getTools)
      ? 'browser'
      : 'page';
  let asked = false;
  // As only another frame's shim would ask.
  const asks = {
    get [OWN_ONLY]() {
      asked = true;
      return true;
    },
  };
  void Promise.resolve(context.getTools(asks)).catch(() => {});
  return asked ? 'shim' : 'page';
}

/** What a script asks for: by the tool's object, or by its name as older surfaces had it. */
function readAsked([tool, input, options]: unknown[]): Asked {
  const asked: Asked = { tool: '', input, elsewhere: false };
  quietly(() => {
    asked.signal = (options as { signal?: AbortSignal } | undefined)?.signal;
    if (typeof tool === 'string') asked.tool = tool;
    else {
      const given = tool as { name?: unknown; source?: Window; window?: Window };
      asked.tool = String(given.name);
      const frame = given.source ?? given.window ?? window;
      asked.elsewhere = frame !== window;
      if (asked.elsewhere) asked.frame = frame;
    }
    asked.tool = asked.tool.slice(0, 256);
  });
  return asked;
}

const toolOf = (event: Event) => String((event as { toolName?: unknown }).toolName).slice(0, 256);
