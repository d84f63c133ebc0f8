import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { EngineError, type LoadProgress } from '../../agent/engine';
import { say } from '../../said/say';
import { type GgufSummary, readGguf } from '../models/gguf';
import { piecesOf } from '../pieces';

/**
 * Checks what the publisher said of the files, then what the files say themselves.
 * @throws EngineError `corrupt`; the signal's reason
 */
export async function verifyModel(
  files: { size?: number; sha256?: string }[],
  blobs: Blob[],
  progress: (p: LoadProgress) => void,
  signal: AbortSignal,
): Promise<GgufSummary> {
  const total = blobs.reduce((sum, blob) => sum + blob.size, 0);
  let done = 0;
  for (const [i, blob] of blobs.entries()) {
    const expected = files[i]?.sha256;
    if (expected === undefined) {
      done += blob.size;
      continue;
    }
    let reported = 0;
    const actual = await sha256Of(blob, signal, (bytes) => {
      done += bytes;
      if (done - reported > total / 100) {
        reported = done;
        progress({ phase: 'verify', done: done / total, total: 1 });
      }
    });
    if (actual !== expected) throw new EngineError('corrupt', say('file-differs'));
  }
  const [first, ...rest] = blobs;
  if (!first) throw new EngineError('failed', say('model-without-files'));
  const summary = await readGguf(first);
  for (const blob of rest) await readGguf(blob);
  const count = summary.split?.count ?? 1;
  if (count !== blobs.length) {
    throw new EngineError('corrupt', say('parts-needed', summary.split?.index ?? 1, count));
  }
  return summary;
}

/** SHA-256 of a blob of any size, in hexadecimal; `onBytes` gets the size of each piece read. */
export async function sha256Of(
  blob: Blob,
  signal: AbortSignal,
  onBytes: (bytes: number) => void = () => {},
): Promise<string> {
  const hash = sha256.create();
  for await (const chunk of piecesOf(blob.stream())) {
    signal.throwIfAborted();
    hash.update(chunk);
    onBytes(chunk.length);
  }
  return bytesToHex(hash.digest());
}
