import { SaidError } from '../surfaces/said-error';
import { resultText, thrownText } from '../surfaces/text';
import { domError } from './errors';
import { FORM_MUTATIONS } from './form-mutations';
import { paced } from './paced';

interface Agent {
  response?: Promise<unknown>;
}
/** Forms that a tool is submitting, with what to do when their page calls `submit()` itself. */
const submitting = new WeakMap<object, () => void>();
/** Submit events that a tool caused, with what the page answered. */
const agents = new WeakMap<Event, Agent>();
const bad = (message: string) => domError('UnknownError', message);

/** `agentInvoked` and `respondWith`, where the browser has none; configurable, so it may overwrite. */
export function installSubmitEvent(): void {
  const { prototype } = HTMLFormElement;
  prototype.submit = new Proxy(prototype.submit, {
    apply(submit, form: HTMLFormElement, args) {
      Reflect.apply(submit, form, args);
      submitting.get(form)?.();
    },
  });
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
  const button = submitButtons(form)[0];
  const auto = form.hasAttribute('toolautosubmit');
  const done = new AbortController();
  const until = { signal: AbortSignal.any([signal, done.signal]) };
  return new Promise<string | null>((resolve, reject) => {
    if (!auto && !button)
      throw bad(
        'No submit button was found, but for a form without `toolautosubmit`, there must be a submit button',
      );
    let seen: Event | undefined;
    let direct = false;
    submitting.set(form, () => {
      direct = true;
    });
    const answered = async (event: Event) => {
      const response = agents.get(event)?.response;
      if (response)
        try {
          resolve(resultText(await response));
        } catch (error) {
          reject(new SaidError('respondWith promise was rejected', thrownText(error)));
        }
      // A handler that checks the form and then sends it by itself.
      else if (event.defaultPrevented && !direct)
        reject(
          bad(
            "The site has a programming error: it called preventDefault() on the 'submit' event, without also calling respondWith() with the tool result",
          ),
        );
      else resolve(null);
    };
    addEventListener(
      'submit',
      (event) => {
        if (event.target !== form || seen) return;
        seen = event;
        agents.set(event, {});
        // After all of the page's listeners, wherever they are.
        if (!auto) setTimeout(answered, 0, event);
      },
      { capture: true, ...until },
    );
    form.addEventListener(
      'reset',
      () => reject(bad('Tool execution cancelled by a form reset')),
      until,
    );
    const look = paced(() => {
      // Once the page has taken the answer on itself, it may put anything in the form's place.
      if (!(seen && agents.get(seen)?.response) && !unchanged())
        reject(bad('Tool execution cancelled, since tool definition was updated'));
    });
    const observer = new MutationObserver(look);
    observer.observe(document, FORM_MUTATIONS);
    until.signal.addEventListener('abort', () => observer.disconnect());
    signal.addEventListener('abort', () => reject(signal.reason), { signal: done.signal });
    if (auto) {
      form.requestSubmit(button);
      if (seen) void answered(seen);
      else resolve(null);
    } else button?.focus();
  }).finally(() => {
    done.abort();
    submitting.delete(form);
  });
}

/** In order; a tool takes the first, as the browser does. */
export function submitButtons(form: HTMLFormElement): HTMLButtonElement[] {
  return Array.from(form.elements).filter(
    (element): element is HTMLButtonElement =>
      /^(submit|image)$/.test((element as HTMLButtonElement).type) && !element.matches(':disabled'),
  );
}
