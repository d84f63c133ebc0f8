import {
  type Constraint,
  type DialectId,
  type Engine,
  EngineError,
  type FinishReason,
  type GenerateChunk,
  type GenerateRequest,
  type ModelChoice,
  type Usage,
} from '../agent/engine';
import { type ChunkQueue, createChunkQueue } from './chunk-queue';
import { onMirror, splitUrls, toFileUrl } from './downloads/mirror';
import { readableBytes } from './downloads/sizes';
import type { ModelSource, ModelStore, StoredModel } from './downloads/store';
import { callsGrammar } from './gbnf';
import type { Machine } from './machine';
import { dialectOf } from './models/dialect-of';
import type { GgufSummary } from './models/gguf';
import { GGUF_CATALOG, type GgufModel } from './models/gguf-catalog';
import { createTokenCounter } from './tokens';
import { type Turn, toTurns } from './turns';

/** The part of `@wllama/wllama` that is used. */
export interface WllamaModule {
  Wllama: new (
    paths: { default: string },
    config: { logger: WllamaLogger; suppressNativeLog: boolean },
  ) => WllamaInstance;
}
interface WllamaLogger {
  debug(...data: unknown[]): void;
  log(...data: unknown[]): void;
  warn(...data: unknown[]): void;
  error(...data: unknown[]): void;
}
interface LoadParams {
  n_ctx: number;
  n_batch: number;
  n_ubatch: number;
  n_parallel: number;
  n_gpu_layers: number | undefined;
  n_threads: number | undefined;
  jinja: boolean;
  reasoning: boolean;
  reasoning_format: 'none';
  skip_chat_parsing: boolean;
  chat_template?: string;
}
interface ChatParams {
  messages: Turn[];
  stream: true;
  onData(chunk: ChatChunk): void;
  abortSignal: AbortSignal;
  max_tokens: number;
  temperature: number;
  cache_prompt: boolean;
  return_progress: boolean;
  timings_per_token: boolean;
  grammar?: string;
  response_format?: { type: 'json_schema'; json_schema: { name: string; schema: unknown } };
}
interface ChatChunk {
  choices: { delta: { content?: string | null }; finish_reason: string | null }[];
  timings?: {
    cache_n: number;
    prompt_n: number;
    predicted_n: number;
    predicted_per_second: number;
  };
  prompt_progress?: { total: number; cache: number; processed: number };
}
export interface WllamaInstance {
  setCompat(compat: null): void;
  loadModel(files: Blob[], params: LoadParams): Promise<void>;
  getLoadedContextInfo(): { n_ctx: number; n_vocab: number };
  createChatCompletion(params: ChatParams): Promise<void>;
  exit(): Promise<void>;
}

export interface WllamaDeps {
  store: ModelStore;
  machine: Machine;
  /** The packaged `wllama.wasm`; nothing is ever loaded from elsewhere. */
  wasmUrl: string;
  loadModule(): Promise<WllamaModule>;
  /** Base address that stands for the model hub, from the settings. */
  mirror(): string | undefined;
  now(): number;
  /** Memory64 and JSPI, which the packaged build needs (Chrome 137 and later have both). */
  wasmSupported(): boolean;
  catalog?: readonly GgufModel[];
}

interface Loaded {
  id: string;
  instance: WllamaInstance;
  dialect: DialectId;
  contextWindow: number;
}

const DEFAULT_WINDOW = 8192;
const MOST_WINDOW = 16_384;
/** What keys and values of the whole window may take; more would push small machines into swapping. */
const MOST_CACHE_BYTES = 768 * 1024 * 1024;
/** Prompt tokens between two looks at Stop: a processor takes seconds for 512 of a 1B model. */
const BATCH = { cpu: 128, gpu: 512 };
/** Near-greedy: calls should be the most probable ones, but a loop must be able to break. */
const TEMPERATURE = 0.1;

