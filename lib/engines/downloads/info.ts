import * as z from 'zod';
import type { GgufSummary } from '../models/gguf';

/** What is remembered of a model beside its bytes, in a file of its folder. */
const INFO = 'info.json';
const Summary: z.ZodType<GgufSummary> = z.object({
  name: z.string().optional(),
  architecture: z.string().optional(),
  contextLength: z.number().optional(),
  chatTemplate: z.string().optional(),
  cacheBytesPerToken: z.number().optional(),
  split: z.object({ index: z.number(), count: z.number() }).optional(),
  bytesNeeded: z.number(),
});
export const Info = z.object({
  version: z.literal(1),
  id: z.string(),
  label: z.string(),
  addedAt: z.number(),
  complete: z.boolean(),
  partBytes: z.number(),
  files: z.array(
    z.object({
      url: z.string().optional(),
      size: z.number().optional(),
      sha256: z.string().optional(),
      etag: z.string().optional(),
    }),
  ),
  summary: Summary.optional(),
});
export type Info = z.infer<typeof Info>;

/** `undefined` where there is none, or none that can be read. */
export async function readInfo(folder: FileSystemDirectoryHandle): Promise<Info | undefined> {
  try {
    const file = await (await folder.getFileHandle(INFO)).getFile();
    const info = Info.safeParse(JSON.parse(await file.text()));
    return info.success ? info.data : undefined;
  } catch {
    return undefined;
  }
}

export async function writeInfo(folder: FileSystemDirectoryHandle, info: Info): Promise<void> {
  const stream = await (await folder.getFileHandle(INFO, { create: true })).createWritable();
  try {
    await stream.write(JSON.stringify(info));
  } finally {
    await stream.close();
  }
}
