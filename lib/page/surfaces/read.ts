import {
  MAX_DESCRIPTION,
  MAX_NAME,
  MAX_SCHEMA,
  MAX_TITLE,
  type RawSurface,
  type RawTool,
} from '../wire';

const HINTS = ['readOnlyHint', 'untrustedContentHint', 'consequentialHint', 'debugging'];

/**
 * Copies a tool object field by field, as Chrome 160's are interface objects that neither spread
 * nor serialise, and a polyfill's may be anything. `undefined` where there is no usable name.
 */
export function readTool(source: unknown, surface: RawSurface): RawTool | undefined {
  try {
    const tool = source as Record<string, unknown>;
    const name = tool['name'];
    if (typeof name !== 'string' || !name || name.length > MAX_NAME) return;
    const description = text(tool['description']);
    let schema = '';
    let schemaSize = 0;
    const declared = tool['inputSchema'];
    if (declared) {
      try {
        schema = typeof declared === 'string' ? declared : JSON.stringify(declared) || '';
        schemaSize = schema.length;
      } catch {
        // Nested beyond what can be serialised.
        schemaSize = MAX_SCHEMA + 1;
      }
    }
    const hints = tool['annotations'] as Record<string, unknown> | null | undefined;
    const read: RawTool = {
      name,
      title: text(tool['title']).slice(0, MAX_TITLE),
      description: description.slice(0, MAX_DESCRIPTION),
      schema: schemaSize > MAX_SCHEMA ? '' : schema,
      hints: hints ? ['+', ...HINTS.filter((hint) => hints[hint] === true)] : [],
      surface,
    };
    if (description.length > MAX_DESCRIPTION || schemaSize > MAX_SCHEMA) {
      read.cut = {};
      if (description.length > MAX_DESCRIPTION) read.cut.description = description.length;
      if (schemaSize > MAX_SCHEMA) read.cut.schema = schemaSize;
    }
    return read;
  } catch {
    return;
  }
}

export function readTools(list: unknown, surface: RawSurface): RawTool[] {
  return Array.isArray(list)
    ? list.map((tool) => readTool(tool, surface)).filter((tool) => tool !== undefined)
    : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
