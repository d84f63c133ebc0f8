import {
  MAX_DESCRIPTION,
  MAX_HINTS,
  MAX_SCHEMA,
  MAX_TITLE,
  type RawSurface,
  type RawTool,
} from '../wire';

/**
 * Copies tool objects field by field, as Chrome 160's are interface objects that neither spread
 * nor serialise, and a polyfill's may be anything. What cannot be read is left out.
 */
export function readTools(list: unknown, surface: RawSurface): RawTool[] {
  return Array.isArray(list) ? list.flatMap((tool) => readTool(tool, surface)) : [];
}

function readTool(tool: Record<string, unknown>, surface: RawSurface): RawTool[] {
  try {
    const declared = tool['inputSchema'] ?? '';
    const claims = tool['annotations'] as Record<string, unknown> | undefined;
    const hints: string[] = [];
    for (const claim in claims) if (claims[claim] === true) hints.push(claim);
    const description = text(tool['description']);
    let schema = '';
    let size = 0;
    try {
      schema = text(declared) || text(JSON.stringify(declared || undefined));
      size = schema.length;
    } catch {
      // Nested beyond what can be serialised.
      size = Number.MAX_SAFE_INTEGER;
    }
    return [
      {
        name: text(tool['name']),
        title: text(tool['title']).slice(0, MAX_TITLE),
        description: description.slice(0, MAX_DESCRIPTION),
        schema: size > MAX_SCHEMA ? '' : schema,
        hints: hints.slice(0, MAX_HINTS),
        surface,
        sizes: [description.length, size],
      },
    ];
  } catch {
    return [];
  }
}

// Half a surrogate pair would not survive the messages, and the tool would never be the same again.
const text = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : '');
