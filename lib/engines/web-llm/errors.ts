import { EngineError } from '../../agent/engine';

function words(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Why a model could not be started. */
export function loadTrouble(error: unknown, label: string): EngineError {
  const said = words(error);
  const cause = { cause: error };
  if (/LinkError|CompileError|WebAssembly|magic word/i.test(said)) {
    return new EngineError(
      'unavailable',
      `The program for ${label} in this build does not fit this version. Choose another model or update Pagehand.`,
      cause,
    );
  }
  if (/device.*lost|DeviceLost/i.test(said)) {
    return new EngineError(
      'device-lost',
      `The graphics card gave up while loading ${label}; usually its memory is too small. Try a smaller model.`,
      cause,
    );
  }
  if (/out of memory|allocation|RangeError/i.test(said)) {
    return new EngineError(
      'memory',
      `There is not enough memory for ${label}. Close other tabs or choose a smaller model.`,
      cause,
    );
  }
  if (
    /ShaderF16|FeatureSupport|WebGPUNotAvailable|WebGPUNotFound|Cannot initialize runtime/i.test(
      said,
    )
  ) {
    return new EngineError(
      'unavailable',
      `The graphics card cannot run ${label}: ${said.slice(0, 200)}. Choose another model.`,
      cause,
    );
  }
  return new EngineError(
    'failed',
    `${label} could not be started: ${said.slice(0, 300)}. Try again, or delete the model and load it anew.`,
    cause,
  );
}

/** Why a reply ended early. All but `window` leave the engine unusable until it is loaded again. */
export function requestTrouble(error: unknown): EngineError {
  const said = words(error);
  const cause = { cause: error };
  if (/ContextWindowSizeExceeded/i.test(said)) {
    return new EngineError(
      'window',
      'The conversation is longer than this model can read. Start a new chat or choose a model with a larger window.',
      cause,
    );
  }
  // After a loss the package unloads by itself, so the next request finds nothing loaded.
  if (/lost|ModelNotLoaded|disposed|destroyed/i.test(said)) {
    return new EngineError(
      'device-lost',
      'The graphics card was lost. The chat is kept; load the model again to go on.',
      cause,
    );
  }
  if (/out of memory|allocation/i.test(said)) {
    return new EngineError(
      'memory',
      'The graphics card ran out of memory. The chat is kept; load a smaller model to go on.',
      cause,
    );
  }
  return new EngineError(
    'failed',
    `The model stopped: ${said.slice(0, 300)}. The chat is kept; load it again to go on.`,
    cause,
  );
}
