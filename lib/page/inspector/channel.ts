/**
 * DOM events between the inspector in the page and its isolated half. The page can read and forge
 * them: out of it come texts that a panel checks and shows, and into it nothing but three words.
 */
const INTO_PAGE = 'pagehand-inspect-in';
const OUT_OF_PAGE = 'pagehand-inspect-out';

export type IntoPage =
  /** Somebody listens from now on. */
  | 'on'
  /** Nobody does any more: give way. */
  | 'off'
  /** Changes nothing; that it is heard says that an inspector is there. */
  | 'there';
/** What a frame of the same origin says before it calls a tool of this one. */
const CLAIM = 'call ';

/** False when nobody is there to hear it. */
export const intoPage = (word: IntoPage) => !send(INTO_PAGE, word);
export const claimIn = (frame: Window, tool: string) => send(INTO_PAGE, CLAIM + tool, frame);
/** Whoever listens already says `on` again. */
const LISTENER = 'who listens';
export const askForListener = () => outOfPage(LISTENER);
export const outOfPage = (text: string) => void send(OUT_OF_PAGE, text);

function send(type: string, detail: string, to: Window = window): boolean {
  const { CustomEvent } = to as Window & typeof globalThis;
  return to.dispatchEvent(new CustomEvent(type, { detail, cancelable: true }));
}

export function onIntoPage(
  heard: (word: IntoPage) => void,
  claimed: (tool: string) => void,
  signal: AbortSignal,
): void {
  listen(
    INTO_PAGE,
    (text) => {
      if (text.startsWith(CLAIM)) claimed(text.slice(CLAIM.length, CLAIM.length + 128));
      else heard(text as IntoPage);
    },
    signal,
  );
}

export const onOutOfPage = (
  heard: (text: string) => void,
  asked: () => void,
  signal: AbortSignal,
) => listen(OUT_OF_PAGE, (text) => (text === LISTENER ? asked() : heard(text)), signal);

function listen(type: string, heard: (text: string) => void, signal: AbortSignal): void {
  addEventListener(
    type,
    (event) => {
      event.preventDefault();
      const { detail } = event as CustomEvent<unknown>;
      if (typeof detail === 'string') heard(detail);
    },
    { signal },
  );
}
