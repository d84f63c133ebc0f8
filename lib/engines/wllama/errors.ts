import { EngineError } from '../../agent/engine';
import { readableBytes } from '../downloads/sizes';

const NO_MEMORY = /out of memory|enlarge memory|bad_alloc|failed to allocate|allocation failed/i;

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why a model could not be loaded. */
export function loadTrouble(error: unknown, complaints: string[], blobs: Blob[]): EngineError {
  const said = [words(error), ...complaints].join('; ');
  const cause = { cause: error };
  if (NO_MEMORY.test(said)) {
    return new EngineError(
      'memory',
      'There is not enough memory for this model. Close other tabs or choose a smaller model.',
      cause,
    );
  }
  const large = blobs.find((blob) => blob.size > 2 ** 31);
  if (large) {
    return new EngineError(
      'failed',
      `llama.cpp could not load a single file of ${readableBytes(large.size)}. Above 2 GB use a split model (names like model-00001-of-00003.gguf) or a smaller one.`,
      cause,
    );
  }
  return new EngineError(
    'failed',
    `llama.cpp could not load this model: ${said.slice(0, 300)}. Its kind may be too new for this version; choose another model.`,
    cause,
  );
}

/** Why a request ended early. All but `window` leave the engine unusable until it is loaded again. */
export function requestTrouble(error: unknown, window: number): EngineError {
  const said = words(error);
  const cause = { cause: error };
  if (/context size|exceed_context|n_ctx|kv_cache_full/i.test(said)) {
    return new EngineError(
      'window',
      `The conversation is longer than the ${window} tokens this model can read. Start a new chat or choose a model with a larger window.`,
      cause,
    );
  }
  if (/device.{0,20}lost|lost.{0,20}device/i.test(said)) {
    return new EngineError(
      'device-lost',
      'The graphics card was lost. The chat is kept; load the model again to go on.',
      cause,
    );
  }
  if (NO_MEMORY.test(said)) {
    return new EngineError(
      'memory',
      'llama.cpp ran out of memory. The chat is kept; load a smaller model to go on.',
      cause,
    );
  }
  // What the package makes of an exception inside llama.cpp while it takes a request.
  if (/typed array length/i.test(said)) {
    return new EngineError(
      'failed',
      "llama.cpp refused the request; usually the model's chat template does not accept such a conversation. Load another model to go on.",
      cause,
    );
  }
  return new EngineError(
    'failed',
    `llama.cpp stopped: ${said.slice(0, 300)}. The chat is kept; load the model again to go on.`,
    cause,
  );
}
