import type { Engine, GenerateRequest } from '../agent/engine';
import { untilAborted } from '../agent/stop';
import { parseToolCalls } from '../calls/parse';
import type { Preview } from '../messages/host-api';
import { WordsError } from '../said/said';
import { say } from '../said/say';
import type { Settings } from '../settings/settings';
import { createToolRouter } from '../tools/router/router';
import type { Catalog, PageTool } from '../tools/tool';
import { dryRun } from './dry-run';

const RANKED = 50;
/** The router's default limit for a query. */
const MAX_QUERY = 4096;

/**
 * What a turn would do with the ask: the ranking, what the first step shows and leaves out and why,
 * the exact prompt, and the call each engine that is at hand makes of it. Runs no tool.
 */
export async function preview(options: {
  catalog: Catalog;
  ask: string;
  settings: Settings;
  engines: readonly Engine[];
  /** Id of the engine that is ready and free. */
  loaded: string | undefined;
  signal: AbortSignal;
  /** Aborts when a turn needs the model: its call is left out then. */
  busy: AbortSignal;
  now: number;
}): Promise<Preview> {
  const { catalog, ask, settings, engines, loaded, signal, now } = options;
  const chosenEngine = engines.find(({ id }) => id === settings.engine) ?? engines[0];
  if (!chosenEngine) throw new WordsError(say('no-engine'));
  const { chosen, request } = await dryRun(catalog, ask, settings, chosenEngine, now);
  const router = createToolRouter<PageTool & { id: string }>([], { onDuplicate: 'replace' });
  for (const tool of catalog.tools) {
    try {
      router.add({ ...tool, id: tool.key });
    } catch {
      // A definition the router refuses is not ranked; the list of tools says what is wrong with it.
    }
  }
  const ranked = router
    .search(ask.slice(0, MAX_QUERY), { limit: RANKED })
    .map(({ name, score, matchedFields }) => ({
      name,
      score: score ?? 0,
      matchedFields: [...matchedFields],
    }));
  const atHand = engines.filter(({ id }) => id === 'instant' || id === loaded);
  const calls: Preview['calls'] = [];
  for (const engine of atHand) {
    signal.throwIfAborted();
    const own =
      engine === chosenEngine
        ? request
        : (await dryRun(catalog, ask, settings, engine, now)).request;
    if (!own) continue;
    const text = await replyTo(engine, own, signal, options.busy);
    if (text === undefined) continue;
    const names = new Set(own.tools.map((tool) => tool.name));
    const read = parseToolCalls(text, names, { dialect: engine.dialect });
    const [call] = read.calls;
    calls.push({
      engine: engine.id,
      call: call ? { name: call.name, arguments: call.arguments } : null,
      text: read.text || read.errors.join('\n'),
    });
  }
  const offered = chosen?.offered ?? [];
  return {
    ranked,
    direct: offered.filter(({ why }) => why !== 'bridge').map(({ name }) => name),
    deferred: (chosen?.left ?? []).map(({ name }) => name),
    left: (chosen?.left ?? []).map(({ name, why }) => ({ name, why })),
    system: request?.system ?? '',
    budget: chosen?.budget,
    calls,
  };
}

/** The engine's reply; `undefined` where a turn took the engine away. */
async function replyTo(
  engine: Engine,
  request: GenerateRequest,
  signal: AbortSignal,
  busy: AbortSignal,
): Promise<string | undefined> {
  const either = AbortSignal.any([signal, busy]);
  const read = async () => {
    let text = '';
    for await (const chunk of engine.generate(request, either)) {
      if (chunk.kind === 'text') text += chunk.text;
    }
    return text;
  };
  try {
    return await untilAborted(read(), either);
  } catch (error) {
    signal.throwIfAborted();
    if (busy.aborted) return undefined;
    throw error;
  }
}
