import type { ModelChoice } from '../../agent/engine';
import type { Words } from '../../said/said';
import { say } from '../../said/say';
import type { StoredModel } from '../downloads/model';
import type { Machine } from '../machine';
import { dialectOf } from '../models/dialect-of';
import type { GgufSummary } from '../models/gguf';
import type { GgufModel } from '../models/gguf-catalog';

export const DEFAULT_WINDOW = 8192;
const MOST_WINDOW = 16_384;
/** What keys and values of the whole window may take; more would push small machines into swapping. */
const MOST_CACHE_BYTES = 768 * 1024 * 1024;

/** Tokens of context to load a model with. */
export function windowOf(entry: GgufModel | undefined, summary: GgufSummary | undefined): number {
  const trained = summary?.contextLength ?? DEFAULT_WINDOW;
  if (entry) return Math.min(entry.contextWindow, trained);
  const perToken = summary?.cacheBytesPerToken;
  const affordable = perToken
    ? Math.floor(MOST_CACHE_BYTES / perToken / 256) * 256
    : DEFAULT_WINDOW;
  return Math.max(1024, Math.min(trained, affordable, MOST_WINDOW));
}

/** The catalogue, then what else is in the store. */
export function modelChoices(
  catalog: readonly GgufModel[],
  stored: StoredModel[],
  machine: Machine,
): ModelChoice[] {
  const listed = catalog.map((model): ModelChoice => {
    const memoryBytes = neededMemory(model.sizeBytes);
    return {
      id: model.id,
      label: model.label,
      sizeBytes: model.sizeBytes,
      memoryBytes,
      contextWindow: model.contextWindow,
      dialect: model.dialect,
      licence: model.licence,
      languages: model.languages,
      goodAt: model.goodAt,
      installed: stored.some((known) => known.id === model.id && known.complete),
      ...blockedBy(memoryBytes, machine),
    };
  });
  const others = stored
    .filter((model) => !catalog.some((known) => known.id === model.id))
    .map((model): ModelChoice => {
      const sizeBytes = model.totalBytes ?? model.bytes;
      const memoryBytes = neededMemory(sizeBytes);
      return {
        id: model.id,
        label: model.label,
        sizeBytes,
        memoryBytes,
        contextWindow: windowOf(undefined, model.summary),
        dialect: dialectOf(model.summary ?? {}),
        installed: model.complete,
        ...(model.complete ? {} : { note: say('download-unfinished') }),
        ...blockedBy(memoryBytes, machine),
      };
    });
  return [...listed, ...others];
}

/** An estimate: the file, its cache and working buffers. */
function neededMemory(sizeBytes: number): number {
  return Math.round(sizeBytes * 1.25);
}

function blockedBy(bytes: number, { memoryBytes }: Machine): { blocked?: Words } {
  if (memoryBytes === undefined || bytes <= memoryBytes * 0.7) return {};
  return {
    blocked: say('memory-needed', { bytes }, { bytes: memoryBytes }),
  };
}
