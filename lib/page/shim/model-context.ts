import { runTool } from '../surfaces/run';
import { SaidError } from '../surfaces/said-error';
import { thrownText } from '../surfaces/text';
import { domError, inactive, missing, transient, typeError } from './errors';
import { defineToolEvents, handlerAttribute, publishInterface } from './events';
import { isForbidden, sameOriginWindows } from './frames';
import { checkExposedTo, type Registered, readRegistration } from './registry';

/** Tools that come from somewhere else than `registerTool`: declarative forms. */
export interface FormTools {
  list(): Registered[];
  /** `filled`: the form has its arguments, and is about to be sent. */
  run(
    name: string,
    input: unknown,
    signal: AbortSignal,
    filled: () => void,
  ): Promise<string | null>;
}

export interface ShimContext extends EventTarget {
  registerTool(tool: unknown, options?: object): Promise<undefined>;
  getTools(options?: object): Promise<object[]>;
  executeTool(tool: unknown, input?: unknown, options?: object): Promise<string | null>;
}

/** The registry of one document and the object its page sees. */
export interface Shim {
  context: ShimContext;
  /** What a document without a window has in its place: an object that refuses everything. */
  inert(): ShimContext;
  tools: Map<string, Registered>;
  /** This document's tools, forms included. */
  own(): Registered[];
  /**
   * Runs one of this document's tools; rejects with a `SaidError` that has the tool's own words. After an
   * abort what the tool still answers within `linger` milliseconds counts.
   */
  run(name: string, input: unknown, signal?: AbortSignal, linger?: number): Promise<string | null>;
  changed(): void;
}

/** Marks our contexts to each other, and asks for a frame's own tools only, or it would ask back. */
const OWN_ONLY = Symbol.for('pagehand.own');

const ownOrigin = () => (location.protocol === 'file:' ? 'file://' : self.origin);

