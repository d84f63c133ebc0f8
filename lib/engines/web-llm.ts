import {
  type Engine,
  type EngineDescription,
  EngineError,
  type FinishReason,
  type GenerateChunk,
  type GenerateRequest,
  type Usage,
} from '../agent/engine';
import { say } from '../said/say';
import type { Machine } from './machine';
import { createTokenCounter } from './tokens';
import { type Turn, toTurns } from './turns';
import { createTurnstile } from './turnstile';
import { baseUrl, cachedModel, deleteCached } from './web-llm/cache';
import { gpuTrouble, type Offer, offers, toChoice } from './web-llm/choices';
import { CURATED } from './web-llm/curated';
import { fillCaches, type WebLlmDownloadDeps } from './web-llm/download';
import { loadTrouble, requestTrouble } from './web-llm/errors';
import { createLoadReport } from './web-llm/load-progress';
import type { MlcEngine, WebLlmModule } from './web-llm/package';
import { responseFormat } from './web-llm/response-format';

export interface WebLlmDeps extends WebLlmDownloadDeps {
  machine: Machine;
  loadModule(): Promise<WebLlmModule>;
  /** File names of the model libraries in the package. */
  libraries(): Promise<string[]>;
  /** Address of a packaged library. */
  libraryUrl(name: string): string;
}

interface Loaded {
  offer: Offer;
  engine: MlcEngine;
  /** What the engine holds in its cache, to know when it can go on from there. */
  held?: { turns: Turn[]; tokens: number };
}

const TEMPERATURE = 0.2;

