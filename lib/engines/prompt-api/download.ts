import type { LoadProgress } from '../../agent/engine';
import { type LanguageModelApi, languageOptions } from './language-model';

/** How long Chrome may take to begin before the host is asked all the same. */
const BEGIN_MS = 5000;
const POLL_MS = 100;

/**
 * Has Chrome begin the download of its model, where one is needed. To be called in a view, from a
 * click: Chrome wants a user's gesture for it, and the host has none. Resolves as soon as it has begun;
 * the host's `load` follows it to its end, and tells what went wrong.
 */
export async function beginPromptApiDownload(
  api: LanguageModelApi | undefined,
  language: string,
  sleep: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
): Promise<void> {
  if (!api) return;
  const options = languageOptions(language);
  if ((await api.availability(options)) !== 'downloadable') return;
  let settled = false;
  api
    .create({ ...options, signal: new AbortController().signal })
    .then((session) => session.destroy())
    .catch(() => {})
    .finally(() => {
      settled = true;
    });
  for (let waited = 0; waited < BEGIN_MS && !settled; waited += POLL_MS) {
    await sleep(POLL_MS);
    if ((await api.availability(options)) !== 'downloadable') return;
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
    });
  });
}
