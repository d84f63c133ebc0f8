import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { EngineError, type LoadProgress } from '../../agent/engine';
import { say } from '../../said/say';
import { type GgufSummary, readGguf } from '../models/gguf';
import { type Info, readInfo, writeInfo } from './info';
import { createMeter } from './meter';
import { appendParts, openParts, PART_BYTES, storedBytes } from './parts';
import { publishedFile } from './published';
import { storageTrouble, type TransferDeps, transferFile } from './transfer';
import { chunksOf, verifyModel } from './verify';

export interface ModelStoreDeps extends TransferDeps {
  /** The folder models live in: the extension's private file system, shared by all its pages. */
  root(): Promise<FileSystemDirectoryHandle>;
  estimate(): Promise<{ usage?: number; quota?: number }>;
  /** Asks the browser not to clear the models when space gets short. */
  persist(): Promise<boolean>;
  now(): number;
}

export interface ModelSource {
  /** Names the model for ever; a download of the same id goes on where the last one ended. */
  id: string;
  label: string;
  /** Several for a split model, in order. */
  files: { url: string; size?: number; sha256?: string }[];
}

export interface StoredModel {
  id: string;
  label: string;
  /** Bytes on disk. */
  bytes: number;
  /** Bytes of the whole, where known. */
  totalBytes?: number;
  complete: boolean;
  addedAt: number;
  summary?: GgufSummary;
}

/**
 * The models on this machine. Nothing is remembered between calls: the folder is the truth, so that the
 * host and a view may both work on it.
 */
export interface ModelStore {
  list(): Promise<StoredModel[]>;
  get(id: string): Promise<StoredModel | undefined>;
  /** The model's files, if they are all there and whole. */
  open(id: string): Promise<Blob[] | undefined>;
  /**
   * Makes the model be there: nothing is fetched that is stored already.
   * @throws EngineError `download`, `storage`, `corrupt`; the signal's reason
   */
  download(
    source: ModelSource,
    progress: (p: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<Blob[]>;
  /** Copies files the user picked; `-00001-of-00003.gguf` parts are taken in the order of their names. */
  importFiles(
    files: File[],
    progress: (p: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<StoredModel>;
  delete(id: string): Promise<void>;
}

/** Room the browser needs beside the model: its own bookkeeping, the compiled engine, history. */
const SPARE_BYTES = 64 * 1024 * 1024;
const PROGRESS_MS = 200;

export function createModelStore(deps: ModelStoreDeps): ModelStore {
  /** One writer a model: a second one waits, and then finds what the first brought. */
  const writers = new Map<string, Promise<void>>();

  const folderName = (id: string) => bytesToHex(sha256(utf8ToBytes(id))).slice(0, 32);

  async function openFolder(id: string): Promise<FileSystemDirectoryHandle | undefined> {
    try {
      return await (await deps.root()).getDirectoryHandle(folderName(id));
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotFoundError') return undefined;
      throw error;
    }
  }

  async function describe(folder: FileSystemDirectoryHandle): Promise<StoredModel | undefined> {
    const info = await readInfo(folder);
    if (!info) return undefined;
    let bytes = 0;
    for (let i = 0; i < info.files.length; i++)
      bytes += await storedBytes(folder, i, info.partBytes);
    const sizes = info.files.map((file) => file.size);
    const totalBytes = sizes.reduce<number | undefined>(
      (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
      0,
    );
    return {
      id: info.id,
      label: info.label,
      bytes,
      totalBytes,
      // Browsers may clear part of a store; a flag alone would not notice.
      complete: info.complete && bytes === totalBytes,
      addedAt: info.addedAt,
      summary: info.summary,
    };
  }

  async function open(id: string): Promise<Blob[] | undefined> {
    const folder = await openFolder(id);
    const info = folder && (await readInfo(folder));
    if (!folder || !info || !(await describe(folder))?.complete) return undefined;
    return Promise.all(info.files.map((_, i) => openParts(folder, i)));
  }

  async function remove(id: string): Promise<void> {
    try {
      await (await deps.root()).removeEntry(folderName(id), { recursive: true });
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
    }
  }

  /** Runs alone among the writers of a model. */
  async function exclusive<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = writers.get(id) ?? Promise.resolve();
    const mine = before.then(work);
    const settled = mine.then(
      () => {},
      () => {},
    );
    writers.set(id, settled);
    try {
      return await mine;
    } finally {
      if (writers.get(id) === settled) writers.delete(id);
    }
  }

  async function requireSpace(label: string, bytes: number): Promise<void> {
    await deps.persist().catch(() => false);
    const { usage = 0, quota } = await deps.estimate();
    if (quota === undefined) return;
    const free = quota - usage;
    if (bytes + SPARE_BYTES > free) {
      throw new EngineError(
        'storage',
        say('space-needed', label, { bytes }, { bytes: Math.max(0, free) }),
      );
    }
  }

  /** Files that are not what they should be are of no use to anybody. */
  async function orRemove<T>(id: string, check: Promise<T>): Promise<T> {
    try {
      return await check;
    } catch (error) {
      if (error instanceof EngineError && error.kind === 'corrupt') await remove(id);
      throw error;
    }
  }

  return {
    open,
    delete: (id) => exclusive(id, () => remove(id)),

    async get(id) {
      const folder = await openFolder(id);
      return folder && describe(folder);
    },

    async list() {
      const found: StoredModel[] = [];
      const root = await deps.root();
      for await (const handle of root.values()) {
        if (handle.kind !== 'directory') continue;
        const model = await describe(await root.getDirectoryHandle(handle.name));
        if (model) found.push(model);
      }
      return found.sort((a, b) => a.addedAt - b.addedAt);
    },

    download: (source, progress, signal) =>
      exclusive(source.id, async () => {
        signal.throwIfAborted();
        const stored = await open(source.id);
        if (stored) return stored;

        const root = await deps.root();
        const folder = await root.getDirectoryHandle(folderName(source.id), { create: true });
        const known = await readInfo(folder);
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
                await requireSpace(source.label, sum(info.files.map((f) => f.size)) - sum(done));
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
                  text: `Downloading ${source.label}`,
                });
              },
            },
            signal,
          );
          file.size = done[i];
        }

        const blobs = await Promise.all(info.files.map((_, i) => openParts(folder, i)));
        info.summary = await orRemove(source.id, verifyModel(info.files, blobs, progress, signal));
        info.complete = true;
        await writeInfo(folder, info);
        return blobs;
      }),

    async importFiles(picked, progress, signal) {
      const files = [...picked].sort((a, b) => (a.name < b.name ? -1 : 1));
      const first = files[0];
      if (!first) throw new EngineError('failed', say('no-file-picked'));
      const id = `file:${first.name}`;
      return exclusive(id, async () => {
        const summary = await readGguf(first);
        const bytes = files.reduce((sum, file) => sum + file.size, 0);
        const existing = await openFolder(id).then((folder) => folder && describe(folder));
        if (existing?.complete && existing.bytes === bytes) return existing;
        await remove(id);
        await requireSpace(first.name, bytes);
        const folder = await (await deps.root()).getDirectoryHandle(folderName(id), {
          create: true,
        });
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
              for await (const chunk of chunksOf(file)) {
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
          await remove(id);
          throw storageTrouble(error);
        }
        const added = await describe(folder);
        if (!added) throw new EngineError('failed', say('import-unreadable'));
        return added;
      });
    },
  };
}
