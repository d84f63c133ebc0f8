import { EngineError } from '../../agent/engine';
import { say } from '../../said/say';

function words(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Why a model could not be started. */
export function loadTrouble(error: unknown, label: string): EngineError {
  const said = words(error);
  const cause = { cause: error };
  if (/LinkError|CompileError|WebAssembly|magic word/i.test(said)) {
    return new EngineError('unavailable', say('program-mismatch', label), cause);
  }
  if (/device.{0,200}lost/i.test(said)) {
    return new EngineError('device-lost', say('gpu-gave-up', label), cause);
  }
  if (/out of memory|allocation|RangeError/i.test(said)) {
    return new EngineError('memory', say('memory-short', label), cause);
  }
  if (
    /ShaderF16|FeatureSupport|WebGPUNotAvailable|WebGPUNotFound|Cannot initialize runtime/i.test(
      said,
    )
  ) {
    return new EngineError('unavailable', say('gpu-cannot-run', label, said.slice(0, 200)), cause);
  }
  return new EngineError('failed', say('model-not-started', label, said.slice(0, 300)), cause);
}

/** Why a reply ended early. All but `window` leave the engine unusable until it is loaded again. */
export function requestTrouble(error: unknown): EngineError {
  const said = words(error);
  const cause = { cause: error };
  if (/ContextWindowSizeExceeded/i.test(said)) {
    return new EngineError('window', say('window-exceeded'), cause);
  }
  // After a loss the package unloads by itself, so the next request finds nothing loaded.
  if (/lost|ModelNotLoaded|disposed|destroyed/i.test(said)) {
    return new EngineError('device-lost', say('gpu-lost'), cause);
  }
  if (/out of memory|allocation/i.test(said)) {
    return new EngineError('memory', say('gpu-memory'), cause);
  }
  return new EngineError('failed', say('model-stopped', said.slice(0, 300)), cause);
}
