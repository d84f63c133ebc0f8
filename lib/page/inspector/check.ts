import * as z from 'zod';
import {
  type InspectorWord,
  MAX_BATCH,
  MAX_ENTRY,
  MAX_FIELD,
  MAX_PLACES,
  MAX_TEXT,
  MAX_URL,
  type PageEntry,
  type RelayBatch,
} from './wire';

const at = { at: z.number() };
const name = z.string().min(1).max(256);
const field = z.string().max(MAX_FIELD * 2);
const cut = z.object({ text: z.string().max(MAX_TEXT), length: z.number().min(0) });
const places = z
  .array(
    z.object({
      fn: z.string().max(200),
      url: z.string().max(MAX_URL),
      line: z.number().int().min(1),
      column: z.number().int().min(1),
    }),
  )
  .max(MAX_PLACES);
const declared = { ...at, tool: name, form: z.boolean() };

/** An entry as a page's inspector writes it, or somebody who poses as it. */
const PageEntrySchema: z.ZodType<PageEntry> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('watching'), ...at, late: z.boolean() }),
  z.object({
    kind: z.literal('registered'),
    ...declared,
    found: z.boolean(),
    description: field,
    places,
  }),
  z.object({ kind: z.literal('removed'), ...declared }),
  z.object({
    kind: z.literal('changed'),
    ...declared,
    changes: z.array(z.object({ field, before: field, after: field })).max(10),
    places,
  }),
  z.object({
    kind: z.literal('called'),
    ...at,
    call: z.string().max(40),
    tool: name,
    by: z.enum(['page', 'other']),
    elsewhere: z.boolean(),
    args: cut.optional(),
    places,
  }),
  z.object({
    kind: z.literal('ended'),
    ...at,
    call: z.string().max(40),
    outcome: z.enum(['result', 'error', 'cancelled']),
    ms: z.number().min(0),
    said: cut.optional(),
  }),
  z.object({ kind: z.literal('left-out'), ...at, count: z.number().int().min(0) }),
]);

export const InspectorWordSchema: z.ZodType<InspectorWord> = z.object({
  inspector: z.enum(['here', 'gone']),
});

const RelayBatchSchema: z.ZodType<RelayBatch> = z.object({
  entries: z.array(z.string().max(MAX_ENTRY)).max(MAX_BATCH),
  leftOut: z.number().int().min(0),
});

/** The entries of a batch that are some, and how many were not or were left out before. */
export function readBatch(raw: unknown): { entries: PageEntry[]; leftOut: number } {
  const batch = RelayBatchSchema.safeParse(raw);
  if (!batch.success) return { entries: [], leftOut: 1 };
  const entries = batch.data.entries.flatMap((text) => {
    const entry = PageEntrySchema.safeParse(parsed(text));
    return entry.success ? [entry.data] : [];
  });
  return { entries, leftOut: batch.data.leftOut + batch.data.entries.length - entries.length };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
