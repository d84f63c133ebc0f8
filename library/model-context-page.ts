import type { AgentPage, CallOutcome } from '../lib/agent/ports';
import { boundJson } from '../lib/tools/bound-json';
import { isRecord } from '../lib/tools/own-data';
import type { JsonObject, JsonSchema, PageTool } from '../lib/tools/tool';

/** `document.modelContext`, only what is used of it. */
export interface ModelContext {
  getTools(): Promise<unknown>;
  executeTool(tool: unknown, input: unknown, options: { signal: AbortSignal }): Promise<unknown>;
}

const HINTS = ['readOnlyHint', 'untrustedContentHint', 'consequentialHint', 'debugging'] as const;
const BOUNDS = { depth: 40, nodes: 5000, instead: {} };

/**
 * A page's own WebMCP (`document.modelContext`, the browser's or a polyfill's) as the page of a turn:
 * the tools are read afresh before each step, and a call runs at most once, on the tool that is
 * registered under that name now, if it is still described the same way. `about` names the page:
 * `{ url: location.href, title: document.title }`. What a tool throws becomes the result of its call;
 * only an abort rejects.
 */
export function modelContextPage(
  context: ModelContext,
  about: { url: string; title: string },
): AgentPage {
  const read = async (): Promise<{ tool: PageTool; registered: unknown }[]> => {
    const tools: unknown = await context.getTools();
    const origin = new URL(about.url).origin;
    return (Array.isArray(tools) ? tools : []).flatMap((registered: unknown) => {
      const tool = toolOf(registered, origin);
      return tool === undefined ? [] : [{ tool, registered }];
    });
  };
  return {
    collect: async (signal) => {
      signal.throwIfAborted();
      const tools = await read();
      signal.throwIfAborted();
      return { tabId: 0, ...about, tools: tools.map(({ tool }) => tool), notes: [] };
    },
    call: async (tool, args, signal): Promise<CallOutcome> => {
      signal.throwIfAborted();
      let started = false;
      try {
        const now = (await read()).find((one) => one.tool.name === tool.name);
        signal.throwIfAborted();
        if (now === undefined) return { kind: 'changed' };
        if (JSON.stringify(now.tool) !== JSON.stringify(tool)) {
          return { kind: 'changed', tool: now.tool };
        }
        started = true;
        const value = await context.executeTool(now.registered, inputOf(args), { signal });
        return { kind: 'result', value: textOf(value) };
      } catch (error) {
        signal.throwIfAborted();
        const message = error instanceof Error ? error.message : String(error);
        return { kind: 'error', message, mayHaveRun: started };
      }
    },
  };
}

/** Contexts of before Chrome 155 take JSON text, later ones an object: this is both. */
function inputOf(args: JsonObject): object {
  const text = JSON.stringify(args);
  return Object.defineProperty({ ...args }, Symbol.toPrimitive, { value: () => text });
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Read member by member: a browser's tools are interface objects, which do not spread. */
function toolOf(registered: unknown, origin: string): PageTool | undefined {
  if (!isRecord(registered)) return undefined;
  try {
    const { name, title, description, inputSchema, annotations } = registered;
    if (typeof name !== 'string' || name === '') return undefined;
    const tool: PageTool = {
      key: `page/${name}`,
      name,
      description: typeof description === 'string' ? description : '',
      origin,
      documentId: 'page',
      frameId: 0,
      surface: 'native',
    };
    if (typeof title === 'string' && title !== '') tool.title = title;
    const schema = schemaOf(inputSchema);
    if (schema !== undefined) tool.inputSchema = schema;
    if (isRecord(annotations)) {
      const hints: PageTool['annotations'] = {};
      for (const hint of HINTS) if (annotations[hint] === true) hints[hint] = true;
      if (Object.keys(hints).length > 0) tool.annotations = hints;
    }
    return tool;
  } catch {
    // A getter of the page's threw.
    return undefined;
  }
}

/** Declared as an object or as its JSON text; undefined where the tool takes no arguments. */
function schemaOf(declared: unknown): JsonSchema | undefined {
  if (declared === undefined || declared === null || declared === '') return undefined;
  try {
    const value: unknown = JSON.parse(
      typeof declared === 'string' ? declared : JSON.stringify(declared),
    );
    if (!isRecord(value)) return { type: 'object' };
    const bounded = boundJson(value, BOUNDS).value;
    return typeof bounded === 'object' && bounded !== null && !Array.isArray(bounded)
      ? bounded
      : { type: 'object' };
  } catch {
    return { type: 'object' };
  }
}
