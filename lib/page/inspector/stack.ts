import { MAX_PLACES, MAX_URL, type Place } from './wire';

/** Deep enough for the frameworks between a page's own line and its call. */
const DEPTH = 30;
const MAX_FN = 200;

/** Lines of a V8 stack that have a place, as text: `at fn (url:line:column)`, `at url:line:column`. */
export function readStack(stack: string): Place[] {
  const places: Place[] = [];
  for (const line of stack.split('\n').slice(0, DEPTH + 1)) {
    const cut = line.slice(0, MAX_URL + MAX_FN);
    // Code made of a string has no place of its own: that of whoever made it is the next best.
    const maker = /\beval at .*?\((\S+:\d+:\d+)\)/.exec(cut)?.[1];
    const found = /^\s*at (?:async )?(?:(.*?) \()?([a-z][a-z0-9+.-]*:\S*?):(\d+):(\d+)\)?$/i.exec(
      maker ? `at eval (${maker})` : cut,
    );
    if (!found) continue;
    const [, fn = '', url = '', row, column] = found;
    places.push({
      fn: fn === '<anonymous>' ? '' : fn.slice(0, MAX_FN),
      url,
      line: Number(row),
      column: Number(column),
    });
  }
  return places;
}

/** The stack of whoever called, without what the page made of `Error` for itself. */
function takeStack(): string {
  const holder = Error as { prepareStackTrace?: unknown; stackTraceLimit?: number };
  const prepare = Object.getOwnPropertyDescriptor(holder, 'prepareStackTrace');
  const limit = Object.getOwnPropertyDescriptor(holder, 'stackTraceLimit');
  const free = (own?: PropertyDescriptor) => !own || (own.writable && own.configurable);
  // A page that has fixed either of them reads its own stacks in its own way; then so do we.
  if (!free(prepare) || !free(limit)) return String(new Error().stack);
  try {
    if (prepare)
      Object.defineProperty(holder, 'prepareStackTrace', { ...prepare, value: undefined });
    Object.defineProperty(holder, 'stackTraceLimit', {
      value: DEPTH,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    return String(new Error().stack);
  } finally {
    if (prepare) Object.defineProperty(holder, 'prepareStackTrace', prepare);
    if (limit) Object.defineProperty(holder, 'stackTraceLimit', limit);
    else delete holder.stackTraceLimit;
  }
}

export interface Caller {
  /** Another script of Pagehand's is the one that called, for the agent or to run a tool by hand. */
  pagehand: boolean;
  /** The page's lines, innermost first. */
  places: Place[];
}

/** Looks at the stack from inside a script of the extension at `base` (`chrome-extension://id/`). */
export function callerOf(stack: string, base: string, self: string): Caller {
  const places = readStack(stack).filter(({ url }) => url !== self);
  return {
    pagehand: !!places[0]?.url.startsWith(base),
    places: places.filter(({ url }) => !url.startsWith(base)).slice(0, MAX_PLACES),
  };
}

/** A look at who called, for the script this is bundled into. */
export function makeCaller(): () => Caller {
  const self = readStack(takeStack())[0]?.url ?? '';
  const base = /^[a-z-]+:\/\/[^/]+\//.exec(self)?.[0] ?? '-';
  return () => {
    try {
      return callerOf(takeStack(), base, self);
    } catch {
      return { pagehand: false, places: [] };
    }
  };
}
