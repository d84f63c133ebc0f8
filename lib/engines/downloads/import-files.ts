import { EngineError, type LoadProgress } from '../../agent/engine';
import { say } from '../../said/say';
import { readGguf } from '../models/gguf';
import { piecesOf } from '../pieces';
import { describe, type Folders } from './folders';
import { type Info, writeInfo } from './info';
import { createMeter } from './meter';
import type { ModelStoreDeps, StoredModel } from './model';
import { appendParts, openParts, PART_BYTES } from './parts';
import { requireSpace } from './space';
import { storageTrouble } from './transfer';
import { verifyModel } from './verify';

/**
 * Copies files the user has, the parts of one model in order; nothing where they are stored already.
 * @throws EngineError `storage`, `corrupt`, `failed`; the signal's reason
 */
export async function importModelFiles(
  deps: ModelStoreDeps,
  folders: Folders,
  id: string,
  files: readonly [File, ...File[]],
  progress: (p: LoadProgress) => void,
  signal: AbortSignal,
): Promise<StoredModel> {
  const [first] = files;
  const summary = await readGguf(first);
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const existing = await folders.find(id).then((folder) => folder && describe(folder));
  if (existing?.complete && existing.bytes === bytes) return existing;
  await folders.remove(id);
  await requireSpace(deps, first.name, bytes);
  const folder = await folders.make(id);
  const partBytes = deps.partBytes ?? PART_BYTES;
  const info: Info = {
    version: 1,
    id,
    label: summary.name ?? first.name.replace(/\.gguf$/i, ''),
    addedAt: deps.now(),
    complete: false,
    partBytes,
    files: files.map((file) => ({ size: file.size })),
  };
  const meter = createMeter(deps.now, bytes);
  try {
    await writeInfo(folder, info);
    let done = 0;
    for (const [i, file] of files.entries()) {
      const writer = appendParts(folder, i, 0, partBytes);
      try {
        for await (const chunk of piecesOf(file.stream())) {
          signal.throwIfAborted();
          await writer.write(chunk);
          done += chunk.length;
          progress({ phase: 'download', done, total: bytes, ...meter(done) });
        }
      } finally {
        await writer.close();
      }
    }
    const blobs = await Promise.all(files.map((_, i) => openParts(folder, i)));
    info.summary = await verifyModel(info.files, blobs, progress, signal);
    info.complete = true;
    await writeInfo(folder, info);
  } catch (error) {
    // The original is still where the user has it.
    await folders.remove(id);
    throw storageTrouble(error);
  }
  const added = await describe(folder);
  if (!added) throw new EngineError('failed', say('import-unreadable'));
  return added;
}
