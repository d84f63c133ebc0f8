import * as z from 'zod';
import type { Words } from '../said/said';
import { say } from '../said/say';
import { boundJson } from '../tools/bound-json';
import { shownName } from '../tools/text/untrusted';
import type { JsonSchema, PageTool } from '../tools/tool';
import {
  type FromContent,
  MAX_DESCRIPTION,
  MAX_HINTS,
  MAX_NAME,
  MAX_SCHEMA,
  MAX_TITLE,
  type RawTool,
} from './wire';

const RawToolSchema: z.ZodType<RawTool> = z.object({
  name: z.string().min(1).max(MAX_NAME),
  title: z.string().max(MAX_TITLE),
  description: z.string().max(MAX_DESCRIPTION),
  schema: z.string().max(MAX_SCHEMA),
  hints: z.array(z.string()).max(MAX_HINTS),
  surface: z.enum(['native', 'shim', 'polyfill', 'form']),
  sizes: z.array(z.number()).length(2),
  form: z.object({ waits: z.boolean(), buttons: z.array(z.string().max(80)).max(9) }).optional(),
});

export const ListReplySchema = z.object({
  tools: z.array(z.unknown()).max(2000),
  dropped: z.number().int().min(0),
  origin: z.string().max(300),
  native: z.boolean(),
  late: z.boolean(),
});
export type CheckedList = z.infer<typeof ListReplySchema>;

export const CallReplySchema = z.object({
  value: z.string().nullable().optional(),
  length: z.number().optional(),
  error: z.string().optional(),
  said: z.string().optional(),
  ran: z.boolean().optional(),
});

export const FromContentSchema: z.ZodType<FromContent> = z.object({
  pagehand: z.literal('tools'),
});

const HINTS = ['readOnlyHint', 'untrustedContentHint', 'consequentialHint', 'debugging'] as const;

/** Schemas in the wild stay below depth 12; what lies deeper than this becomes unconstrained. */
const BOUNDS = { depth: 40, nodes: 5000, instead: {} };

/**
 * A tool of a frame as catalogs carry it, and what was cut of it. `undefined` where the
 * frame sent something that is no tool.
 */
export function checkTool(
  raw: unknown,
  frame: { origin: string; documentId: string; frameId: number },
): { tool: PageTool; notes: Words[] } | undefined {
  const parsed = RawToolSchema.safeParse(raw);
  if (!parsed.success) return;
  const { name, title, description, schema, hints, surface, sizes, form } = parsed.data;
  const [descriptionSize = 0, schemaSize = 0] = sizes;
  const notes: Words[] = [];
  const shown = shownName(name);
  if (descriptionSize > MAX_DESCRIPTION)
    notes.push(say('description-cut', shown, descriptionSize, MAX_DESCRIPTION));
  const tool: PageTool = {
    key: `${frame.documentId}/${name}`,
    name,
    description: description.toWellFormed(),
    ...frame,
    surface,
  };
  if (form) tool.form = form;
  if (title) tool.title = title.toWellFormed();
  const annotations = annotationsOf(hints);
  if (annotations) tool.annotations = annotations;
  if (schemaSize > MAX_SCHEMA) {
    notes.push(say('schema-too-large', shown, MAX_SCHEMA));
    tool.inputSchema = { type: 'object' };
  } else if (schema) {
    const read = readSchema(schema, shown);
    tool.inputSchema = read.schema;
    if (read.note) notes.push(read.note);
  }
  return { tool, notes };
}

function annotationsOf(hints: string[]): PageTool['annotations'] {
  const annotations: PageTool['annotations'] = {};
  for (const hint of HINTS) if (hints.includes(hint)) annotations[hint] = true;
  return Object.keys(annotations).length ? annotations : undefined;
}

function readSchema(text: string, name: string): { schema: JsonSchema; note?: Words } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { schema: { type: 'object' }, note: say('schema-not-json', name) };
  }
  if (typeof value !== 'object' || !value || Array.isArray(value))
    return { schema: { type: 'object' }, note: say('schema-not-object', name) };
  const { value: bounded, cut } = boundJson(value, BOUNDS);
  const schema = bounded as JsonSchema;
  return cut ? { schema, note: say('schema-cut', name, BOUNDS.depth, BOUNDS.nodes) } : { schema };
}

/** Whether two tools are the same to the person who approved one of them. */
export function sameTool(a: PageTool, b: PageTool): boolean {
  return stable(identity(a)) === stable(identity(b));
}

function identity({ name, title, description, inputSchema, annotations, origin }: PageTool) {
  return { name, title, description, inputSchema, annotations, origin };
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : item,
  );
}
