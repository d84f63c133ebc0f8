import { EngineError, type LoadProgress } from '../../agent/engine';
import { say } from '../../said/say';
import { createMeter } from '../downloads/meter';
import { onMirror } from '../downloads/mirror';
import { openParts, removeParts } from '../downloads/parts';
import { publishedFiles } from '../downloads/published';
import { storageTrouble, type TransferDeps, transferFile } from '../downloads/transfer';
import { sha256Of } from '../downloads/verify';
import { dataFiles, indexFiles, isCached, type ModelFile } from './cache';

export interface WebLlmDownloadDeps extends TransferDeps {
  caches: CacheStorage;
  /** Folder for files that are not complete yet. */
  scratch(): Promise<FileSystemDirectoryHandle>;
  estimate(): Promise<{ usage?: number; quota?: number }>;
  persist(): Promise<boolean>;
  mirror(): string | undefined;
  now(): number;
}

const SPARE_BYTES = 64 * 1024 * 1024;
const PROGRESS_MS = 200;

/**
 * Brings all files of a model into the caches web-llm reads. A file goes through the same download as
 * any model (resumed, retried, checked) and moves into the cache when it is whole.
 * @throws EngineError; the signal's reason
 */
export async function fillCaches(
  deps: WebLlmDownloadDeps,
  model: { id: string; label: string; base: string; manifest?: string },
  progress: (p: LoadProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const folder = await (await deps.scratch()).getDirectoryHandle(model.id, { create: true });
  const index = indexFiles(model.base, model.manifest);
  for (const [i, file] of index.entries()) await fetchInto(deps, folder, i, file, () => {}, signal);

  const files = await dataFiles(deps.caches, model.base);
  if (!files) {
    throw new EngineError('corrupt', say('description-unreadable', model.label));
  }
  const missing: ModelFile[] = [];
  for (const file of files) if (!(await isCached(deps.caches, file))) missing.push(file);
  const size = (list: ModelFile[]) => list.reduce((sum, file) => sum + (file.size ?? 0), 0);
  const total = size(files);
  let done = total - size(missing);
  if (missing.length > 0) {
    await requireSpace(deps, model.label, total - done);
    const listing = onMirror(`${model.base}tensor-cache.json`, deps.mirror());
    const published = await publishedFiles(deps.fetch, listing, signal);
    for (const file of missing)
      file.sha256 = published.get(onMirror(file.url, deps.mirror()))?.sha256;
  }

  const meter = createMeter(deps.now, total);
  let reportedAt = Number.NEGATIVE_INFINITY;
  const report = (bytes: number, last: boolean) => {
    const at = deps.now();
    if (!last && at - reportedAt < PROGRESS_MS) return;
    reportedAt = at;
    progress({
      phase: 'download',
      done: Math.min(bytes, total),
      total,
      ...meter(bytes),
    });
  };
  for (const [i, file] of files.entries()) {
    if (!missing.includes(file)) continue;
    // Numbered by its place, so that an unfinished file is found again.
    await fetchInto(
      deps,
      folder,
      index.length + i,
      file,
      // The tokenizer's size is not listed; it would make the bar go back.
      (bytes) => file.size !== undefined && report(done + bytes, false),
      signal,
    );
    done += file.size ?? 0;
    if (file.size !== undefined) report(done, true);
  }
  await (await deps.scratch()).removeEntry(model.id, { recursive: true });
}

async function fetchInto(
  deps: WebLlmDownloadDeps,
  folder: FileSystemDirectoryHandle,
  number: number,
  file: ModelFile,
  onBytes: (bytes: number) => unknown,
  signal: AbortSignal,
): Promise<void> {
  if (await isCached(deps.caches, file)) return;
  await transferFile(
    deps,
    {
      folder,
      file: number,
      url: onMirror(file.url, deps.mirror()),
      size: file.size,
      onBytes,
      async onStart(answer) {
        if (file.size !== undefined && answer.size !== undefined && answer.size !== file.size) {
          throw new EngineError(
            'corrupt',
            say('file-size-differs', file.url, answer.size, file.size),
          );
        }
      },
    },
    signal,
  );
  const whole = await openParts(folder, number);
  if (file.sha256 !== undefined && (await sha256Of(whole, signal)) !== file.sha256) {
    await removeParts(folder, number);
    throw new EngineError('corrupt', say('file-differs'));
  }
  try {
    const cache = await deps.caches.open(file.cache);
    await cache.put(file.url, new Response(whole));
  } catch (error) {
    throw storageTrouble(error);
  }
  await removeParts(folder, number);
}

async function requireSpace(deps: WebLlmDownloadDeps, label: string, bytes: number): Promise<void> {
  await deps.persist().catch(() => false);
  const { usage = 0, quota } = await deps.estimate();
  if (quota === undefined || bytes + SPARE_BYTES <= quota - usage) return;
  throw new EngineError(
    'storage',
    say('space-needed', label, { bytes }, { bytes: Math.max(0, quota - usage) }),
  );
}
