import { installSubmitEvent } from './form-submit';
import { FORM_ATTRIBUTES, formTools } from './forms';
import { createShim, type Shim } from './model-context';

/**
 * Provides WebMCP where the browser has none: on the prototypes, as configurable accessors. There
 * an origin-trial token that arrives later lets the browser put its own in place of ours; an own
 * property of `document` would shadow it for ever.
 */
export function installShim(onChange: () => void): Shim {
  const shim = createShim(formTools, onChange);
  for (const prototype of [Document.prototype, Navigator.prototype])
    Object.defineProperty(prototype, 'modelContext', {
      configurable: true,
      enumerable: true,
      get(this: unknown) {
        return this === document || this === navigator ? shim.context : undefined;
      },
    });
  installSubmitEvent();
  return shim;
}

/** One observer for all: form tools that come, go or change, and whatever else `also` watches for. */
export function watchDocument(shim: Shim, also: (stop: () => void) => void): void {
  let before = '[]';
  let timer = 0;
  const compare = () => {
    timer = 0;
    const now = JSON.stringify(formTools.list());
    if (now === before) return;
    before = now;
    shim.changed();
  };
  const observer = new MutationObserver(() => {
    also(() => observer.disconnect());
    if (!timer && (before !== '[]' || document.forms.length))
      timer = setTimeout(compare, 50) as unknown as number;
  });
  observer.observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: FORM_ATTRIBUTES,
  });
}
