export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Json = Record<string, unknown>;

/** One argument of a form tool: the controls that share a name, and what they accept together. */
export interface Field {
  kind: 'text' | 'number' | 'boolean' | 'one' | 'many';
  controls: Control[];
  schema: Json;
  required: boolean;
}

const NOT_FILLABLE = /^(hidden|file|submit|button|image|reset)$/;
/** Chrome puts these where JSON Schema has format names. */
const FORMATS: Record<string, string> = {
  time: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  'datetime-local': '^[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]$',
  month: '^[0-9]{4}-(0[1-9]|1[0-2])$',
  week: '^[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])$',
  color: '^#[0-9a-zA-Z]{6}$',
};

/** The first label of each control. */
export type Labels = ReadonlyMap<Element, HTMLLabelElement>;

/**
 * One pass over the labels of the document: `control.labels` walks it anew for each control after
 * every change.
 */
export function findLabels(): Labels {
  const found = new Map<Element, HTMLLabelElement>();
  for (const label of Array.from(document.querySelectorAll('label'))) {
    const { control } = label;
    if (control && !found.has(control)) found.set(control, label);
  }
  return found;
}

/** The arguments of a declarative form, by name, as Chrome 156 derives them. */
export function formFields(form: HTMLFormElement, labels: Labels): Map<string, Field> {
  const groups = new Map<string, Control[]>();
  for (const element of Array.from(form.elements)) {
    if (!isFillable(element)) continue;
    const group = groups.get(element.name);
    if (group) group.push(element);
    else groups.set(element.name, [element]);
  }
  const fields = new Map<string, Field>();
  for (const [name, controls] of groups) {
    const field = fieldOf(controls, labels);
    if (field) fields.set(name, field);
  }
  return fields;
}

export function formSchema(fields: Map<string, Field>): Json {
  return {
    type: 'object',
    properties: Object.fromEntries(Array.from(fields, ([name, { schema }]) => [name, schema])),
    required: Array.from(fields)
      .filter(([, field]) => field.required)
      .map(([name]) => name),
  };
}

function isFillable(element: Element): element is Control {
  const control = element as HTMLInputElement;
  return (
    /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) &&
    !!control.name &&
    !NOT_FILLABLE.test(control.type) &&
    !control.readOnly &&
    !control.matches(':disabled')
  );
}

function fieldOf(controls: Control[], labels: Labels): Field | undefined {
  const [first] = controls as [Control];
  if (controls.some((control) => control.type !== first.type)) return;
  const required = controls.some((control) => control.required);
  const described = (schema: Json): Json => {
    const description = descriptionOf(controls, labels);
    return description ? { ...schema, description } : schema;
  };
  const choice = (options: { value: string; title: string }[]) => ({
    type: 'string',
    anyOf: options.map(({ value, title }) => ({
      type: 'string',
      const: value,
      ...(title && { title }),
    })),
    enum: options.map(({ value }) => value),
  });
  const many = (options: { value: string; title: string }[]) => ({
    type: 'array',
    items: choice(options),
    uniqueItems: true,
  });
  if (first.type === 'radio' || (first.type === 'checkbox' && controls.length > 1)) {
    const options = controls.map((control) => ({
      value: control.value,
      title: labelOf(control, labels),
    }));
    return first.type === 'radio'
      ? { kind: 'one', controls, required, schema: described(choice(options)) }
      : { kind: 'many', controls, required, schema: described(many(options)) };
  }
  if (controls.length > 1) return;
  if (first instanceof HTMLSelectElement) {
    const options = Array.from(first.options, ({ value, text }) => ({ value, title: text }));
    return first.multiple
      ? { kind: 'many', controls, required, schema: described(many(options)) }
      : { kind: 'one', controls, required, schema: described(choice(options)) };
  }
  if (first.type === 'checkbox')
    return { kind: 'boolean', controls, required, schema: described({ type: 'boolean' }) };
  const input = first as HTMLInputElement;
  if (first.type === 'number' || first.type === 'range')
    return { kind: 'number', controls, required, schema: described(numberSchema(input)) };
  const schema: Json = { type: 'string' };
  if (input.pattern) schema['pattern'] = input.pattern;
  if (first.type === 'date') {
    schema['format'] = 'date';
    const dates = "Dates MUST be provided in 'YYYY-MM-DD' format.";
    const own = descriptionOf(controls, labels);
    schema['description'] = own ? `${own} (${dates})` : dates;
    return { kind: 'text', controls, required, schema };
  }
  const format = FORMATS[first.type];
  if (format) schema['format'] = format;
  return { kind: 'text', controls, required, schema: described(schema) };
}

function numberSchema(input: HTMLInputElement): Json {
  const schema: Json = { type: 'number' };
  const attribute = (name: string) => {
    const value = Number.parseFloat(input.getAttribute(name) ?? '');
    return Number.isFinite(value) ? value : undefined;
  };
  const range = input.type === 'range';
  const minimum = attribute('min') ?? (range ? 0 : undefined);
  const maximum = attribute('max') ?? (range ? 100 : undefined);
  if (minimum !== undefined) schema['minimum'] = minimum;
  if (maximum !== undefined) schema['maximum'] = maximum;
  if (input.step !== 'any') {
    const step = Number.parseFloat(input.step);
    const multipleOf = step > 0 ? step : 1;
    // Steps count from the minimum, which multipleOf cannot say unless it is a multiple itself.
    if (((minimum ?? 0) / multipleOf) % 1 === 0) schema['multipleOf'] = multipleOf;
  }
  return schema;
}

function descriptionOf(controls: Control[], labels: Labels): string {
  const given = controls.find((control) => control.hasAttribute('toolparamdescription'));
  if (given) return given.getAttribute('toolparamdescription') ?? '';
  const [only] = controls as [Control];
  const label = controls.length === 1 && only.type !== 'radio' ? labelOf(only, labels) : '';
  return label || only.getAttribute('aria-description') || '';
}

function labelOf(control: Control, labels: Labels): string {
  const label = labels.get(control);
  if (!label) return '';
  const copy = label.cloneNode(true) as HTMLElement;
  for (const inner of Array.from(copy.querySelectorAll('input,select,textarea,button')))
    inner.remove();
  return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
}
