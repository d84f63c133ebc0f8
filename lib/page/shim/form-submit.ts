import { SaidError } from '../surfaces/said-error';
import { resultText, thrownText } from '../surfaces/text';
import { domError } from './errors';

interface Agent {
  response?: Promise<unknown>;
}
/** Submit events that a tool caused, with what the page answered. */
const agents = new WeakMap<Event, Agent>();
const bad = (message: string) => domError('UnknownError', message);

/** `agentInvoked` and `respondWith`, where the browser has none; configurable, so it may overwrite. */
export function installSubmitEvent(): void {
  Object.defineProperty(SubmitEvent.prototype, 'agentInvoked', {
    configurable: true,
    enumerable: true,
    get(this: SubmitEvent) {
      return agents.has(this);
    },
  });
  Object.defineProperty(SubmitEvent.prototype, 'respondWith', {
    configurable: true,
    enumerable: true,
    writable: true,
    value(this: SubmitEvent, response: unknown) {
      const agent = agents.get(this);
      if (!agent)
        throw domError('InvalidStateError', 'respondWith() needs a submit event of an agent.');
      if (!this.defaultPrevented)
        throw domError('InvalidStateError', 'respondWith() must be called after preventDefault().');
      agent.response = Promise.resolve(response);
      // Awaited by whoever runs the tool; a late rejection must not surface as the page's own.
      agent.response.catch(() => {});
    },
  });
}

/**
 * Submits the filled form, or waits for the user to, and resolves with what the page answered:
 * `null` where the submission navigates.
 */
export function submitForm(
  form: HTMLFormElement,
  unchanged: () => boolean,
  signal: AbortSignal,
): Promise<string | null> {
  const button = Array.from(form.elements).find(
    (element): element is HTMLButtonElement =>
      /^(submit|image)$/.test((element as HTMLButtonElement).type) && !element.matches(':disabled'),
  );
  const auto = form.hasAttribute('toolautosubmit');
  const done = new AbortController();
  const until = { signal: AbortSignal.any([signal, done.signal]) };
  return new Promise<string | null>((resolve, reject) => {
    if (!auto && !button)
      throw bad(
        'No submit button was found, but for a form without `toolautosubmit`, there must be a submit button',
      );
    const submitted = async (event: Event) => {
      const response = agents.get(event)?.response;
      if (response)
        try {
          resolve(resultText(await response));
        } catch (error) {
          reject(new SaidError('respondWith promise was rejected', thrownText(error)));
        }
      else if (event.defaultPrevented)
        reject(
          bad(
            "The site has a programming error: it called preventDefault() on the 'submit' event, without also calling respondWith() with the tool result",
          ),
        );
      else resolve(null);
    };
    let seen: Event | undefined;
    addEventListener(
      'submit',
      (event) => {
        if (event.target !== form || seen) return;
        seen = event;
        agents.set(event, {});
        // After all of the page's listeners, wherever they are.
        if (!auto) setTimeout(submitted, 0, event);
      },
      { capture: true, ...until },
    );
    form.addEventListener(
      'reset',
      () => reject(bad('Tool execution cancelled by a form reset')),
      until,
    );
    const observer = new MutationObserver(() => {
      if (!unchanged()) reject(bad('Tool execution cancelled, since tool definition was updated'));
    });
    observer.observe(document, { childList: true, subtree: true, attributes: true });
    until.signal.addEventListener('abort', () => observer.disconnect());
    signal.addEventListener('abort', () => reject(signal.reason), { signal: done.signal });
    if (auto) {
      form.requestSubmit(button);
      if (seen) void submitted(seen);
      else resolve(null);
    } else button?.focus();
  }).finally(() => done.abort());
}
