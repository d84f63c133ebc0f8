import * as z from 'zod';
import type { JsonObject, JsonSchema, JsonValue, PageTool } from '../tools/tool';
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
const MAX_DEPTH = 40;
const MAX_NODES = 5000;

/**
 * A tool of a frame as catalogs carry it, and what was cut of it, in words. `undefined` where the
 * frame sent something that is no tool.
 */
export function checkTool(
  raw: unknown,
  frame: { origin: string; documentId: string; frameId: number },
): { tool: PageTool; notes: string[] } | undefined {
  const parsed = RawToolSchema.safeParse(raw);
  if (!parsed.success) return;
  const { name, title, description, schema, hints, surface, sizes } = parsed.data;
  const [descriptionSize = 0, schemaSize = 0] = sizes;
  const notes: string[] = [];
  const shown = label(name);
  if (descriptionSize > MAX_DESCRIPTION)
    notes.push(
      `The description of ${shown} (${count(descriptionSize)} characters) was cut to ${count(MAX_DESCRIPTION)}.`,
    );
  const tool: PageTool = {
    key: `${frame.documentId}/${name}`,
    name,
    description: description.toWellFormed(),
    ...frame,
    surface,
  };
  if (title) tool.title = title.toWellFormed();
  const annotations = annotationsOf(hints);
  if (annotations) tool.annotations = annotations;
  if (schemaSize > MAX_SCHEMA) {
    notes.push(
      `The schema of ${shown} was left out: it is larger than ${count(MAX_SCHEMA)} characters or nested too deep to read.`,
    );
    tool.inputSchema = { type: 'object' };
  } else if (schema) {
    const read = readSchema(schema);
    tool.inputSchema = read.schema;
    if (read.note) notes.push(`The schema of ${shown} ${read.note}.`);
  }
  return { tool, notes };
}

/** For words about a name the page chose. */
export function label(name: string): string {
  const flat = name.replace(/[^\P{C}]/gu, '').toWellFormed();
  return `"${flat.length > 60 ? `${flat.slice(0, 60)}…` : flat}"`;
}

function annotationsOf(hints: string[]): PageTool['annotations'] {
  const annotations: PageTool['annotations'] = {};
  for (const hint of HINTS) if (hints.includes(hint)) annotations[hint] = true;
  return Object.keys(annotations).length ? annotations : undefined;
}

function readSchema(text: string): { schema: JsonSchema; note?: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { schema: { type: 'object' }, note: 'was left out: it is not JSON' };
  }
  if (typeof value !== 'object' || !value || Array.isArray(value))
    return { schema: { type: 'object' }, note: 'was left out: it is not an object' };
  const limit = { nodes: 0, cut: false };
  const schema = bounded(value as JsonObject, 0, limit) as JsonSchema;
  return limit.cut
    ? { schema, note: `was cut below ${MAX_DEPTH} levels or after ${count(MAX_NODES)} parts` }
    : { schema };
}

function bounded(
  value: JsonValue,
  depth: number,
  limit: { nodes: number; cut: boolean },
): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  limit.nodes++;
  if (depth >= MAX_DEPTH || limit.nodes > MAX_NODES) {
    limit.cut = true;
    return {};
  }
  if (Array.isArray(value)) return value.map((item) => bounded(item, depth + 1, limit));
  // fromEntries defines own properties, so a key such as __proto__ stays a key.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, bounded(item, depth + 1, limit)]),
  );
}

function count(n: number): string {
  return n.toLocaleString('en');
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
