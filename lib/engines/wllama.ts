import {
  type Constraint,
  type Engine,
  EngineError,
  type FinishReason,
  type GenerateChunk,
  type GenerateRequest,
  type Usage,
} from '../agent/engine';
import { say } from '../said/say';
import { type ChunkQueue, createChunkQueue } from './chunk-queue';
import { onMirror, splitUrls, toFileUrl } from './downloads/mirror';
import type { ModelSource } from './downloads/model';
import type { ModelStore } from './downloads/store';
import { callsGrammar, jsonGrammar } from './gbnf';
import { GGUF_CATALOG, type GgufModel } from './models/gguf-catalog';
import { createTokenCounter } from './tokens';
import { type Turn, toTurns } from './turns';
import { createTurnstile } from './turnstile';
import { DEFAULT_WINDOW, modelChoices } from './wllama/choices';
import { requestTrouble } from './wllama/errors';
import type { ChatChunk, ChatParams } from './wllama/package';
import { type Loaded, type StartDeps, startLlama } from './wllama/start';

export interface WllamaDeps extends StartDeps {
  store: ModelStore;
  /** Base address that stands for the model hub, from the settings. */
  mirror(): string | undefined;
  now(): number;
  /** Memory64 and JSPI, which the packaged build needs (Chrome 137 and later have both). */
  wasmSupported(): boolean;
  catalog?: readonly GgufModel[];
}

/** Near-greedy: calls should be the most probable ones, but a loop must be able to break. */
const TEMPERATURE = 0.1;
const TOO_OLD = say('browser-too-old');

/**
 * llama.cpp in WebAssembly, on the graphics card where it can, else on the processor. Models are ids of
 * the catalogue, addresses of GGUF files, or `file:NAME` for files the user picked.
 */
