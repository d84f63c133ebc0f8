import { fromPage } from '../channel';
import type { ModelContextLike } from './native';
import { type Execute, runTool } from './run';
import { thrownText } from './text';

/** Runs a tool that was registered with the browser; `undefined` where its function is not known. */
export type RunRegistered = (
  name: string,
  input: unknown,
  signal: AbortSignal,
) => Promise<string> | undefined;

/**
 * Remembers the functions of tools as pages register them with the browser, so that a call can go
 * straight to them. `executeTool` of Chromium 156 keeps what a tool threw to itself, crashes the tab
 * over a Symbol, loses the result of a tool that navigates and then crashes the whole browser now
 * and then. Nothing that the page hands over or gets back changes.
 */
export function rememberTools(context: ModelContextLike): RunRegistered {
  const known = new Map<string, Set<Execute>>();
  const remember = (tool: unknown, options: unknown) => {
    const { name, execute } = tool as { name: unknown; execute: unknown };
    const { signal } = (options ?? {}) as { signal?: AbortSignal };
    if (typeof execute !== 'function' || signal?.aborted) return;
    // Bound anew, as a function may be registered under several names or twice under one.
    const own: Execute = (input, client) => execute.call(undefined, input, client);
    const all = known.get(String(name)) ?? new Set();
    known.set(String(name), all.add(own));
    signal?.addEventListener('abort', () => all.delete(own), { once: true });
  };
  const prototype = Object.getPrototypeOf(context) as ModelContextLike;
  prototype.registerTool = new Proxy(prototype.registerTool, {
    apply(register, self, args: unknown[]) {
      const registered: unknown = Reflect.apply(register, self, args);
      try {
        remember(args[0], args[1]);
      } catch {
        // The browser has refused it as well.
      }
      return registered;
    },
  });
  tellRejections();
  return (name, input, signal) => {
    const [execute, another] = known.get(name) ?? [];
    // Of two, one was refused, and which is not ours to guess.
    if (!execute || another) return;
    return runTool(execute, input, signal, () => {
      const event = new Event('toolactivated');
      Object.defineProperty(event, 'toolName', { value: name });
      context.dispatchEvent(event);
    });
  };
}

/** A form's rejected answer, which the browser also keeps to itself. */
function tellRejections(): void {
  const submit = SubmitEvent.prototype as { respondWith?: (response: unknown) => void };
  if (!submit.respondWith) return;
  submit.respondWith = new Proxy(submit.respondWith, {
    apply(respond, event: SubmitEvent, args: unknown[]) {
      const tool = (event.target as Element | null)?.getAttribute?.('toolname') ?? '';
      Promise.resolve(args[0]).catch((error) =>
        fromPage({ op: 'threw', tool, said: thrownText(error) }),
      );
      return Reflect.apply(respond, event, args);
    },
  });
}
