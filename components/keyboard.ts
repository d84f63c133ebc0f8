/** What the keyboard does in a whole document, wherever the focus is. */
interface Keyboard {
  /** Where the focus goes when the control that had it goes away or is switched off. */
  home: () => HTMLElement | null;
  /** Where typed letters go while no field has the focus. */
  typing: () => HTMLElement | null;
  /** Escape was pressed and nothing nearer took it. */
  onEscape: () => void;
}

/**
 * Keeps the keyboard useful until the signal aborts: the focus is never lost with the control that had
 * it, letters typed beside the fields are typed into the composer, and Escape works from everywhere.
 */
export function followKeyboard(
  root: HTMLElement,
  { home, typing, onEscape }: Keyboard,
  signal: AbortSignal,
): void {
  const { ownerDocument } = root;
  /** Had the focus last; a press beside every control gives it up. */
  let last: HTMLElement | undefined;
  const isLost = () => {
    const at = ownerDocument.activeElement;
    return !at || at === ownerDocument.body || at === last;
  };
  const watcher = new MutationObserver(() => {
    if (!last || (last.isConnected && !last.matches(':disabled')) || !isLost()) return;
    last = undefined;
    home()?.focus();
  });
  watcher.observe(root, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
  signal.addEventListener('abort', () => watcher.disconnect(), { once: true });
  root.addEventListener(
    'focusin',
    ({ target }) => {
      if (target instanceof HTMLElement) last = target;
    },
    { signal },
  );
  ownerDocument.addEventListener(
    'pointerdown',
    () => {
      last = undefined;
    },
    { signal, capture: true },
  );
  ownerDocument.addEventListener(
    'keydown',
    (event) => {
      if (event.defaultPrevented || event.isComposing) return;
      const at = ownerDocument.activeElement;
      if (event.key === 'Escape') {
        // A search field with a word in it is emptied by it.
        if (!(at instanceof HTMLInputElement && at.type === 'search' && at.value !== ''))
          onEscape();
      } else if (isLetter(event) && !takesLetters(at)) {
        typing()?.focus();
      }
    },
    { signal },
  );
}

/** A key that writes something; the space bar presses buttons and scrolls. */
function isLetter(event: KeyboardEvent): boolean {
  const command = (event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph');
  return [...event.key].length === 1 && event.key !== ' ' && !event.metaKey && !command;
}

const takesLetters = (element: Element | null): boolean =>
  element?.matches('input, textarea, select, [contenteditable], [role=listbox]') === true;
