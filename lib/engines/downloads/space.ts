import { EngineError } from '../../agent/engine';
import { say } from '../../said/say';
import type { ModelStoreDeps } from './model';

/** Room the browser needs beside the model: its own bookkeeping, the compiled engine, history. */
const SPARE_BYTES = 64 * 1024 * 1024;

/**
 * Asks the browser to keep what is stored, and whether the bytes fit.
 * @throws EngineError `storage`
 */
export async function requireSpace(
  deps: Pick<ModelStoreDeps, 'persist' | 'estimate'>,
  label: string,
  bytes: number,
): Promise<void> {
  await deps.persist().catch(() => false);
  const { usage = 0, quota } = await deps.estimate();
  if (quota === undefined) return;
  const free = quota - usage;
  if (bytes + SPARE_BYTES > free) {
    throw new EngineError(
      'storage',
      say('space-needed', label, { bytes }, { bytes: Math.max(0, free) }),
    );
  }
}
