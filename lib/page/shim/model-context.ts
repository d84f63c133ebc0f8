import { runTool } from '../surfaces/run';
import { SaidError } from '../surfaces/said-error';
import { thrownText } from '../surfaces/text';
import { domError, transient, typeError } from './errors';
import { checkExposedTo, type Registered, readRegistration } from './registry';

/** Tools that come from somewhere else than `registerTool`: declarative forms. */
export interface FormTools {
  list(): Registered[];
  run(name: string, input: unknown, signal: AbortSignal): Promise<string | null>;
}

export interface ShimContext extends EventTarget {
  registerTool(tool: unknown, options?: object): Promise<undefined>;
  getTools(options?: object): Promise<object[]>;
  executeTool(tool: unknown, input?: unknown, options?: object): Promise<string | null>;
}

/** The registry of one document and the object its page sees. */
export interface Shim {
  context: ShimContext;
  tools: Map<string, Registered>;
  /** This document's tools, forms included. */
  own(): Registered[];
  /** Runs one of this document's tools; rejects with a `SaidError` that has the tool's own words. */
  run(name: string, input: unknown, signal?: AbortSignal): Promise<string | null>;
  changed(): void;
}

/** Asks another same-origin frame's shim for its own tools only, or it would ask back. */
const OWN_ONLY = Symbol.for('pagehand.own');

