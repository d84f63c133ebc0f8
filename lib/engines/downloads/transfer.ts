import { EngineError } from '../../agent/engine';
import { type Listed, WordsError, wordsOfError } from '../../said/said';
import { say, sentences } from '../../said/say';
import { appendParts, removeParts, storedBytes } from './parts';

export interface TransferDeps {
  fetch: typeof fetch;
  /** Resolves after the time, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  partBytes?: number;
}

export interface Transfer {
  folder: FileSystemDirectoryHandle;
  /** Number of the file within its folder. */
  file: number;
  url: string;
  /** Published or remembered; the server's word counts where it is absent. */
  size?: number;
  /** From an earlier part of the same download: a file that changed since is begun anew. */
  etag?: string;
  /** Bytes in store whenever they change, and the total once it is known. */
  onBytes(done: number, total: number | undefined): unknown;
  /** Called before the first byte is written, with what the server says; may throw (no space). */
  onStart(answer: { size?: number; etag?: string; have: number }): Promise<void>;
}

/** Tries in a row without a single new byte. */
const MOST_TRIES = 5;
/** A line that gives nothing for so long is taken for dead. */
const STALL_MS = 45_000;

/** Worth another try: the line broke, the server was busy. */
class Broken extends WordsError {
  constructor(
    words: Listed,
    readonly waitMs?: number,
    options?: ErrorOptions,
  ) {
    super(words, options);
  }
}

/**
 * Downloads one file into its parts, from where an earlier attempt ended. Broken connections are
 * resumed by themselves a few times; what is stored stays stored, whatever happens.
 * @returns bytes of the finished file
 * @throws EngineError `download` or `storage`; the signal's reason when aborted
 */
export async function transferFile(
  deps: TransferDeps,
  job: Transfer,
  signal: AbortSignal,
): Promise<number> {
  let tries = 0;
  for (;;) {
    signal.throwIfAborted();
    const have = await storedBytes(job.folder, job.file, deps.partBytes);
    if (job.size !== undefined && have === job.size) {
      job.onBytes(have, job.size);
      return have;
    }
    if (job.size !== undefined && have > job.size) {
      await removeParts(job.folder, job.file);
      continue;
    }
    try {
      return await attempt(deps, job, have, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Broken)) throw error;
      const now = await storedBytes(job.folder, job.file, deps.partBytes);
      tries = now > have ? 1 : tries + 1;
      if (tries >= MOST_TRIES) {
        throw new EngineError(
          'download',
          say('download-stopped', sentences([wordsOfError(error)]), { bytes: now }),
          { cause: error },
        );
      }
      await deps.sleep(error.waitMs ?? 500 * 2 ** tries, signal);
    }
  }
}

async function attempt(
  deps: TransferDeps,
  job: Transfer,
  have: number,
  signal: AbortSignal,
): Promise<number> {
  const stalled = new AbortController();
  let moved = true;
  const watch = setInterval(() => {
    if (!moved) stalled.abort();
    moved = false;
  }, STALL_MS);
  try {
    const answer = await ask(deps, job, have, AbortSignal.any([signal, stalled.signal]));
    if (answer.restart) {
      await removeParts(job.folder, job.file);
      throw new Broken(say('broken-file-changed'), 0);
    }
    await job.onStart({ size: answer.size, etag: answer.etag, have: answer.from });
    job.size ??= answer.size;
    job.etag = answer.etag ?? job.etag;
    if (answer.from < have) await removeParts(job.folder, job.file);

    const writer = appendParts(job.folder, job.file, answer.from, deps.partBytes);
    const reader = answer.body.getReader();
    let failure: unknown;
    try {
      for (;;) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          throw new Broken(say('broken-connection'), undefined, { cause: error });
        });
        if (done) break;
        moved = true;
        await writer.write(value);
        job.onBytes(writer.length, job.size);
      }
    } catch (error) {
      failure = error;
      reader.cancel().catch(() => {});
    }
    try {
      await writer.close();
    } catch (error) {
      failure ??= error;
    }
    if (failure !== undefined) throw storageTrouble(failure);
    if (job.size !== undefined && writer.length < job.size) throw new Broken(say('broken-early'));
    if (job.size !== undefined && writer.length > job.size) {
      await removeParts(job.folder, job.file);
      throw new EngineError('corrupt', say('download-too-long'));
    }
    return writer.length;
  } finally {
    clearInterval(watch);
  }
}

interface Answer {
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
  from: number;
  size?: number;
  etag?: string;
  restart: boolean;
}

async function ask(
  deps: TransferDeps,
  job: Transfer,
  have: number,
  signal: AbortSignal,
): Promise<Answer> {
  const headers: Record<string, string> = {};
  if (have > 0) {
    headers['range'] = `bytes=${have}-`;
    // Weak validators may not be used here (RFC 9110, 13.1.5).
    if (job.etag !== undefined && !job.etag.startsWith('W/')) headers['if-range'] = job.etag;
  }
  let response: Response;
  try {
    response = await deps.fetch(job.url, { headers, signal, cache: 'no-store' });
  } catch (error) {
    throw new Broken(say('broken-unreachable', new URL(job.url).host), undefined, { cause: error });
  }
  const etag = response.headers.get('etag') ?? undefined;
  const nothing = { body: new ReadableStream<Uint8Array<ArrayBuffer>>(), from: 0 };
  if (response.status === 416) return { ...nothing, restart: true };
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw refusal(response, job.url);
  }
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    await response.body.cancel();
    throw new EngineError('download', say('not-a-model-file', job.url));
  }
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  if (response.status === 206) {
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '');
    const total = Number(range?.[2]);
    const changed = job.etag !== undefined && etag !== undefined && etag !== job.etag;
    if (Number(range?.[1]) !== have || changed) {
      await response.body.cancel();
      return { ...nothing, restart: true };
    }
    return {
      body: response.body,
      from: have,
      size: Number.isFinite(total) ? total : undefined,
      etag,
      restart: false,
    };
  }
  return {
    body: response.body,
    from: 0,
    // With a content encoding the length is that of the packed bytes.
    size: Number.isFinite(length) && !response.headers.get('content-encoding') ? length : undefined,
    etag,
    restart: false,
  };
}

function refusal(response: Response, url: string): Error {
  const { host } = new URL(url);
  const { status } = response;
  if (status === 429 || status >= 500) {
    const seconds = Number(response.headers.get('retry-after'));
    return new Broken(
      say('broken-answered', host, String(status)),
      seconds > 0 ? Math.min(seconds, 30) * 1000 : undefined,
    );
  }
  const why =
    status === 401 || status === 403
      ? say('refused-private')
      : status === 404 || status === 410
        ? say('refused-missing')
        : say('refused-status', String(status));
  return new EngineError('download', say('download-refused', host, sentences([why]), url));
}

/** Errors of the file system, in words; others as they are. */
export function storageTrouble(error: unknown): unknown {
  if (error instanceof DOMException && error.name === 'QuotaExceededError') {
    return new EngineError('storage', say('disk-full'), { cause: error });
  }
  return error;
}
