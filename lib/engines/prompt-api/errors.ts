import { EngineError } from '../../agent/engine';
import { say } from '../../said/say';

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** Why no session could be had. */
export function createErrorText(error: unknown): EngineError {
  const cause = { cause: error };
  switch (nameOf(error)) {
    case 'NotAllowedError':
      return new EngineError('needs-click', say('nano-needs-click'), cause);
    case 'NotSupportedError':
      return new EngineError('unavailable', say('nano-unsupported'), cause);
    case 'QuotaExceededError':
      return windowError(error);
    default:
      return new EngineError('failed', say('nano-not-started', String(error)), cause);
  }
}

export function windowError(
  error: unknown,
  facts?: { needed: number; window: number },
): EngineError {
  const { requested, quota } = { ...(error as { requested?: number; quota?: number } | undefined) };
  const needed = facts?.needed ?? requested;
  const window = facts?.window ?? quota;
  return new EngineError(
    'window',
    needed !== undefined && window !== undefined
      ? say('nano-window-by', Math.round(needed), Math.round(window))
      : say('nano-window'),
    error === undefined ? undefined : { cause: error },
  );
}

/** Why a reply ended early. */
export function promptErrorText(error: unknown): EngineError {
  switch (nameOf(error)) {
    case 'QuotaExceededError':
      return windowError(error);
    case 'InvalidStateError':
      return new EngineError('device-lost', say('nano-shut-down'), { cause: error });
    default:
      return new EngineError('failed', say('nano-stopped', String(error)), { cause: error });
  }
}
