import { FORM_MUTATIONS } from './form-mutations';
import { installSubmitEvent } from './form-submit';
import { formTools } from './forms';
import { createShim, type Shim, type ShimContext } from './model-context';
import { paced } from './paced';

/**
 * Provides WebMCP where the browser has none: on the prototypes, as configurable accessors. There
 * an origin-trial token that arrives later lets the browser put its own in place of ours; an own
 * property of `document` would shadow it for ever.
 */
export function installShim(onChange: () => void): Shim {
  const shim = createShim(formTools, onChange);
  // Documents that were made by a script have a context of their own, which refuses everything.
  const inert = new WeakMap<object, ShimContext>();
  const contextOf = (holder: unknown): ShimContext => {
    if (holder === document || holder === navigator) return shim.context;
    if (!(holder instanceof Document)) throw new TypeError('Illegal invocation');
    const context = inert.get(holder) ?? shim.inert();
    inert.set(holder, context);
    return context;
  };
  for (const prototype of [Document.prototype, Navigator.prototype])
    Object.defineProperty(prototype, 'modelContext', {
      configurable: true,
      enumerable: true,
      get(this: unknown) {
        return contextOf(this);
      },
    });
  installSubmitEvent();
  return shim;
}

/** One observer for all: form tools that come, go or change, and whatever else `also` watches for. */
export function watchDocument(shim: Shim, also: (stop: () => void) => void): void {
  let before = '[]';
  const compare = paced(() => {
    const now = JSON.stringify(formTools.list());
    if (now === before) return;
    before = now;
    shim.changed();
  });
  const observer = new MutationObserver(() => {
    also(() => observer.disconnect());
    if (before !== '[]' || document.forms.length) compare();
  });
  observer.observe(document, FORM_MUTATIONS);
}
