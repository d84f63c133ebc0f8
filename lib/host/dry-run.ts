import type { Engine, GenerateRequest } from '../agent/engine';
import type { EventBody } from '../agent/events';
import { factsOf } from '../agent/facts';
import { runLocalAgent } from '../agent/run';
import { type Settings, siteSettings } from '../settings/settings';
import type { Catalog } from '../tools/tool';

export interface DryRun {
  /** What the engine would have been given; absent when the turn ended before. */
  request?: GenerateRequest;
  chosen?: Extract<EventBody, { type: 'tools-chosen' }>;
  advertised?: Extract<EventBody, { type: 'tools-advertised' }>;
}

/**
 * What the first step of a turn would be, by running the loop itself with an engine that takes the
 * prompt and says nothing. No tool runs, nothing is asked, nothing is stored.
 */
export async function dryRun(
  catalog: Catalog,
  ask: string,
  settings: Settings,
  engine: Pick<Engine, 'id' | 'dialect' | 'contextWindow' | 'countTokens'>,
  now: number,
): Promise<DryRun> {
  const found: DryRun = {};
  const stop = new AbortController();
  const silent: Engine = {
    id: engine.id,
    dialect: engine.dialect,
    contextWindow: engine.contextWindow,
    countTokens: (text) => engine.countTokens(text),
    describe: () => Promise.reject(new Error('not asked in a dry run')),
    load: () => Promise.resolve(),
    unload: () => Promise.resolve(),
    // biome-ignore lint/correctness/useYield: it takes the prompt and ends the turn.
    async *generate(request) {
      found.request = request;
      stop.abort();
      stop.signal.throwIfAborted();
    },
  };
  await runLocalAgent({
    engine: silent,
    page: {
      collect: () => Promise.resolve(catalog),
      call: () => Promise.reject(new Error('not run in a dry run')),
    },
    user: {
      approve: () => Promise.reject(new Error('not asked in a dry run')),
      ask: () => Promise.reject(new Error('not asked in a dry run')),
    },
    emit(body) {
      if (body.type === 'tools-chosen') found.chosen ??= body;
      if (body.type === 'tools-advertised') found.advertised ??= body;
    },
    ask,
    history: { brief: '', exchanges: [] },
    settings: {
      ranking: settings.ranking,
      capture: true,
      site: (origin) => siteSettings(settings, origin),
    },
    facts: factsOf({
      now: new Date(now),
      language: settings.language,
      title: catalog.title,
      url: catalog.url,
    }),
    approvals: { remembered: new Set(), remember: () => {} },
    signal: stop.signal,
  }).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return found;
}
