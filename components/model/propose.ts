import type { EngineDescription, EngineId, ModelChoice } from '../../lib/agent/engine';

export interface Proposal {
  engine: EngineId;
  model: ModelChoice;
}

/** Best first: what the browser already has, then the GPU, then the CPU. */
const ORDER: readonly EngineId[] = ['prompt-api', 'web-llm', 'wllama'];
/** A first download people finish: about what a three-billion-parameter model takes. */
const BIGGEST_FIRST_DOWNLOAD = 2_500_000_000;

/**
 * What to offer on a machine where no model was chosen yet: an installed model before a download,
 * then the most capable that this machine runs and whose download is bearable. `null` when none is.
 */
export function proposeModel(engines: readonly EngineDescription[]): Proposal | null {
  const usable = ORDER.flatMap((id) => {
    const engine = engines.find((candidate) => candidate.id === id);
    if (!engine?.available) return [];
    return engine.models
      .filter((model) => !model.blocked)
      .map((model): Proposal => ({ engine: id, model }));
  });
  const installed = usable.filter(({ model }) => model.installed);
  const affordable = usable.filter(({ model }) => model.sizeBytes <= BIGGEST_FIRST_DOWNLOAD);
  for (const pool of [installed, affordable, usable]) {
    const engine = pool[0]?.engine;
    const best = pool
      .filter((choice) => choice.engine === engine)
      .sort((a, b) => b.model.sizeBytes - a.model.sizeBytes)[0];
    if (best) return best;
  }
  return null;
}
