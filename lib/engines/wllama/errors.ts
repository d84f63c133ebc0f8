import { EngineError } from '../../agent/engine';
import { say } from '../../said/say';

const NO_MEMORY = /out of memory|enlarge memory|bad_alloc|failed to allocate|allocation failed/i;

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why a model could not be loaded. */
export function loadTrouble(error: unknown, complaints: string[], blobs: Blob[]): EngineError {
  const said = [words(error), ...complaints].join('; ');
  const cause = { cause: error };
  if (NO_MEMORY.test(said)) {
    return new EngineError('memory', say('memory-short-here'), cause);
  }
  const large = blobs.find((blob) => blob.size > 2 ** 31);
  if (large) {
    return new EngineError('failed', say('llama-file-too-large', { bytes: large.size }), cause);
  }
  return new EngineError('failed', say('llama-not-loaded', said.slice(0, 300)), cause);
}

/** Why a request ended early. All but `window` leave the engine unusable until it is loaded again. */
export function requestTrouble(error: unknown, window: number): EngineError {
  const said = words(error);
  const cause = { cause: error };
  if (/context size|exceed_context|n_ctx|kv_cache_full/i.test(said)) {
    return new EngineError('window', say('window-exceeded-by', window), cause);
  }
  if (/device.{0,20}lost|lost.{0,20}device/i.test(said)) {
    return new EngineError('device-lost', say('gpu-lost'), cause);
  }
  if (NO_MEMORY.test(said)) {
    return new EngineError('memory', say('llama-memory'), cause);
  }
  // What the package makes of an exception inside llama.cpp while it takes a request.
  if (/typed array length/i.test(said)) {
    return new EngineError('failed', say('llama-refused'), cause);
  }
  return new EngineError('failed', say('llama-stopped', said.slice(0, 300)), cause);
}
