import type { RawTool } from '../wire';
import { transient } from './errors';
import { fillForm, validationFailure } from './form-fill';
import { findLabels, formFields, formSchema, type Labels } from './form-schema';
import { submitButtons, submitForm } from './form-submit';
import type { FormTools } from './model-context';
import type { Registered } from './registry';

/** The declarative form tools of this document, read fresh from the DOM each time. */
export const formTools: FormTools = {
  list: () => {
    const labels = findLabels();
    return Array.from(toolForms().values(), (form) => describe(form, labels));
  },
  async run(name, input, signal, filled) {
    const form = toolForms().get(name);
    if (!form) throw transient();
    const text = () => JSON.stringify(describe(form, findLabels()));
    const before = text();
    fillForm(formFields(form, findLabels()), input);
    filled();
    if (form.hasAttribute('toolautosubmit')) {
      const failure = validationFailure(form);
      if (failure) throw failure;
    }
    return submitForm(form, () => form.isConnected && text() === before, signal);
  },
};

/** Adds to the tools as they are listed how the forms among them are sent. */
export function withButtons(read: RawTool[], own: readonly Registered[]): RawTool[] {
  const forms = new Map(own.map(({ name, form }) => [name, form]));
  return read.map((tool) => {
    const form = forms.get(tool.name);
    return form ? { ...tool, form } : tool;
  });
}

function toolForms(): Map<string, HTMLFormElement> {
  const found = new Map<string, HTMLFormElement>();
  for (const form of Array.from(
    document.querySelectorAll<HTMLFormElement>('form[toolname][tooldescription]'),
  )) {
    const name = form.getAttribute('toolname') ?? '';
    if (/^[\w.-]{1,128}$/.test(name) && !found.has(name)) found.set(name, form);
  }
  return found;
}

function describe(form: HTMLFormElement, labels: Labels): Registered {
  return {
    form: {
      waits: !form.hasAttribute('toolautosubmit'),
      buttons: submitButtons(form).slice(0, 9).map(buttonText),
    },
    name: form.getAttribute('toolname') ?? '',
    title: form.getAttribute('tooltitle') ?? '',
    description: form.getAttribute('tooldescription') ?? '',
    schema: JSON.stringify(formSchema(formFields(form, labels))),
    execute: () => undefined,
  };
}

/** As the person sees it; the browser has words of its own for a button without any. */
function buttonText({ tagName, textContent, value, ariaLabel }: HTMLButtonElement): string {
  const text = tagName === 'BUTTON' ? textContent : value;
  return (text || ariaLabel || '').replace(/\s+/g, ' ').trim().slice(0, 80);
}
