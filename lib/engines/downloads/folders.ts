import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { readInfo } from './info';
import type { StoredModel } from './model';
import { openParts, storedBytes } from './parts';

type Folder = FileSystemDirectoryHandle;

/** A folder for each model. Nothing is remembered between calls: what lies there is the truth. */
export interface Folders {
  find(id: string): Promise<Folder | undefined>;
  make(id: string): Promise<Folder>;
  remove(id: string): Promise<void>;
  all(): AsyncIterable<Folder>;
}

const nameOf = (id: string) => bytesToHex(sha256(utf8ToBytes(id))).slice(0, 32);

export function createFolders(root: () => Promise<Folder>): Folders {
  return {
    async find(id) {
      try {
        return await (await root()).getDirectoryHandle(nameOf(id));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    make: async (id) => (await root()).getDirectoryHandle(nameOf(id), { create: true }),
    async remove(id) {
      try {
        await (await root()).removeEntry(nameOf(id), { recursive: true });
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
    async *all() {
      const models = await root();
      for await (const handle of models.values()) {
        if (handle.kind === 'directory') yield await models.getDirectoryHandle(handle.name);
      }
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError';
}

/** What a folder holds; `undefined` where it is no model's. */
export async function describe(folder: Folder): Promise<StoredModel | undefined> {
  const info = await readInfo(folder);
  if (!info) return undefined;
  let bytes = 0;
  for (let i = 0; i < info.files.length; i++) bytes += await storedBytes(folder, i, info.partBytes);
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

/** The files of a folder, if they are all there and whole. */
export async function openWhole(folder: Folder | undefined): Promise<Blob[] | undefined> {
  const info = folder && (await readInfo(folder));
  if (!folder || !info || !(await describe(folder))?.complete) return undefined;
  return Promise.all(info.files.map((_, i) => openParts(folder, i)));
}
