/** The other documents of this tab that this one may look into, at most 100. */
export function sameOriginWindows(): Window[] {
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

/**
 * Whether an embedder keeps this document from offering tools, as far as a script can see: what an
 * iframe of the same origin says in `allow`. The rest of the permissions policy (its header, and what
 * pages of other origins delegate) is judged by the extension, which does not list such tools.
 */
export function isForbidden(): boolean {
  try {
    for (let at: Window = window; at.frameElement; at = at.parent) {
      const allow = at.frameElement.getAttribute('allow') ?? '';
      if (/(?:^|;)\s*tools\s+'none'\s*(?:;|$)/.test(allow)) return true;
    }
  } catch {
    // An embedder of another origin.
  }
  return false;
}
