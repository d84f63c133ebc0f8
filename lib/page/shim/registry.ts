import type { RawForm } from '../wire';
import { domError, missing, typeError } from './errors';

/** A tool as a page registered it, read once: later changes to the page's object change nothing. */
export interface Registered {
  name: string;
  title: string;
  description: string;
  /** JSON text, so that every reader gets a copy of its own. */
  schema?: string;
  annotations?: Record<string, boolean>;
  form?: RawForm;
  execute(input: unknown, client: object): unknown;
}

/** Chrome also takes `"false"` for true, which would let a tool run unasked. */
const HINTS = ['readOnlyHint', 'untrustedContentHint', 'consequentialHint', 'debugging'];

/**
 * Reads what a page hands to `registerTool`; throws what Chrome 156 rejects with, in its order. Unless
 * `strict`, a schema may also be JSON text.
 */
export function readRegistration(tool: unknown, strict = false): Registered {
  const fail = (why: string) => typeError('registerTool', why);
  if ((typeof tool !== 'object' && typeof tool !== 'function') || !tool)
    throw fail("The provided value is not of type 'ModelContextTool'.");
  const given = tool as Record<string, unknown>;
  const required = (member: string) => {
    const value = given[member];
    if (value === undefined) throw missing('registerTool', member, 'ModelContextTool');
    return value;
  };
  const hints = given['annotations'] as Record<string, unknown> | null | undefined;
  const description = String(required('description'));
  const execute = required('execute');
  if (typeof execute !== 'function') throw fail('The given value is not a function.');
  const schema = schemaText(given['inputSchema'], strict, fail);
  const name = String(required('name'));
  if (!/^[\w.-]{1,128}$/.test(name)) throw domError('InvalidStateError', 'Invalid tool name');
  if (!description) throw domError('InvalidStateError', 'Description is required');
  return {
    name,
    title: given['title'] === undefined ? '' : String(given['title']),
    description,
    schema,
    annotations: hints
      ? Object.fromEntries(HINTS.map((hint) => [hint, hints[hint] === true]))
      : undefined,
    execute: execute as Registered['execute'],
  };
}

function schemaText(
  given: unknown,
  strict: boolean,
  fail: (why: string) => Error,
): string | undefined {
  if (given === undefined) return;
  const schema = strict ? given : standardSchema(given);
  // Chrome until 153 handed schemas out as text, and pages of that time also passed text in.
  if (typeof schema === 'string' && !strict) {
    try {
      if (typeof JSON.parse(schema) === 'object') return schema;
    } catch {}
  }
  if ((typeof schema !== 'object' && typeof schema !== 'function') || !schema)
    throw fail(
      "Failed to read the 'inputSchema' property from 'ModelContextTool': Failed to convert value to 'object'.",
    );
  const text = JSON.stringify(schema);
  if (text === undefined) throw fail('invalid input schema: toJSON() returns undefined');
  return text;
}

/** What a validation library's schema says of itself (standardschema.dev), as polyfills understand it. */
function standardSchema(schema: unknown): unknown {
  const standard = (schema as { '~standard'?: StandardJsonSchema } | null)?.['~standard'];
  return standard?.jsonSchema?.input?.({ target: 'draft-2020-12' }) ?? schema;
}
interface StandardJsonSchema {
  jsonSchema?: { input?(options: { target: string }): unknown };
}

export function checkExposedTo(origins: unknown, list: string): void {
  if (origins === undefined || origins === null) return;
  for (const origin of origins as Iterable<unknown>) {
    let url: URL | undefined;
    try {
      url = new URL(String(origin));
    } catch {}
    const secure =
      url?.protocol === 'https:' ||
      /^(localhost|127\.|\[::1\])|\.localhost$/.test(url?.hostname ?? '');
    if (!secure)
      throw domError('SecurityError', `Only secure origins are allowed in the ${list} list.`);
  }
}
