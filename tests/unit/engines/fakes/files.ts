/**
 * The origin private file system, in memory: as much of it as the model store uses, with its habits
 * (writes count only once closed; missing entries are `NotFoundError`; a full disk is
 * `QuotaExceededError`).
 */
export interface FakeDisk {
  root: FileSystemDirectoryHandle;
  /** Paths and sizes of all files, for assertions. */
  files(): Record<string, number>;
  /** Bytes that fit; writing beyond fails. */
  capacity: number;
}

const missing = () => new DOMException('not here', 'NotFoundError');

export function createFakeDisk(): FakeDisk {
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  const used = () => [...contents.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  const disk: FakeDisk = {
    root: directory(''),
    files: () => Object.fromEntries([...contents].map(([path, bytes]) => [path, bytes.length])),
    capacity: Number.POSITIVE_INFINITY,
  };
  const folders = new Set<string>();

  function fileHandle(path: string) {
    return {
      kind: 'file' as const,
      name: path.slice(path.lastIndexOf('/') + 1),
      async getFile() {
        const bytes = contents.get(path);
        if (!bytes) throw missing();
        return new File([bytes], path);
      },
      async createWritable({ keepExistingData = false } = {}) {
        const old = contents.get(path) ?? new Uint8Array();
        let pending = keepExistingData ? old : new Uint8Array();
        let at = 0;
        let broken = false;
        return {
          async seek(position: number) {
            at = position;
          },
          async write(data: string | Uint8Array) {
            const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
            if (used() - old.length + pending.length + bytes.length > disk.capacity) {
              broken = true;
              throw new DOMException('full', 'QuotaExceededError');
            }
            const grown = new Uint8Array(Math.max(pending.length, at + bytes.length));
            grown.set(pending);
            grown.set(bytes, at);
            pending = grown;
            at += bytes.length;
          },
          async abort() {},
          async close() {
            if (broken) throw new TypeError('the stream is errored');
            contents.set(path, pending);
          },
        };
      },
    };
  }

  function directory(path: string): FileSystemDirectoryHandle {
    const inside = (name: string) => `${path}${name}`;
    const handle = {
      kind: 'directory' as const,
      name: path.split('/').at(-2) ?? '',
      async getFileHandle(name: string, { create = false } = {}) {
        if (!contents.has(inside(name))) {
          if (!create) throw missing();
          contents.set(inside(name), new Uint8Array());
        }
        return fileHandle(inside(name));
      },
      async getDirectoryHandle(name: string, { create = false } = {}) {
        const folder = `${inside(name)}/`;
        if (!folders.has(folder)) {
          if (!create) throw missing();
          folders.add(folder);
        }
        return directory(folder);
      },
      async removeEntry(name: string) {
        const folder = `${inside(name)}/`;
        const there = contents.delete(inside(name)) || folders.delete(folder);
        for (const key of [...contents.keys()]) if (key.startsWith(folder)) contents.delete(key);
        if (!there) throw missing();
      },
      async *values() {
        for (const folder of folders)
          if (folder.startsWith(path) && folder.slice(path.length).split('/').length === 2)
            yield directory(folder);
      },
    };
    return handle as unknown as FileSystemDirectoryHandle;
  }

  return disk;
}
