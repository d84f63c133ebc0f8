import { EngineError, type LoadProgress } from '../../agent/engine';
import { type Folders, openWhole } from './folders';
import { type Info, readInfo, writeInfo } from './info';
import { createMeter } from './meter';
import type { ModelSource, ModelStoreDeps } from './model';
import { openParts, PART_BYTES } from './parts';
import { publishedFile } from './published';
import { requireSpace } from './space';
import { transferFile } from './transfer';
import { verifyModel } from './verify';

const PROGRESS_MS = 200;

/**
 * Makes the model be there, from where an earlier download ended; nothing is fetched that is stored.
 * @throws EngineError `download`, `storage`, `corrupt`; the signal's reason
 */
export async function downloadModel(
  deps: ModelStoreDeps,
  folders: Folders,
  source: ModelSource,
  progress: (p: LoadProgress) => void,
  signal: AbortSignal,
): Promise<Blob[]> {
  signal.throwIfAborted();
  const stored = await openWhole(await folders.find(source.id));
  if (stored) return stored;

  const folder = await folders.make(source.id);
  const info = await beginInfo(deps, source, await readInfo(folder), signal);
  await writeInfo(folder, info);

  const done = source.files.map(() => 0);
  const sum = (numbers: (number | undefined)[]) =>
    numbers.reduce<number>((total, n) => total + (n ?? 0), 0);
  const total = () =>
    info.files.every((file) => file.size !== undefined)
      ? sum(info.files.map((file) => file.size))
      : undefined;
  let meter: ReturnType<typeof createMeter> | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
  for (const [i, file] of info.files.entries()) {
    done[i] = await transferFile(
      { ...deps, partBytes: info.partBytes },
      {
        folder,
        file: i,
        url: file.url ?? '',
        size: file.size,
        etag: file.etag,
        async onStart(answer) {
          file.size ??= answer.size;
          file.etag = answer.etag ?? file.etag;
          await writeInfo(folder, info);
          done[i] = answer.have;
          await requireSpace(deps, source.label, sum(info.files.map((f) => f.size)) - sum(done));
        },
        onBytes(bytes) {
          done[i] = bytes;
          meter ??= createMeter(deps.now, total());
          const at = deps.now();
          if (at - reportedAt < PROGRESS_MS && bytes !== file.size) return;
          reportedAt = at;
          const all = sum(done);
          progress({
            phase: 'download',
            done: all,
            total: total() ?? 0,
            ...meter(all),
          });
        },
      },
      signal,
    );
    file.size = done[i];
  }

  const blobs = await Promise.all(info.files.map((_, i) => openParts(folder, i)));
  info.summary = await orRemove(
    folders,
    source.id,
    verifyModel(info.files, blobs, progress, signal),
  );
  info.complete = true;
  await writeInfo(folder, info);
  return blobs;
}

/** Files that are not what they should be are of no use to anybody. */
async function orRemove<T>(folders: Folders, id: string, check: Promise<T>): Promise<T> {
  try {
    return await check;
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'corrupt') await folders.remove(id);
    throw error;
  }
}

/** What was known of an earlier download of the same files, with what their publisher says of them now. */
async function beginInfo(
  deps: ModelStoreDeps,
  source: ModelSource,
  known: Info | undefined,
  signal: AbortSignal,
): Promise<Info> {
  const info: Info =
    known?.files.length === source.files.length
      ? { ...known, label: source.label, complete: false }
      : {
          version: 1,
          id: source.id,
          label: source.label,
          addedAt: deps.now(),
          complete: false,
          partBytes: deps.partBytes ?? PART_BYTES,
          files: source.files.map(() => ({})),
        };
  for (const [i, file] of source.files.entries()) {
    const published =
      file.sha256 === undefined ? await publishedFile(deps.fetch, file.url, signal) : file;
    const kept = info.files[i];
    info.files[i] = {
      url: file.url,
      size: published.size ?? file.size ?? kept?.size,
      sha256: published.sha256,
      etag: kept?.url === file.url ? kept.etag : undefined,
    };
  }
  return info;
}
