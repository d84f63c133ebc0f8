import { readTools } from './read';
import type { Surface } from './surface';

/** `document.modelContext` as browsers of the last versions have it; only what is used of it. */
export interface ModelContextLike extends EventTarget {
  getTools(options?: object): Promise<unknown>;
  executeTool(tool: unknown, input: unknown, options?: { signal: AbortSignal }): Promise<unknown>;
  registerTool(tool: unknown, options?: object): unknown;
}

export function modelContextOf(doc: Document): ModelContextLike | undefined {
  const context = (doc as { modelContext?: unknown }).modelContext as ModelContextLike | undefined;
  // Not a mere presence test: an <img name="modelContext"> also answers to that name.
  return typeof context?.executeTool === 'function' ? context : undefined;
}

/** The browser's own WebMCP. Lists only this frame's tools: same-origin frames see each other's. */
export function nativeSurface(context: ModelContextLike): Surface {
  const own = async () => {
    const tools = (await context.getTools()) as {
      name: string;
      source?: unknown;
      window?: unknown;
    }[];
    return tools.filter((tool) => (tool.source ?? tool.window ?? window) === window);
  };
  return {
    async list() {
      const tools = readTools(await own(), 'native');
      // The browser allows nothing in a name that would need escaping here.
      for (const tool of tools)
        if (document.querySelector(`form[toolname="${tool.name}"]`)) tool.surface = 'form';
      return tools;
    },
    async call({ name }, args, signal) {
      const tool = (await own()).find((candidate) => candidate.name === name);
      return execute(context, tool, args, signal);
    },
  };
}

/**
 * Runs a tool of a context of any age. Chrome took JSON text until 154 and takes an object since 155;
 * polyfills differ likewise. What it gets is both: an object that reads as its JSON text wherever text
 * is wanted. So nothing is tried twice, and no tool runs twice.
 */
export async function execute(
  context: ModelContextLike,
  tool: unknown,
  args: string,
  signal: AbortSignal,
): Promise<string | null> {
  const input: unknown = Object.defineProperty(JSON.parse(args), Symbol.toPrimitive, {
    value: () => args,
  });
  return (await context.executeTool(tool, input, { signal })) as string | null;
}
