import { domError } from './errors';
import type { Control, Field } from './form-schema';

const bad = (message: string) => domError('UnknownError', message);

/**
 * Puts the arguments into the form's controls, checking them with the words Chrome uses. Fields
 * without an argument keep what they hold.
 */
export function fillForm(fields: Map<string, Field>, input: unknown): void {
  if (typeof input !== 'object' || !input || Array.isArray(input))
    throw bad('JSON input arguments must be an object');
  const jobs: (() => void)[] = [];
  for (const [name, value] of Object.entries(input)) {
    const field = fields.get(name);
    if (!field)
      throw bad(`Input contains a parameter "${name}" but there is no such parameter for the tool`);
    jobs.push(prepare(name, field, value));
  }
  for (const job of jobs) job();
}

/** Chrome's message after its own validation of the filled form, or `undefined` where it passes. */
export function validationFailure(form: HTMLFormElement): DOMException | undefined {
  if (form.noValidate || form.checkValidity()) return;
  const wrong = Array.from(form.elements as HTMLCollectionOf<HTMLInputElement>)
    .filter((control) => control.willValidate && !control.validity.valid)
    .map((control) => `${control.name}: ${control.validationMessage}. `);
  return bad(`Form validation failed: ${wrong.join('')}`);
}

function prepare(name: string, field: Field, value: unknown): () => void {
  const invalid = () =>
    bad(
      typeof value === 'object'
        ? `Invalid value for parameter ${name}`
        : `Invalid value ${JSON.stringify(String(value))} for parameter ${name}`,
    );
  const [control] = field.controls;
  if (!control) throw invalid();
  switch (field.kind) {
    case 'boolean': {
      if (value !== true && value !== false && value !== 'true' && value !== 'false')
        throw invalid();
      return () => setChecked(control as HTMLInputElement, String(value) === 'true');
    }
    case 'one': {
      const text = scalar(value, invalid);
      if (control instanceof HTMLSelectElement) {
        const index = Array.from(control.options).findIndex((option) => option.value === text);
        if (index < 0) throw invalid();
        return () =>
          change(control, () => {
            control.selectedIndex = index;
          });
      }
      const picked = field.controls.find((radio) => radio.value === text);
      if (!picked) throw invalid();
      return () => setChecked(picked as HTMLInputElement, true);
    }
    case 'many': {
      if (!Array.isArray(value)) throw invalid();
      const wanted = new Set(value.map((item) => scalar(item, invalid)));
      const options =
        control instanceof HTMLSelectElement
          ? Array.from(control.options)
          : (field.controls as HTMLInputElement[]);
      for (const text of wanted)
        if (!options.some((option) => option.value === text)) throw invalid();
      return () => {
        if (control instanceof HTMLSelectElement)
          change(control, () => {
            for (const option of Array.from(control.options))
              option.selected = wanted.has(option.value);
          });
        else
          for (const box of field.controls)
            setChecked(box as HTMLInputElement, wanted.has(box.value));
      };
    }
    default: {
      const text = scalar(value, invalid);
      const probe = control.cloneNode() as HTMLInputElement;
      setValue(probe, text);
      // The browser empties what a number, date or colour field cannot hold.
      if (text && control.tagName === 'INPUT' && !probe.value) throw invalid();
      return () => change(control, () => setValue(control as HTMLInputElement, text));
    }
  }
}

function scalar(value: unknown, invalid: () => Error): string {
  if (value === null || typeof value === 'object' || value === undefined) throw invalid();
  return String(value);
}

/** By the prototype's setter: frameworks put setters of their own on the element and miss nothing. */
function setValue(control: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const prototype =
    control.tagName === 'TEXTAREA' ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, text);
}

function setChecked(control: HTMLInputElement, checked: boolean): void {
  // A click is what frameworks listen for on checkboxes and radio buttons.
  if (control.checked !== checked) control.click();
}

/** Changes a control and announces it, unless it holds what it held. */
function change(control: Control, set: () => void): void {
  const held = () =>
    control instanceof HTMLSelectElement
      ? Array.from(control.options, ({ selected }) => selected).join()
      : control.value;
  const before = held();
  set();
  if (held() === before) return;
  control.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  control.dispatchEvent(new Event('change', { bubbles: true }));
}
