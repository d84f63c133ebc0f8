import type { CallReply } from '../wire';
import { execute, type ModelContextLike } from './native';
import { readTools } from './read';
import { SaidError } from './said-error';
import type { Surface } from './surface';
import { resultText, thrownText } from './text';

type Bag = Record<string, unknown>;
type Method = (...args: unknown[]) => unknown;

/**
 * A model context that a page's own script made: `document.modelContext` or `navigator.modelContext`
 * of a polyfill, or the older `modelContextTesting`. They differ in how a tool is named (by object,
 * by name, in one request) and what comes back (text, a value, an MCP result).
 */
export function polyfillSurface(context: object): Surface {
  const bag = context as Bag;
  const has = (name: string) => typeof bag[name] === 'function';
  const ask = (name: string, ...args: unknown[]) => (bag[name] as Method).apply(context, args);
  const own = async (list: string) => {
    const listed = await ask(list);
    const tools = Array.isArray(listed) ? listed : (listed as Bag | undefined)?.['tools'];
    return (Array.isArray(tools) ? tools : []).filter(
      (tool) => ((tool?.source ?? tool?.window) || window) === window,
    );
  };
  return {
    // Where both are, `getTools` may be passed on to the browser, which must not be asked often: see
    // `registered.ts`.
    list: async () => readTools(await own(has('listTools') ? 'listTools' : 'getTools'), 'polyfill'),
    async call({ name }, args, signal) {
      if (has('callTool'))
        return mcpText(await ask('callTool', { name, arguments: JSON.parse(args) }));
      if (has('getTools')) {
        const tool = (await own('getTools')).find((candidate) => candidate.name === name);
        return unwrap(await execute(context as ModelContextLike, tool, args, signal));
      }
      // By name: `modelContextTesting` takes JSON text, `navigator.modelContext` took an object.
      const testing = !has('registerTool') || has('registerToolsChangedCallback');
      return unwrap(await ask('executeTool', name, testing ? args : JSON.parse(args)));
    },
  };
}

/** Some polyfills hand out JSON text of what their tool returned, or of an MCP result around it. */
function unwrap(value: unknown): string | null {
  if (typeof value !== 'string' || !/^["{]/.test(value)) return mcpText(value);
  try {
    const inner: unknown = JSON.parse(value);
    return typeof inner === 'string' || Array.isArray((inner as Bag)['content'])
      ? mcpText(inner)
      : value;
  } catch (error) {
    if (error instanceof SaidError) throw error;
    return value;
  }
}

/** Undoes the MCP wrapping that some polyfills put around what the tool itself returned. */
function mcpText(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  const { content, isError } = (value ?? {}) as { content?: unknown; isError?: unknown };
  if (Array.isArray(content)) {
    const only = content.length === 1 && content[0]?.type === 'text' ? content[0].text : undefined;
    const text = typeof only === 'string' ? only : resultText(value);
    if (isError === true) throw new SaidError(text, text);
    if (typeof only === 'string') return only;
  }
  return resultText(value);
}

/** Where a page may keep tools besides the browser's own context, in the order they are trusted. */
export function polyfillContexts(except: ReadonlySet<unknown>): object[] {
  const found = new Set<object>();
  for (const [holder, names] of [
    [document, ['modelContext']],
    [navigator, ['modelContext', 'modelContextTesting']],
  ] as const) {
    for (const name of names) {
      try {
        const context = (holder as unknown as Bag)[name];
        if (!context || typeof context !== 'object' || except.has(context)) continue;
        const can = (method: string) => typeof (context as Bag)[method] === 'function';
        if ((can('getTools') || can('listTools')) && (can('callTool') || can('executeTool')))
          found.add(context);
      } catch {
        // A page's getter may throw; then there is nothing to find.
      }
    }
  }
  return Array.from(found);
}

/** A failed call as the channel carries it. */
export function explainThrown(error: unknown): CallReply {
  return error instanceof SaidError
    ? { error: error.message, said: error.said, ran: error.ran }
    : { error: thrownText(error) };
}
