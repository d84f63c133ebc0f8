import { compactSchema } from '../compact';
import { setOwn } from '../own-data';
import type { Listing } from '../render/listing';
import {
  prepareTool,
  type SchemaCompaction,
  type SchemaPreparation,
  THIRD_PARTY,
} from '../schema/prepare';
import { isObject, mapSubschemas, objectAt } from '../schema/walk';
import { cutText } from '../text/cut';
import { cleanText, safeLine } from '../text/untrusted';
import type { HeldTool, JsonObject, JsonSchema } from '../tool';
import type { ToolEntry } from './entry';

/** How tools are written to the model of this step. */
export interface Presentation {
  listing: Listing;
  preparation: SchemaPreparation;
  /** Reduce schemas to what a small model reads. */
  small: boolean;
}

const SMALL_WINDOW = 8_192;
/** In a small window one tool may not cost more than about a tenth of it. */
const SMALL_TOOL: SchemaCompaction = { maxSchemaBytes: 1_500, maxDescriptionBytes: 400 };

/** The presentation for a window when nothing else is asked for. */
export function presentationFor(window: number, listing: Listing): Presentation {
  const small = window <= SMALL_WINDOW;
  return {
    listing,
    small,
    preparation: { strategy: 'conservative', compaction: small ? SMALL_TOOL : THIRD_PARTY },
  };
}

/** Longest description of a tool, in characters, before any budget of bytes. */
const MAX_DESCRIPTION = 400;
/** Characters read to get there: line breaks and invisible characters fall away. */
const MAX_READ = 4 * MAX_DESCRIPTION;

/** An entry as it is written to the model: the name it goes by, one line of text, a prepared schema. */
export function presentEntry(entry: ToolEntry, presentation: Presentation): HeldTool {
  const description =
    entry.source === 'page'
      ? cutText(safeLine(cutText(entry.tool.description, MAX_READ)), MAX_DESCRIPTION)
      : entry.tool.description;
  const { tool } = prepareTool(
    { name: entry.name, description, schema: cleanWords(entry.schema) },
    presentation.preparation,
  );
  if (!presentation.small) return tool;
  const parameters = compactSchema(tellFormats(tool.parameters));
  const isWhole = JSON.stringify(parameters) === JSON.stringify(tool.parameters);
  return isWhole ? tool : { ...tool, parameters, strict: tool.parameters };
}

/** What a schema says in words holds nothing invisible; names and values stay what the page takes. */
function cleanWords(schema: JsonSchema): JsonSchema {
  const node = mapSubschemas(schema, 0, cleanWords);
  for (const key of ['title', 'description']) {
    const words = node[key];
    if (typeof words === 'string') node[key] = cleanText(words);
  }
  return node;
}

/** Formats written into descriptions, where a reader of small schemas still finds them. */
function tellFormats(schema: JsonSchema): JsonSchema {
  const properties = objectAt(schema, 'properties');
  const told: JsonObject = {};
  for (const [name, property] of Object.entries(properties)) {
    setOwn(told, name, isObject(property) ? tellFormat(property) : property);
  }
  return { ...schema, properties: told };
}

function tellFormat(property: JsonSchema): JsonSchema {
  const { format, description } = property;
  const node = mapSubschemas(property, 1, tellFormat);
  if (typeof format !== 'string' || !/^[\w-]{1,20}$/.test(format)) return node;
  if (typeof description !== 'string' || description === '')
    return { ...node, description: format };
  return description.includes(format)
    ? node
    : { ...node, description: `${description} (${format})` };
}
