import { fromPage } from '../channel';
import type { ModelContextLike } from '../surfaces/native';
import { thrownText } from '../surfaces/text';

/**
 * Wraps the browser's own `registerTool` for the two things it does not do: let out what a tool
 * threw, and survive a tool that returns a Symbol (which crashes the tab in Chromium 156).
 */
export function wrapNative(context: ModelContextLike): void {
  const prototype = Object.getPrototypeOf(context) as ModelContextLike;
  prototype.registerTool = new Proxy(prototype.registerTool, {
    apply(register, self, [tool, ...rest]: unknown[]) {
      return Reflect.apply(register, self, [wrapTool(tool), ...rest]);
    },
  });
  const submit = SubmitEvent.prototype as { respondWith?: (response: unknown) => void };
  if (!submit.respondWith) return;
  submit.respondWith = new Proxy(submit.respondWith, {
    apply(respond, event: SubmitEvent, [response]: unknown[]) {
      const tool = (event.target as Element | null)?.getAttribute?.('toolname') ?? '';
      Promise.resolve(response).catch((error) =>
        fromPage({ op: 'threw', tool, said: thrownText(error) }),
      );
      return Reflect.apply(respond, event, [response]);
    },
  });
}

function wrapTool(tool: unknown): unknown {
  const given = tool as { name?: unknown; execute?: unknown } | null;
  if (typeof given !== 'object' || typeof given?.execute !== 'function') return tool;
  const execute = given.execute;
  const name = String(given.name);
  const threw = (error: unknown): never => {
    fromPage({ op: 'threw', tool: name, said: thrownText(error) });
    throw error;
  };
  // Inherits everything else, also members this version knows nothing of.
  return Object.create(given, {
    execute: {
      value: (...args: unknown[]) => {
        try {
          const value: unknown = Reflect.apply(execute, undefined, args);
          return typeof (value as Promise<unknown> | null)?.then === 'function'
            ? Promise.resolve(value).then(harmless, threw)
            : harmless(value);
        } catch (error) {
          return threw(error);
        }
      },
    },
  });
}

const harmless = (value: unknown) => (typeof value === 'symbol' ? String(value) : value);
