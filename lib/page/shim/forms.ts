import { transient } from './errors';
import { fillForm, validationFailure } from './form-fill';
import { formFields, formSchema } from './form-schema';
import { submitForm } from './form-submit';
import type { FormTools } from './model-context';
import type { Registered } from './registry';

/** Attributes whose change alone changes which tools the forms of a document are. */
export const FORM_ATTRIBUTES = ['toolname', 'tooldescription', 'tooltitle', 'toolparamdescription'];

/** The declarative form tools of this document, read fresh from the DOM each time. */
export const formTools: FormTools = {
  list: () => Array.from(toolForms().values(), describe),
  async run(name, input, signal) {
    const form = toolForms().get(name);
    if (!form) throw transient();
    const before = JSON.stringify(describe(form));
    fillForm(formFields(form), input);
    if (form.hasAttribute('toolautosubmit')) {
      const failure = validationFailure(form);
      if (failure) throw failure;
    }
    return submitForm(
      form,
      () => form.isConnected && JSON.stringify(describe(form)) === before,
      signal,
    );
  },
};

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

function describe(form: HTMLFormElement): Registered {
  return {
    name: form.getAttribute('toolname') ?? '',
    title: form.getAttribute('tooltitle') ?? '',
    description: form.getAttribute('tooldescription') ?? '',
    schema: JSON.stringify(formSchema(formFields(form))),
    execute: () => undefined,
  };
}