export function createShim(forms: FormTools, onChange: () => void): Shim {
  const tools = new Map<string, Registered>();
  let queued = false;

  const changed = () => {
    onChange();
    if (queued) return;
    queued = true;
    // One event for a burst: pages only learn that they should list again.
    queueMicrotask(() => {
      queued = false;
      fire('toolchange');
    });
  };

  const fire = (type: string, toolName?: string) => {
    const event = new Event(type);
    if (toolName !== undefined) Object.defineProperty(event, 'toolName', { value: toolName });
    context.dispatchEvent(event);
  };

  const remove = (name: string, tool: Registered) => {
    if (tools.get(name) !== tool) return;
    tools.delete(name);
    changed();
  };

  const run: Shim['run'] = async (name, input, signal = new AbortController().signal) => {
    const cancel = () => fire('toolcancel', name);
    signal.addEventListener('abort', cancel);
    const tool = tools.get(name);
    try {
      return await (tool
        ? runTool(tool.execute, input, signal, () => fire('toolactivated', name))
        : forms.run(name, input, signal));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };

  const own = () => [...tools.values(), ...forms.list().filter((form) => !tools.has(form.name))];

  class ModelContext extends EventTarget implements ShimContext {
    async registerTool(tool: unknown, options?: { signal?: AbortSignal; exposedTo?: unknown }) {
      if (!document.defaultView) throw domError('InvalidStateError', 'The document is not active.');
      const entry = readRegistration(tool);
      checkExposedTo(options?.exposedTo, 'exposedTo');
      const signal = options?.signal;
      signal?.throwIfAborted();
      if (own().some((other) => other.name === entry.name))
        throw domError('InvalidStateError', 'Duplicate tool name');
      tools.set(entry.name, entry);
      signal?.addEventListener('abort', () => remove(entry.name, entry), { once: true });
      changed();
      return undefined;
    }

    async getTools(options?: { fromOrigins?: unknown; [OWN_ONLY]?: boolean }) {
      checkExposedTo(options?.fromOrigins, 'fromOrigins');
      const mine = own().map((tool) => ({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        origin: location.protocol === 'file:' ? 'file://' : self.origin,
        window,
        ...(tool.schema && { inputSchema: JSON.parse(tool.schema) }),
        ...(tool.annotations && { annotations: { ...tool.annotations } }),
      }));
      if (options?.[OWN_ONLY]) return mine;
      const others = await Promise.all(
        sameOriginWindows().map((other) =>
          contextOf(other)
            ?.getTools({ [OWN_ONLY]: true })
            .then(
              (tools) => tools.filter((tool) => (tool as { window?: unknown }).window === other),
              () => [],
            ),
        ),
      );
      return mine
        .concat(...(others as (typeof mine)[]).filter(Boolean))
        .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    }

    async executeTool(tool: unknown, input: unknown = {}, options?: { signal?: AbortSignal }) {
      const asked = tool as { name?: unknown; window?: Window; source?: Window } | null;
      if (!asked || typeof asked !== 'object' || typeof asked.name !== 'string')
        throw typeError('executeTool', "The provided value is not of type 'RegisteredTool'.");
      const signal = options?.signal;
      signal?.throwIfAborted();
      const target = asked.source ?? asked.window ?? window;
      if (target !== window) {
        const other = sameOriginWindows().includes(target) ? contextOf(target) : undefined;
        if (!other) throw domError('InvalidStateError', 'Target frame is detached.');
        return other.executeTool(tool, input, options);
      }
      const copy = copyInput(input);
      if (!own().some((known) => known.name === asked.name)) throw transient();
      try {
        return await run(asked.name, copy, signal);
      } catch (error) {
        throw error instanceof SaidError ? domError('UnknownError', error.message) : error;
      }
    }

    // The surface of 2026's first half, which pages still feature-test.
    provideContext(given?: { tools?: Iterable<unknown> }) {
      this.clearContext();
      for (const tool of given?.tools ?? []) void this.registerTool(tool).catch(report);
    }
    clearContext() {
      for (const [name, tool] of tools) remove(name, tool);
    }
    unregisterTool(name: string) {
      const tool = tools.get(String(name));
      if (tool) remove(String(name), tool);
    }
  }
  for (const type of ['toolchange', 'toolactivated', 'toolcancel'])
    handlerAttribute(ModelContext.prototype, type);

  const context = new ModelContext();
  return { context, tools, own, run, changed };
}

function report(error: unknown): void {
  reportError(error);
}

function copyInput(input: unknown): unknown {
  let text: string | undefined;
  // Callers written for Chrome until 154 pass JSON text.
  if (typeof input === 'string') text = input;
  else if (typeof input !== 'object' || !input)
    throw typeError('executeTool', 'invalid input object: value is not an object');
  else
    try {
      text = JSON.stringify(input);
    } catch (error) {
      throw typeError('executeTool', `invalid input object: ${thrownText(error)}`);
    }
  try {
    const copy: unknown = JSON.parse(text);
    if (typeof copy === 'object' && copy) return copy;
  } catch {}
  throw domError('UnknownError', 'Failed to parse input arguments');
}

function sameOriginWindows(): Window[] {
  const found: Window[] = [];
  const visit = (frame: Window) => {
    try {
      if (frame !== window && frame.document) found.push(frame);
    } catch {
      // Another origin; its children may still be ours.
    }
    for (let i = 0; i < Math.min(frame.length, 100) && found.length < 100; i++)
      visit(frame[i] as Window);
  };
  visit(window.top ?? window);
  return found;
}

function contextOf(frame: Window): ShimContext | undefined {
  try {
    return (frame.document as { modelContext?: ShimContext }).modelContext;
  } catch {
    return;
  }
}

/** `ontoolchange` and the like, which EventTarget does not bring by itself. */
function handlerAttribute(prototype: EventTarget, type: string): void {
  const handlers = new WeakMap<EventTarget, { call: EventListener; set: unknown }>();
  Object.defineProperty(prototype, `on${type}`, {
    configurable: true,
    enumerable: true,
    get(this: EventTarget) {
      return handlers.get(this)?.set ?? null;
    },
    set(this: EventTarget, handler: unknown) {
      const old = handlers.get(this);
      if (old) this.removeEventListener(type, old.call);
      handlers.delete(this);
      if (typeof handler !== 'function') return;
      const call: EventListener = (event) => handler.call(this, event);
      handlers.set(this, { call, set: handler });
      this.addEventListener(type, call);
    },
  });
}