export function createWllama(deps: WllamaDeps): Engine {
  const catalog = deps.catalog ?? GGUF_CATALOG;
  const tokens = createTokenCounter();
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
    if (/^https?:\/\//.test(id)) {
      const url = toFileUrl(id);
      return { id, label: fileName(url), files: splitUrls(url).map((part) => ({ url: part })) };
    }
    throw new EngineError(
      'failed',
      id.startsWith('file:')
        ? `${id.slice(5)} is not in the store any more. Pick the file again.`
        : `There is no model called ${id}. Choose one of the list, a GGUF file or its address.`,
    );
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
      const stored = await deps.store.list();
      const models = catalog.map((model) => choiceOfCatalog(model, stored, deps.machine));
      const known = new Set(catalog.map((model) => model.id));
      for (const model of stored)
        if (!known.has(model.id)) models.push(choiceOfStored(model, deps.machine));
      return {
        id: 'wllama',
        label: 'llama.cpp (any GGUF model)',
        available: supported,
        ...(supported
          ? {}
          : { reason: 'This browser lacks WebAssembly features llama.cpp needs. Update Chrome.' }),
        models,
        ...(loaded ? { loaded: loaded.id } : {}),
      };
    },

    async load(model, progress, signal) {
      signal.throwIfAborted();
      const id = model ?? catalog[0]?.id;
      if (id === undefined) throw new EngineError('failed', 'No model was chosen.');
      if (loaded?.id === id) return;
      if (!deps.wasmSupported())
        throw new EngineError('unavailable', 'This browser cannot run llama.cpp. Update Chrome.');
      const blobs =
        (await deps.store.open(id)) ?? (await deps.store.download(sourceOf(id), progress, signal));
      const summary = (await deps.store.get(id))?.summary;
      await unload();
      signal.throwIfAborted();
      progress({ phase: 'prepare', done: 0, total: 1, text: 'Starting llama.cpp' });
      const entry = catalog.find((known) => known.id === id);
      loaded = await start(deps, { id, blobs, summary, entry }, signal);
      progress({ phase: 'prepare', done: 1, total: 1, text: 'Ready' });
    },

    async *generate(request, signal) {
      const current = loaded;
      if (!current) throw new EngineError('not-loaded', 'No model is loaded. Load one first.');
      const turns = toTurns(request.system, request.messages, current.dialect);
      const startedAt = deps.now();
      const stopped = new AbortController();
      const queue = createChunkQueue<ChatChunk>();
      const running = complete(
        current,
        request,
        turns,
        queue,
        AbortSignal.any([signal, stopped.signal]),
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
          if (chunk.prompt_progress) {
            const { processed, total, cache } = chunk.prompt_progress;
            usage.promptTokens = total;
            usage.reusedTokens = cache;
            yield { kind: 'prefill', done: processed, total };
          }
          readTimings(usage, chunk);
          const [choice] = chunk.choices;
          const text = choice?.delta.content ?? '';
          if (text !== '') {
            usage.firstTokenMs ||= deps.now() - startedAt;
            yield { kind: 'text', text };
          }
          if (choice?.finish_reason === 'length') finish = 'length';
        }
      } catch (error) {
        if (!signal.aborted) {
          const failure = inWords(error, current.contextWindow);
          // After an abort of the wasm module nothing in it can be trusted; its memory goes with it.
          if (failure.kind !== 'window' && loaded === current) await unload();
          throw failure;
        }
        finish = 'abort';
      } finally {
        // Also when the reader leaves early: the next request must find a free slot.
        stopped.abort();
        await running;
      }
      if (usage.promptTokens > 0)
        tokens.learn(turns.map((turn) => turn.content).join('\n'), usage.promptTokens);
      yield { kind: 'end', finish, usage } satisfies GenerateChunk;
    },

    countTokens: (text) => tokens.count(text),
    unload,
  };
}

/** Runs one request to its end; never rejects, as the queue carries the error. */
async function complete(
  { instance }: Loaded,
  request: GenerateRequest,
  messages: Turn[],
  queue: ChunkQueue<ChatChunk>,
  abortSignal: AbortSignal,
): Promise<void> {
  const base: ChatParams = {
    messages,
    stream: true,
    onData: (chunk) => queue.push(chunk),
    abortSignal,
    max_tokens: request.maxTokens,
    temperature: TEMPERATURE,
    cache_prompt: true,
    return_progress: true,
    timings_per_token: true,
  };
  try {
    await instance.createChatCompletion({ ...base, ...constrained(request.constraint) });
    queue.end();
  } catch (error) {
    queue.fail(error);
  }
}

function constrained(
  constraint: Constraint | undefined,
): Pick<ChatParams, 'grammar' | 'response_format'> {
  if (constraint?.kind === 'json') {
    return {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'reply', schema: constraint.schema },
      },
    };
  }
  const grammar = constraint && callsGrammar(constraint.dialect, constraint.tools);
  return grammar === undefined ? {} : { grammar };
}

