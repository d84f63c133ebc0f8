import { thrownText } from '../surfaces/text';
import { domError } from './errors';
import { handlerAttribute } from './events';
import type { Registered } from './registry';

/** Where the tools are that `navigator.modelContextTesting` lists and runs. */
export interface TestedTools {
  list(): Registered[];
  run(name: string, input: unknown, signal?: AbortSignal): Promise<string | null>;
  /** Calls back whenever the tools change. */
  watch(changed: () => void): void;
}

/**
 * `navigator.modelContextTesting` of Chrome 146 to 151 and of the polyfills of that time. A page that
 * finds `navigator.modelContext` there leaves its own polyfill out, and with it this: it has to come
 * along wherever the other does.
 */
export function installTesting(tools: TestedTools): object {
  class ModelContextTesting extends EventTarget {
    /** Synchronous, and schemas are JSON text. */
    listTools() {
      return tools.list().map(({ name, description, schema }) => ({
        name,
        description,
        inputSchema: schema ?? '{"type":"object","properties":{}}',
      }));
    }
    async executeTool(name: unknown, text: unknown, options?: { signal?: AbortSignal }) {
      const tool = String(name);
      let input: unknown;
      try {
        input = JSON.parse(String(text));
      } catch {}
      if (typeof input !== 'object' || !input)
        throw domError('UnknownError', 'Failed to parse input arguments');
      if (!tools.list().some((known) => known.name === tool))
        throw domError('UnknownError', `Tool not found: ${tool}`);
      try {
        return await tools.run(tool, input, options?.signal);
      } catch (error) {
        options?.signal?.throwIfAborted();
        throw domError('UnknownError', thrownText(error));
      }
    }
    /** Of a tool that navigated: Pagehand reads that by itself. */
    async getCrossDocumentScriptToolResult() {
      return '[]';
    }
    registerToolsChangedCallback(callback: unknown) {
      if (typeof callback !== 'function')
        throw new TypeError(
          "Failed to execute 'registerToolsChangedCallback' on 'ModelContextTesting': parameter 1 is not of type 'Function'.",
        );
      this.addEventListener('toolchange', callback as EventListener);
    }
  }
  handlerAttribute(ModelContextTesting.prototype, 'toolchange');
  const testing = new ModelContextTesting();
  tools.watch(() => void testing.dispatchEvent(new Event('toolchange')));
  Object.defineProperty(Navigator.prototype, 'modelContextTesting', {
    configurable: true,
    enumerable: true,
    get: () => testing,
  });
  return testing;
}
