/**
 * One large file kept as numbered part files in a folder. A part that was closed survives a crash, so
 * a broken download goes on from the last one; and a `Blob` over the parts reads like the whole file
 * without a copy of it.
 */
export const PART_BYTES = 64 * 1024 * 1024;
/** Network chunks are small; one write per chunk would cost more than the download. */
const WRITE_BYTES = 1024 * 1024;

function partName(file: number, part: number): string {
  return `file-${file}.part-${String(part).padStart(5, '0')}`;
}

async function parts(folder: FileSystemDirectoryHandle, file: number): Promise<File[]> {
  const found: File[] = [];
  for (;;) {
    try {
      const handle = await folder.getFileHandle(partName(file, found.length));
      found.push(await handle.getFile());
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotFoundError') return found;
      throw error;
    }
  }
}

/** Bytes that are there from the start of the file on, without a gap. */
export async function storedBytes(
  folder: FileSystemDirectoryHandle,
  file: number,
  partBytes: number = PART_BYTES,
): Promise<number> {
  let bytes = 0;
  for (const part of await parts(folder, file)) {
    bytes += part.size;
    if (part.size < partBytes) break;
  }
  return bytes;
}

/** The file as one blob. Nothing is read or copied here. */
export async function openParts(folder: FileSystemDirectoryHandle, file: number): Promise<Blob> {
  return new Blob(await parts(folder, file));
}

export async function removeParts(folder: FileSystemDirectoryHandle, file: number): Promise<void> {
  const count = (await parts(folder, file)).length;
  for (let i = 0; i < count; i++) await folder.removeEntry(partName(file, i));
}

export interface PartWriter {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Bytes accepted so far, those before `offset` included. */
  readonly length: number;
  /** Keeps what was written. Must be called on every path, also after an error. */
  close(): Promise<void>;
}

/** Continues the file at `offset`, which must be what `storedBytes` said. */
export function appendParts(
  folder: FileSystemDirectoryHandle,
  file: number,
  offset: number,
  partBytes: number = PART_BYTES,
): PartWriter {
  let length = offset;
  let flushed = offset;
  let pending: Uint8Array<ArrayBuffer>[] = [];
  let stream: FileSystemWritableFileStream | undefined;

  async function flush(): Promise<void> {
    const blocks = pending;
    pending = [];
    for (const block of blocks) {
      let from = 0;
      while (from < block.length) {
        const within = flushed % partBytes;
        if (!stream) {
          const name = partName(file, Math.floor(flushed / partBytes));
          const handle = await folder.getFileHandle(name, { create: true });
          stream = await handle.createWritable({ keepExistingData: within > 0 });
          if (within > 0) await stream.seek(within);
        }
        const take = Math.min(block.length - from, partBytes - within);
        await writeOrGiveUp(stream, block.subarray(from, from + take));
        from += take;
        flushed += take;
        if (flushed % partBytes === 0) await closeStream();
      }
    }
  }
  /** A stream that failed once fails its closing too, which would hide why. */
  async function writeOrGiveUp(
    open: FileSystemWritableFileStream,
    block: Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    try {
      await open.write(block);
    } catch (error) {
      stream = undefined;
      await open.abort().catch(() => {});
      throw error;
    }
  }
  async function closeStream(): Promise<void> {
    const open = stream;
    stream = undefined;
    await open?.close();
  }

  return {
    get length() {
      return length;
    },
    async write(bytes) {
      pending.push(bytes);
      length += bytes.length;
      if (length - flushed >= WRITE_BYTES) await flush();
    },
    async close() {
      try {
        await flush();
      } finally {
        await closeStream();
      }
    },
  };
}
