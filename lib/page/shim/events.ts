/** The browser's events about a call, for pages that ask what an event is an instance of. */
function toolEvent(interfaceName: string) {
  class ToolEvent extends Event {
    readonly #toolName: string;
    constructor(type: string, init: EventInit & { toolName?: string } = {}) {
      super(type, init);
      this.#toolName = init.toolName ?? '';
    }
    get toolName() {
      return this.#toolName;
    }
  }
  return publishInterface(interfaceName, ToolEvent);
}

export const defineToolEvents = () => ({
  activated: toolEvent('ToolActivatedEvent'),
  cancelled: toolEvent('ToolCancelEvent'),
});

/** Puts a class where WebIDL has an interface: a global of its name, its members enumerable. */
export function publishInterface<T extends { prototype: object }>(
  name: string,
  given: T,
  members: readonly string[] = ['toolName'],
): T {
  const hidden = { configurable: true, enumerable: false };
  const { prototype } = given;
  Object.defineProperty(given, 'name', { ...hidden, value: name });
  Object.defineProperty(prototype, Symbol.toStringTag, { ...hidden, value: name });
  Object.defineProperty(window, name, { ...hidden, writable: true, value: given });
  for (const member of members) Object.defineProperty(prototype, member, { enumerable: true });
  return given;
}

/** `ontoolchange` and the like, which EventTarget does not bring by itself. */
export function handlerAttribute(prototype: EventTarget, type: string): void {
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
