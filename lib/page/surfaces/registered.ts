import { fromPage } from '../channel';
import { formTools, withButtons } from '../shim/forms';
import { checkExposedTo, type Registered, readRegistration } from '../shim/registry';
import { type ModelContextLike, nativeSurface } from './native';
import { readTools } from './read';
import { runTool } from './run';
import { LINGER_MS, type Surface } from './surface';
import { thrownText } from './text';

/**
 * The tools that pages register with the browser, remembered as they do, so that listing and
 * calling need not ask the browser. `executeTool` of Chromium 156 keeps what a tool threw to itself,
 * crashes the tab over a Symbol and loses the result of a tool that navigates; and a `getTools` that
 * is under way while its document is left crashes the whole browser. What the page hands over and
 * gets back stays as it is.
 */
export function registeredSurface(context: ModelContextLike): Surface & { own(): Registered[] } {
  const live = new Map<string, Registered>();
  const remember = (tool: unknown, options: { signal?: AbortSignal; exposedTo?: unknown } = {}) => {
    const { signal, exposedTo } = options;
    const entry = readRegistration(tool, true);
    checkExposedTo(exposedTo, 'exposedTo');
    const { name } = entry;
    if (signal?.aborted || live.has(name) || !permitted()) return;
    live.set(name, entry);
    signal?.addEventListener('abort', () => {
      if (live.get(name) === entry) live.delete(name);
    });
  };
  const prototype = Object.getPrototypeOf(context) as ModelContextLike;
  prototype.registerTool = new Proxy(prototype.registerTool, {
    apply(register, self, args: unknown[]) {
      const registered: unknown = Reflect.apply(register, self, args);
      try {
        remember(args[0], args[1] as object | undefined);
      } catch {
        // The browser has refused it as well.
      }
      return registered;
    },
  });
  tellRejections();
  const forms = () => (permitted() ? formTools.list().filter(({ name }) => !live.has(name)) : []);
  return {
    own: () => [...live.values(), ...forms()],
    async list() {
      const tools = (from: Iterable<Registered>) =>
        Array.from(from, (tool) => ({ ...tool, inputSchema: tool.schema }));
      const declared = forms();
      return [
        ...readTools(tools(live.values()), 'native'),
        ...withButtons(readTools(tools(declared), 'form'), declared),
      ];
    },
    async call({ name }, args, signal) {
      const execute = live.get(name)?.execute;
      // A form: the browser alone can make its submission count as an agent's.
      if (!execute) return nativeSurface(context).call({ name }, args, signal);
      const started = () => {
        const event = new Event('toolactivated');
        Object.defineProperty(event, 'toolName', { value: name });
        context.dispatchEvent(event);
      };
      return runTool(execute, JSON.parse(args), signal, started, LINGER_MS);
    },
  };
}

/** What makes the browser refuse every registration of a document. */
function permitted(): boolean {
  const { featurePolicy } = document as {
    featurePolicy?: { allowsFeature(name: string): boolean; features(): string[] };
  };
  return (
    (window as { originAgentCluster?: boolean }).originAgentCluster !== false &&
    (!featurePolicy?.features().includes('tools') || featurePolicy.allowsFeature('tools'))
  );
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