export function createShim(forms: FormTools, onChange: () => void): Shim {
  const tools = new Map<string, Registered>();
  const events = defineToolEvents();
  let queued = false;

  const changed = () => {
    onChange();
    if (queued) return;
    queued = true;
    // One event for a burst: pages only learn that they should list again.
    queueMicrotask(() => {
      queued = false;
      context.dispatchEvent(new Event('toolchange'));
      for (const other of sameOriginWindows()) {
        const theirs = contextOf(other);
        if (theirs)
          theirs.dispatchEvent(new (other as typeof globalThis & Window).Event('toolchange'));
      }
    });
  };

  const remove = (name: string, tool: Registered) => {
    if (tools.get(name) !== tool) return;
    tools.delete(name);
    changed();
  };

  const run: Shim['run'] = async (
    name,
    input,
    signal = new AbortController().signal,
    linger = 0,
  ) => {
    const activated = () =>
      void context.dispatchEvent(new events.activated('toolactivated', { toolName: name }));
    const cancelled = () =>
      void context.dispatchEvent(new events.cancelled('toolcancel', { toolName: name }));
    // The caller hears of it first, then the tool, then the page.
    const cancel = () => void setTimeout(cancelled);
    const tool = tools.get(name);
    const running = tool
      ? runTool(tool.execute, input, signal, activated, linger)
      : forms.run(name, input, signal, activated);
    signal.addEventListener('abort', cancel);
    try {
      return await running;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };

  const own = () =>
    isForbidden()
      ? []
      : [...tools.values(), ...forms.list().filter((form) => !tools.has(form.name))];

  const key = Symbol();
  class ModelContext extends EventTarget implements ShimContext {
    readonly #live: boolean;
    constructor(given: symbol, live: boolean) {
      if (given !== key) throw new TypeError('Illegal constructor');
      super();
      this.#live = live;
    }

    get [OWN_ONLY]() {
      return true;
    }

    #check() {
      if (!this.#live || !document.defaultView) throw inactive;
      if (isForbidden())
        throw domError(
          'NotAllowedError',
          'Access to the feature "tools" is disallowed by permissions policy.',
        );
    }

    async registerTool(tool: unknown, options: { signal?: AbortSignal; exposedTo?: unknown } = {}) {
      this.#check();
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

    async getTools(options: { fromOrigins?: unknown; [OWN_ONLY]?: boolean } = {}) {
      this.#check();
      checkExposedTo(options?.fromOrigins, 'fromOrigins');
      const mine = own().map((tool) => ({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        origin: ownOrigin(),
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
      this.#check();
      const { name, origin, target } = readAsked(tool);
      const copy = copyInput(input);
      const signal = options?.signal;
      signal?.throwIfAborted();
      if (origin !== ownOrigin()) throw transient();
      if (target !== window) return executeIn(target, tool, copy, options);
      if (!own().some((known) => known.name === name)) throw transient();
      try {
        return await run(name, copy, signal);
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
    unregisterTool(given: unknown) {
      const name = String((given as { name?: unknown } | null)?.name ?? given);
      const tool = tools.get(name);
      if (tool) remove(name, tool);
    }
  }
  publishInterface('ModelContext', ModelContext, ['registerTool', 'getTools', 'executeTool']);
  for (const type of ['toolchange', 'toolactivated', 'toolcancel'])
    handlerAttribute(ModelContext.prototype, type);

  const context = new ModelContext(key, true);
  return { context, inert: () => new ModelContext(key, false), tools, own, run, changed };
}

function report(error: unknown): void {
  reportError(error);
}

/** Reads what a caller names the tool by: a dictionary, whose required members have to be there. */
function readAsked(tool: unknown): { name: string; origin: string; target: Window } {
  if (!tool || typeof tool !== 'object')
    throw typeError('executeTool', "The provided value is not of type 'RegisteredTool'.");
  const given = tool as Record<string, unknown>;
  const required = (member: string, value = given[member]) => {
    if (value === undefined) throw missing('executeTool', member, 'RegisteredTool');
    return value;
  };
  required('description');
  return {
    name: String(required('name')),
    origin: String(required('origin')),
    // Chrome 160 renames it.
    target: required('window', given['source'] ?? given['window']) as Window,
  };
}

/** Has another frame's context run its tool; rejects when the frame goes before it has answered. */
async function executeIn(
  target: Window,
  tool: unknown,
  input: object,
  options?: object,
): Promise<string | null> {
  const other = sameOriginWindows().includes(target) ? contextOf(target) : undefined;
  if (!other) throw domError('InvalidStateError', 'Target frame is detached.');
  const done = new AbortController();
  const gone = new Promise<never>((_, reject) => {
    const left = () => reject(transient());
    target.addEventListener('pagehide', left, { signal: done.signal });
  });
  try {
    return await Promise.race([other.executeTool(tool, input, options), gone]);
  } finally {
    done.abort();
  }
}

function copyInput(input: unknown): object {
  const refuse = (why: string) => typeError('executeTool', `invalid input object: ${why}`);
  let text: string | undefined;
  // Callers written for Chrome until 154 pass JSON text.
  if (typeof input === 'string') text = input;
  else if (typeof input !== 'object' || !input) throw refuse('value is not an object');
  else
    try {
      text = JSON.stringify(input);
    } catch (error) {
      throw refuse(thrownText(error));
    }
  try {
    const copy: unknown = JSON.parse(text);
    if (typeof copy === 'object' && copy) return copy;
  } catch {}
  if (typeof input === 'string') throw refuse('value is not an object');
  throw domError('UnknownError', 'Failed to parse input arguments');
}

/** The context of another frame, where it is one of ours, whatever its page has put over it. */
function contextOf(frame: Window): ShimContext | undefined {
  try {
    const { prototype } = (frame as Window & typeof globalThis).Document;
    const context = Reflect.get(prototype, 'modelContext', frame.document) as ShimContext;
    return OWN_ONLY in context ? context : undefined;
  } catch {
    return;
  }
}
