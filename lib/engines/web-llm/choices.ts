import type { ModelChoice } from '../../agent/engine';
import type { Words } from '../../said/said';
import { say, sentences } from '../../said/say';
import type { GpuFacts } from '../machine';
import type { CachedModel } from './cache';
import { CURATED, type CuratedModel, estimatedDownload } from './curated';
import type { ModelRecord } from './package';

/** A curated model with the build of it that fits this graphics card. */
export interface Offer {
  curated: CuratedModel;
  record: ModelRecord;
  f16: boolean;
  contextWindow: number;
  /** Name of its library within the package, and whether this build has it. */
  library: string;
  packaged: boolean;
  blocked?: Words;
}

const DEFAULT_WINDOW = 4096;

/**
 * Limits no model of the package runs without (it asks the adapter for them when it starts): ten
 * storage buffers a shader stage, 32 KiB of workgroup memory, buffers of 256 MiB bound in 128 MiB.
 */
export function gpuTrouble(gpu: GpuFacts | undefined): Words | undefined {
  if (!gpu) {
    return say('no-gpu');
  }
  const lacks =
    gpu.maxStorageBuffers < 10
      ? say('gpu-few-buffers')
      : gpu.maxWorkgroupBytes < 32_768
        ? say('gpu-small-shared')
        : gpu.maxBufferBytes < 2 ** 28 || gpu.maxBindingBytes < 2 ** 27
          ? say('gpu-small-buffers')
          : undefined;
  return lacks && say('gpu-limits', gpu.name, sentences([lacks]));
}

/** What of the curated list the installed package has, in the build for this card. */
export function offers(
  list: readonly ModelRecord[],
  gpu: GpuFacts,
  libraries: ReadonlySet<string>,
): Offer[] {
  const byId = new Map(list.map((record) => [record.model_id, record]));
  return CURATED.flatMap((curated): Offer[] => {
    const f16 = gpu.shaderF16 && byId.has(curated.f16);
    const record = byId.get(f16 ? curated.f16 : curated.f32);
    if (!record) return [];
    const library = record.model_lib.slice(record.model_lib.lastIndexOf('/') + 1);
    const packaged = libraries.has(library);
    const blocked = blockedBy(record, gpu, packaged);
    return [
      {
        curated,
        record,
        f16,
        contextWindow: record.overrides?.context_window_size ?? DEFAULT_WINDOW,
        library,
        packaged,
        ...(blocked === undefined ? {} : { blocked }),
      },
    ];
  });
}

function blockedBy(record: ModelRecord, gpu: GpuFacts, packaged: boolean): Words | undefined {
  if (!packaged) return say('program-missing');
  const buffer = record.buffer_size_required_bytes ?? 0;
  if (buffer > gpu.maxBindingBytes)
    return say('buffers-needed', { bytes: buffer }, { bytes: gpu.maxBindingBytes });
  // The list leaves the flag out of many builds that need it: their name tells.
  const f16 = record.required_features?.includes('shader-f16') || /q\df16/.test(record.model_id);
  if (f16 && !gpu.shaderF16) return say('f16-needed');
  if (gpu.software) return say('gpu-emulated');
  return undefined;
}

export function toChoice(offer: Offer, cached: CachedModel): ModelChoice {
  const { curated, record } = offer;
  return {
    id: record.model_id,
    label: curated.label,
    sizeBytes: cached.totalBytes ?? estimatedDownload(curated, offer.f16),
    ...(record.vram_required_MB === undefined
      ? {}
      : { memoryBytes: Math.round(record.vram_required_MB * 1e6) }),
    contextWindow: offer.contextWindow,
    dialect: curated.dialect,
    licence: curated.licence,
    languages: curated.languages,
    goodAt: curated.goodAt,
    installed: cached.complete,
    ...(offer.blocked === undefined ? {} : { blocked: offer.blocked }),
  };
}