/** Models compiled for the graphics card (WebGPU), by MLC. */
export function createWebLlm(deps: WebLlmDeps): Engine {
  const tokens = createTokenCounter();
  const gate = createTurnstile();
  let loaded: Loaded | undefined;
  /** A load that was given up but that web-llm still works on. */
  let leaving: Promise<unknown> = Promise.resolve();

  async function offered(): Promise<Offer[]> {
    const gpu = await deps.machine.gpu();
    const trouble = gpuTrouble(gpu);
    if (!gpu || trouble) throw new EngineError('unavailable', trouble ?? say('no-gpu'));
    const [{ prebuiltAppConfig }, libraries] = await Promise.all([
      deps.loadModule(),
      deps.libraries(),
    ]);
    return offers(prebuiltAppConfig.model_list, gpu, new Set(libraries));
  }

  /** What is here goes before what would have to be downloaded. */
  async function preferred(list: Offer[]): Promise<Offer | undefined> {
    const usable = list.filter((offer) => offer.blocked === undefined);
    for (const offer of usable)
      if ((await cachedModel(deps.caches, baseUrl(offer.record.model))).complete) return offer;
    return usable[0] ?? list[0];
  }

  async function unload(): Promise<void> {
    const engine = loaded?.engine;
    loaded = undefined;
    tokens.reset();
    await engine?.unload();
  }

  async function start(
    offer: Offer,
    report: Parameters<Engine['load']>[1],
    signal: AbortSignal,
  ): Promise<Loaded> {
    const { MLCEngine } = await deps.loadModule();
    const engine = new MLCEngine({
      appConfig: {
        model_list: [{ ...offer.record, model_lib: deps.libraryUrl(offer.library) }],
        cacheBackend: 'cache',
      },
      initProgressCallback: createLoadReport((p) => {
        if (!signal.aborted) report(p);
      }),
      logLevel: 'WARN',
    });
    const loading = engine.reload(offer.record.model_id);
    let stop = () => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
    });
    signal.addEventListener('abort', stop);
    try {
      await Promise.race([loading, stopped]);
      // An aborted reload() resolves too, without a model.
      signal.throwIfAborted();
      return { offer, engine };
    } catch (error) {
      // Shaders compile on although nobody waits: the next load has to.
      leaving = engine
        .unload()
        .then(() => loading)
        .catch(() => {})
        .then(() => engine.unload())
        .catch(() => {});
      signal.throwIfAborted();
      throw loadTrouble(error, offer.curated.label);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  return {
    id: 'web-llm',
    get dialect() {
      return loaded?.offer.curated.dialect ?? CURATED[0]?.dialect ?? 'hermes';
    },
    get contextWindow() {
      return loaded?.offer.contextWindow ?? 4096;
    },

    async describe(): Promise<EngineDescription> {
      const base = { id: 'web-llm', label: 'WebLLM (graphics card)' } as const;
      const reason = gpuTrouble(await deps.machine.gpu());
      if (reason !== undefined) return { ...base, available: false, reason, models: [] };
      const models = await Promise.all(
        (await offered()).map(async (offer) =>
          toChoice(offer, await cachedModel(deps.caches, baseUrl(offer.record.model))),
        ),
      );
      const usable = models.some((model) => model.blocked === undefined);
      const why = models.find((model) => model.blocked !== undefined)?.blocked;
      return {
        ...base,
        available: usable,
        ...(usable || why === undefined ? {} : { reason: why }),
        models,
        ...(loaded ? { loaded: loaded.offer.record.model_id } : {}),
      };
    },

    async load(model, progress, signal) {
      signal.throwIfAborted();
      if (loaded && (model === undefined || loaded.offer.record.model_id === model)) return;
      const list = await offered();
      const offer =
        model === undefined
          ? await preferred(list)
          : list.find((known) => known.record.model_id === model);
      if (!offer) {
        throw new EngineError('failed', say('model-unknown-here', model ?? ''));
      }
      if (!offer.packaged)
        throw new EngineError('unavailable', offer.blocked ?? say('program-missing'));
      await fillCaches(
        deps,
        {
          id: offer.record.model_id,
          label: offer.curated.label,
          base: baseUrl(offer.record.model),
          manifest: offer.record.model_manifest,
        },
        progress,
        signal,
      );
      await unload();
      await leaving;
      signal.throwIfAborted();
      progress({ phase: 'prepare', done: 0, total: 1 });
      loaded = await start(offer, progress, signal);
    },

    generate: (request, signal) => gate.through(() => answer(request, signal)),

    countTokens: (text) => tokens.count(text),
    unload,

    async deleteModel(id) {
      const { prebuiltAppConfig } = await deps.loadModule();
      const record = prebuiltAppConfig.model_list.find((known) => known.model_id === id);
      if (!record) throw new EngineError('failed', say('model-unknown-here', id));
      if (loaded?.offer.record.model_id === id) await unload();
      await deleteCached(deps.caches, baseUrl(record.model));
      await (await deps.scratch()).removeEntry(id, { recursive: true }).catch(() => {});
    },
  };

  async function* answer(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateChunk> {
    const current = loaded;
    if (!current) throw new EngineError('not-loaded', say('no-model-loaded'));
    const { offer, engine } = current;
    const turns = toTurns(request.system, request.messages, offer.curated.dialect);
    const held = current.held;
    // web-llm goes on in its cache by the same rule, but does not tell.
    const reused = held && continues(held.turns, turns) ? held.tokens : 0;
    current.held = undefined;
    const startedAt = deps.now();
    const usage: Usage = {
      promptTokens: 0,
      reusedTokens: reused,
      completionTokens: 0,
      firstTokenMs: 0,
      tokensPerSecond: 0,
    };
    let finish: FinishReason = 'stop';
    let reply = '';
    const stop = () => engine.interruptGenerate();
    signal.addEventListener('abort', stop);
    try {
      signal.throwIfAborted();
      const format = responseFormat(request.constraint);
      const chunks = await engine.chat.completions.create({
        messages: turns,
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: request.maxTokens,
        temperature: TEMPERATURE,
        ...(format === undefined ? {} : { response_format: format }),
        ...(offer.curated.thinks ? { extra_body: { enable_thinking: false } } : {}),
      });
      for await (const chunk of chunks) {
        const [choice] = chunk.choices;
        const text = choice?.delta.content ?? '';
        reply += text;
        if (text !== '' && !signal.aborted) {
          usage.firstTokenMs ||= deps.now() - startedAt;
          yield { kind: 'text', text };
        }
        if (choice?.finish_reason === 'length') finish = 'length';
        if (choice?.finish_reason === 'abort') finish = 'abort';
        if (chunk.usage) {
          usage.promptTokens = reused + chunk.usage.prompt_tokens;
          usage.completionTokens = chunk.usage.completion_tokens;
          usage.tokensPerSecond = chunk.usage.extra.decode_tokens_per_s;
        }
      }
    } catch (error) {
      if (!signal.aborted) {
        const trouble = requestTrouble(error);
        if (trouble.kind !== 'window' && loaded === current) await unload().catch(() => {});
        throw trouble;
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
    if (signal.aborted) finish = 'abort';
    if (finish === 'stop' && usage.promptTokens > 0) {
      current.held = {
        turns: [...turns, { role: 'assistant', content: reply }],
        tokens: usage.promptTokens + usage.completionTokens,
      };
    }
    if (usage.promptTokens > 0)
      tokens.learn(turns.map((turn) => turn.content).join('\n'), usage.promptTokens);
    yield { kind: 'end', finish, usage };
  }
}

/** Exactly one user turn more than what is in the cache, and all before it word for word. */
function continues(held: Turn[], turns: Turn[]): boolean {
  return (
    turns.length === held.length + 1 &&
    held.every((turn, i) => turn.role === turns[i]?.role && turn.content === turns[i]?.content)
  );
}