export function createWllama(deps: WllamaDeps): Engine {
  const catalog = deps.catalog ?? GGUF_CATALOG;
  const tokens = createTokenCounter();
  const gate = createTurnstile();
  let loaded: Loaded | undefined;

  async function unload(): Promise<void> {
    const instance = loaded?.instance;
    loaded = undefined;
    tokens.reset();
    await instance?.exit();
  }

  function sourceOf(id: string): ModelSource {
    const entry = catalog.find((model) => model.id === id);
    if (entry) {
      const files = splitUrls(onMirror(entry.url, deps.mirror())).map((url) => ({ url }));
      return { id, label: entry.label, files };
    }
    if (/^https?:\/\//.test(id) && URL.canParse(id)) {
      const url = toFileUrl(id);
      return { id, label: fileName(url), files: splitUrls(url).map((part) => ({ url: part })) };
    }
    throw new EngineError(
      'failed',
      id.startsWith('file:') ? say('file-not-stored', id.slice(5)) : say('model-unknown', id),
    );
  }

  /** What is here goes before what would have to be downloaded. */
  async function preferred(): Promise<string | undefined> {
    const there = new Set((await deps.store.list()).filter((m) => m.complete).map((m) => m.id));
    return catalog.find((model) => there.has(model.id))?.id ?? [...there][0] ?? catalog[0]?.id;
  }

  return {
    id: 'wllama',
    get dialect() {
      return loaded?.dialect ?? catalog[0]?.dialect ?? 'hermes';
    },
    get contextWindow() {
      return loaded?.contextWindow ?? catalog[0]?.contextWindow ?? DEFAULT_WINDOW;
    },

    async describe() {
      const supported = deps.wasmSupported();
      return {
        id: 'wllama',
        label: 'llama.cpp (any GGUF model)',
        available: supported,
        ...(supported ? {} : { reason: TOO_OLD }),
        models: modelChoices(catalog, await deps.store.list(), deps.machine),
        ...(loaded ? { loaded: loaded.id } : {}),
      };
    },

    async load(model, progress, signal) {
      signal.throwIfAborted();
      const id = model ?? (await preferred());
      if (id === undefined) throw new EngineError('failed', say('no-model-chosen'));
      if (loaded?.id === id) return;
      if (!deps.wasmSupported()) throw new EngineError('unavailable', TOO_OLD);
      const blobs =
        (await deps.store.open(id)) ?? (await deps.store.download(sourceOf(id), progress, signal));
      const summary = (await deps.store.get(id))?.summary;
      await unload();
      signal.throwIfAborted();
      progress({ phase: 'prepare', done: 0, total: 1 });
      const entry = catalog.find((known) => known.id === id);
      loaded = await startLlama(deps, { id, blobs, summary, entry }, signal);
      progress({ phase: 'prepare', done: 1, total: 1 });
    },

    generate: (request, signal) => gate.through(() => answer(request, signal)),

    countTokens: (text) => tokens.count(text),
    unload,

    async deleteModel(id) {
      if (loaded?.id === id) await unload();
      await deps.store.delete(id);
    },
  };

  async function* answer(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateChunk> {
    const current = loaded;
    if (!current) throw new EngineError('not-loaded', say('no-model-loaded'));
    const turns = toTurns(request.system, request.messages, current.dialect);
    const startedAt = deps.now();
    const left = new AbortController();
    const queue = createChunkQueue<ChatChunk>();
    const running = complete(
      current,
      request,
      turns,
      queue,
      AbortSignal.any([signal, left.signal]),
    );
    const usage: Usage = {
      promptTokens: 0,
      reusedTokens: 0,
      completionTokens: 0,
      firstTokenMs: 0,
      tokensPerSecond: 0,
    };
    let finish: FinishReason = 'stop';
    try {
      for await (const chunk of queue) {
        readUsage(usage, chunk);
        if (chunk.prompt_progress) {
          const { processed, total } = chunk.prompt_progress;
          yield { kind: 'prefill', done: processed, total };
        }
        const [choice] = chunk.choices;
        const text = choice?.delta.content ?? '';
        if (text !== '' && !signal.aborted) {
          usage.firstTokenMs ||= deps.now() - startedAt;
          yield { kind: 'text', text };
        }
        if (choice?.finish_reason === 'length') finish = 'length';
      }
    } catch (error) {
      if (!signal.aborted) {
        const failure = requestTrouble(error, current.contextWindow);
        // After a failure inside the module nothing in it can be trusted; its memory goes with it.
        if (failure.kind !== 'window' && loaded === current) await unload();
        throw failure;
      }
    } finally {
      // Also when the reader leaves early: the next request must find a free slot.
      left.abort();
      await running;
    }
    if (usage.promptTokens > 0)
      tokens.learn(turns.map((turn) => turn.content).join('\n'), usage.promptTokens);
    yield { kind: 'end', finish: signal.aborted ? 'abort' : finish, usage };
  }
}

/** Runs one request to its end; never rejects, as the queue carries the error. */
async function complete(
  { instance }: Loaded,
  request: GenerateRequest,
  messages: Turn[],
  queue: ChunkQueue<ChatChunk>,
  abortSignal: AbortSignal,
): Promise<void> {
  const grammar = grammarOf(request.constraint);
  const params: ChatParams = {
    messages,
    stream: true,
    onData: (chunk) => queue.push(chunk),
    abortSignal,
    max_tokens: request.maxTokens,
    temperature: TEMPERATURE,
    cache_prompt: true,
    return_progress: true,
    timings_per_token: true,
    ...(grammar === undefined ? {} : { grammar }),
  };
  try {
    await instance.createChatCompletion(params);
    queue.end();
  } catch (error) {
    queue.fail(error);
  }
}

function grammarOf(constraint: Constraint | undefined): string | undefined {
  switch (constraint?.kind) {
    case 'json':
      return jsonGrammar(constraint.schema);
    case 'calls':
      return callsGrammar(constraint.dialect, constraint.tools);
    case undefined:
      return undefined;
  }
}

function readUsage(usage: Usage, { timings, prompt_progress: prefill }: ChatChunk): void {
  if (prefill) {
    usage.promptTokens = prefill.total;
    usage.reusedTokens = prefill.cache;
  }
  if (timings) {
    usage.promptTokens = timings.cache_n + timings.prompt_n;
    usage.reusedTokens = timings.cache_n;
    usage.completionTokens = timings.predicted_n;
    usage.tokensPerSecond = timings.predicted_per_second;
  }
}

function fileName(url: string): string {
  const { pathname } = new URL(url);
  const name = pathname.slice(pathname.lastIndexOf('/') + 1);
  return name.replace(/\.gguf$/i, '') || new URL(url).host;
}
