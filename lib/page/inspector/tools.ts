import { FORM_MUTATIONS } from '../shim/form-mutations';
import { formTools } from '../shim/forms';
import { type Registered, readRegistration } from '../shim/registry';
import type { Tell } from './calls';
import { cutText } from './cut';
import { type FieldChange, MAX_FIELD, type Place } from './wire';

const MAX_KNOWN = 2000;
/** As long as the shim waits before it looks at forms that are being changed. */
const FORMS_QUIET_MS = 50;

/** What a page's tools are declared as, compared field by field. */
type Fields = Record<'title' | 'description' | 'inputSchema' | 'annotations', string>;

function fieldsOf({ title, description, schema, annotations }: Registered): Fields {
  return {
    title,
    description,
    inputSchema: schema ?? '',
    annotations: annotations ? JSON.stringify(annotations) : '',
  };
}

/** Which fields differ, each cut around the place where it begins to differ. */
export function changesBetween(before: Fields, after: Fields): FieldChange[] {
  return (Object.keys(after) as (keyof Fields)[])
    .filter((field) => before[field] !== after[field])
    .map((field) => {
      const [a, b] = [before[field], after[field]];
      let at = 0;
      while (at < a.length && a[at] === b[at]) at++;
      // With a little of what is the same, to tell where it is.
      const from = Math.max(0, at - 80);
      const part = (text: string) =>
        `${from > 0 && text ? '…' : ''}${cutText(text.slice(from), MAX_FIELD).text}${text.length - from > MAX_FIELD ? '…' : ''}`;
      return { field, before: part(a), after: part(b) };
    });
}

const isSame = (before: Fields | undefined, after: Fields) =>
  !!before && changesBetween(before, after).length === 0;

/** Remembers what the page has declared, and tells what is new, different or gone. */
export function watchTools(tell: Tell) {
  /** Also those that are gone: one that comes back different has changed. */
  const known = new Map<string, Fields>();
  const live = new Map<string, object>();
  let forms = new Map<string, Fields>();

  const appeared = (tool: Registered, places: Place[], form: boolean, found: boolean) => {
    const fields = fieldsOf(tool);
    const before = known.get(tool.name);
    const changes = before && !found ? changesBetween(before, fields) : [];
    if (known.size < MAX_KNOWN || before) known.set(tool.name, fields);
    const { name } = tool;
    if (changes.length) tell({ kind: 'changed', tool: name, form, changes, places });
    else {
      const description = cutText(tool.description, MAX_FIELD).text;
      tell({ kind: 'registered', tool: name, form, found, description, places });
    }
  };
  const removed = (name: string, entry: object) => {
    if (live.get(name) !== entry) return;
    live.delete(name);
    tell({ kind: 'removed', tool: name, form: false });
  };

  return {
    /** Reads a tool as it is handed over; `done` tells it once it is accepted. */
    registering(tool: unknown, strict: boolean, signal: AbortSignal | undefined, places: Place[]) {
      const read = readRegistration(tool, strict);
      const entry = {};
      return {
        name: read.name,
        done() {
          if (signal?.aborted) return;
          // A page's own context has passed it on to the browser's.
          if (live.has(read.name) && isSame(known.get(read.name), fieldsOf(read))) return;
          if (live.size < MAX_KNOWN) live.set(read.name, entry);
          appeared(read, places, false, false);
          signal?.addEventListener('abort', () => removed(read.name, entry), { once: true });
        },
      };
    },

    /** The page took tools away by name, or all. */
    withdrew(name?: string): void {
      for (const [known, entry] of Array.from(live))
        if (name === undefined || known === name) removed(known, entry);
    },

    /** Compares the forms of the document with those of the last time. */
    lookAtForms(found: boolean): void {
      const now = new Map<string, Fields>();
      for (const form of formTools.list().slice(0, MAX_KNOWN)) {
        if (live.has(form.name)) continue;
        const fields = fieldsOf(form);
        now.set(form.name, fields);
        if (!isSame(forms.get(form.name), fields)) appeared(form, [], true, found);
      }
      for (const name of forms.keys())
        if (!now.has(name)) tell({ kind: 'removed', tool: name, form: true });
      forms = now;
    },
  };
}

/** Looks again whenever something of the document changes, once it is quiet for a moment. */
export function onDocumentChange(look: () => void, forms: () => void, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new MutationObserver(() => {
    look();
    timer ??= setTimeout(() => {
      timer = undefined;
      forms();
    }, FORMS_QUIET_MS);
  });
  observer.observe(document, FORM_MUTATIONS);
  signal.addEventListener('abort', () => {
    observer.disconnect();
    clearTimeout(timer);
  });
}
