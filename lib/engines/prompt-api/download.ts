import type { LoadProgress } from '../../agent/engine';
import { createErrorText } from './errors';
import { type LanguageModelApi, languageOptions } from './language-model';

/**
 * Starts Chrome's download of its model, and follows it to its end. To be called in a view, from a
 * click: Chrome wants a user's gesture for it, and the host has none.
 * @throws EngineError; the signal's reason (Chrome's download itself goes on then)
 */
export async function downloadPromptApi(
  api: LanguageModelApi,
  language: string,
  progress: (p: LoadProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const session = await api.create({
      ...languageOptions(language),
      signal,
      monitor: (monitor) => reportDownload(monitor, progress),
    });
    session.destroy();
  } catch (error) {
    signal.throwIfAborted();
    throw createErrorText(error);
  }
}

/** Chrome tells a share, not bytes. */
export function reportDownload(monitor: EventTarget, progress: (p: LoadProgress) => void): void {
  monitor.addEventListener('downloadprogress', (event) => {
    const { loaded } = event as ProgressEvent;
    progress({
      phase: 'prepare',
      done: loaded,
      total: 1,
      text: loaded < 1 ? `Chrome downloads its model: ${Math.floor(loaded * 100)} %` : 'Starting',
    });
  });
}
