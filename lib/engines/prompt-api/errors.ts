import { EngineError } from '../../agent/engine';

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** Why no session could be had. */
export function createErrorText(error: unknown): EngineError {
  const cause = { cause: error };
  switch (nameOf(error)) {
    case 'NotAllowedError':
      return new EngineError(
        'needs-click',
        'Chrome downloads its built-in model only after a click. Press “Download” in the panel.',
        cause,
      );
    case 'NotSupportedError':
      return new EngineError(
        'unavailable',
        "Chrome's built-in model cannot be used here: it does not support this machine or language. Choose another engine.",
        cause,
      );
    case 'QuotaExceededError':
      return windowError(error);
    default:
      return new EngineError(
        'failed',
        `Chrome's built-in model did not start (${String(error)}). Try again, or choose another engine.`,
        cause,
      );
  }
}

export function windowError(
  error: unknown,
  facts?: { needed: number; window: number },
): EngineError {
  const { requested, quota } = { ...(error as { requested?: number; quota?: number } | undefined) };
  const needed = facts?.needed ?? requested;
  const window = facts?.window ?? quota;
  const numbers =
    needed !== undefined && window !== undefined
      ? ` (${Math.round(needed)} of ${Math.round(window)} tokens)`
      : '';
  return new EngineError(
    'window',
    `The conversation is longer than Chrome's built-in model can read${numbers}. Start a new chat, or choose an engine with a larger window.`,
    error === undefined ? undefined : { cause: error },
  );
}

/** Why a reply ended early. */
export function promptErrorText(error: unknown): EngineError {
  switch (nameOf(error)) {
    case 'QuotaExceededError':
      return windowError(error);
    case 'InvalidStateError':
      return new EngineError(
        'device-lost',
        "Chrome's built-in model was shut down. The chat is kept; load it again to go on.",
        { cause: error },
      );
    default:
      return new EngineError(
        'failed',
        `Chrome's built-in model stopped (${String(error)}). The chat is kept; try again, or choose another engine.`,
        { cause: error },
      );
  }
}