async function start(
  deps: WllamaDeps,
  model: { id: string; blobs: Blob[]; summary?: GgufSummary; entry?: GgufModel },
  signal: AbortSignal,
): Promise<Loaded> {
  const { Wllama } = await deps.loadModule();
  signal.throwIfAborted();
  const complaints: string[] = [];
  const note = (...data: unknown[]) => {
    const text = data.map(String).join(' ');
    if (complaints.length < 20 && /error|fail|unsupported|unknown/i.test(text))
      complaints.push(text.trim());
  };
  const silent = () => {};
  const instance = new Wllama(
    { default: deps.wasmUrl },
    {
      logger: { debug: silent, log: silent, warn: note, error: note },
      suppressNativeLog: false,
    },
  );
  instance.setCompat(null);
  const gpu = (await deps.machine.gpu())?.shaderF16 === true;
  const batch = gpu ? BATCH.gpu : BATCH.cpu;
  const window = windowOf(model.entry, model.summary);
  const stop = () => {
    void instance.exit();
  };
  signal.addEventListener('abort', stop);
  try {
    await instance.loadModel(model.blobs, {
      n_ctx: window,
      n_batch: batch,
      n_ubatch: batch,
      // One conversation at a time: a second slot would halve the chance of finding the prompt in the cache.
      n_parallel: 1,
      n_gpu_layers: gpu ? undefined : 0,
      n_threads: deps.machine.isolated ? Math.max(1, deps.machine.cores - 1) : undefined,
      jinja: true,
      // A small model's thoughts cost a processor minutes; the loop asks step by step instead.
      reasoning: false,
      reasoning_format: 'none',
      skip_chat_parsing: true,
    });
    signal.throwIfAborted();
    const info = instance.getLoadedContextInfo();
    // loadModel() resolves also when llama.cpp refused the file.
    if (!(info.n_vocab > 0)) throw new Error('llama.cpp did not accept the file');
    return {
      id: model.id,
      instance,
      dialect: model.entry?.dialect ?? dialectOf(model.summary ?? {}),
      contextWindow: info.n_ctx > 0 ? info.n_ctx : window,
    };
  } catch (error) {
    await instance.exit();
    signal.throwIfAborted();
    throw loadTrouble(error, complaints, model.blobs);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function windowOf(entry: GgufModel | undefined, summary: GgufSummary | undefined): number {
  const trained = summary?.contextLength ?? DEFAULT_WINDOW;
  if (entry) return Math.min(entry.contextWindow, trained);
  const perToken = summary?.cacheBytesPerToken;
  const affordable = perToken
    ? Math.floor(MOST_CACHE_BYTES / perToken / 256) * 256
    : DEFAULT_WINDOW;
  return Math.max(1024, Math.min(trained, affordable, MOST_WINDOW));
}

function readTimings(usage: Usage, { timings }: ChatChunk): void {
  if (!timings) return;
  usage.promptTokens = timings.cache_n + timings.prompt_n;
  usage.reusedTokens = timings.cache_n;
  usage.completionTokens = timings.predicted_n;
  usage.tokensPerSecond = timings.predicted_per_second;
}

function loadTrouble(error: unknown, complaints: string[], blobs: Blob[]): EngineError {
  const said = [error instanceof Error ? error.message : String(error), ...complaints].join('; ');
  if (
    /out of memory|enlarge memory|bad_alloc|failed to allocate|allocation|memory access/i.test(said)
  ) {
    return new EngineError(
      'memory',
      'There is not enough memory for this model. Close other tabs or choose a smaller model.',
      { cause: error },
    );
  }
  const large = blobs.find((blob) => blob.size > 2 ** 31);
  if (large) {
    return new EngineError(
      'failed',
      `llama.cpp could not load a single file of ${readableBytes(large.size)}. Above 2 GB use a split model (names like model-00001-of-00003.gguf) or a smaller one.`,
      { cause: error },
    );
  }
  return new EngineError(
    'failed',
    `llama.cpp could not load this model: ${said.slice(0, 300)}. Its kind may be too new for this version; choose another model.`,
    { cause: error },
  );
}

function inWords(error: unknown, window: number): EngineError {
  const said = error instanceof Error ? error.message : String(error);
  if (/context size|exceed_context|n_ctx|kv_cache_full/i.test(said)) {
    return new EngineError(
      'window',
      `The conversation is longer than the ${window} tokens this model can read. Start a new chat or choose a model with a larger window.`,
      { cause: error },
    );
  }
  if (/device.*lost|lost.*device/i.test(said)) {
    return new EngineError(
      'device-lost',
      'The graphics card was lost. The chat is kept; load the model again to go on.',
      { cause: error },
    );
  }
  if (/out of memory|enlarge memory|bad_alloc|failed to allocate/i.test(said)) {
    return new EngineError(
      'memory',
      'llama.cpp ran out of memory. The chat is kept; load a smaller model to go on.',
      { cause: error },
    );
  }
  return new EngineError(
    'failed',
    `llama.cpp stopped: ${said.slice(0, 300)}. The chat is kept; load the model again to go on.`,
    { cause: error },
  );
}

function choiceOfCatalog(model: GgufModel, stored: StoredModel[], machine: Machine): ModelChoice {
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
}

function choiceOfStored(model: StoredModel, machine: Machine): ModelChoice {
  const sizeBytes = model.totalBytes ?? model.bytes;
  const memoryBytes = neededMemory(sizeBytes);
  return {
    id: model.id,
    label: model.complete ? model.label : `${model.label} (unfinished download)`,
    sizeBytes,
    memoryBytes,
    contextWindow: windowOf(undefined, model.summary),
    dialect: dialectOf(model.summary ?? {}),
    installed: model.complete,
    ...blockedBy(memoryBytes, machine),
  };
}

/** An estimate: the file, its cache and working buffers. */
function neededMemory(sizeBytes: number): number {
  return Math.round(sizeBytes * 1.25);
}

function blockedBy(bytes: number, { memoryBytes }: Machine): { blocked?: string } {
  if (memoryBytes === undefined || bytes <= memoryBytes * 0.7) return {};
  return {
    blocked: `It needs about ${readableBytes(bytes)} of memory; this machine has ${readableBytes(memoryBytes)} for everything.`,
  };
}

function fileName(url: string): string {
  const { pathname } = new URL(url);
  return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1)).replace(/\.gguf$/i, '');
}
