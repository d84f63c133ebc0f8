import type { DialectId } from '../../agent/engine';
import type { Machine } from '../machine';
import { dialectOf } from '../models/dialect-of';
import type { GgufSummary } from '../models/gguf';
import type { GgufModel } from '../models/gguf-catalog';
import { windowOf } from './choices';
import { loadTrouble } from './errors';
import type { WllamaInstance, WllamaModule } from './package';
import { isPastThreads, orTimeOut, threadsFor } from './threads';

export interface StartDeps {
  machine: Machine;
  /** The packaged `wllama.wasm`; nothing is ever loaded from elsewhere. */
  wasmUrl: string;
  loadModule(): Promise<WllamaModule>;
  /** Rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface Loadable {
  id: string;
  blobs: Blob[];
  summary?: GgufSummary;
  entry?: GgufModel;
}

export interface Loaded {
  id: string;
  instance: WllamaInstance;
  dialect: DialectId;
  contextWindow: number;
}

/** Prompt tokens between two looks at Stop: a processor takes seconds for 512 of a 1B model. */
const BATCH = { cpu: 128, gpu: 512 };

/** For models whose own template llama.cpp cannot read: the form most small models have seen. */
const CHATML =
  "{%- for m in messages -%}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{%- endfor -%}" +
  "{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}";

interface Plan {
  threads: number;
  gpu: boolean;
  /** In place of the model's own. */
  template?: string;
}

/**
 * Starts llama.cpp in a worker of its own and gives it the model. What it refuses is tried again in a
 * simpler way where there is one.
 * @throws EngineError; the signal's reason
 */
export async function startLlama(
  deps: StartDeps,
  model: Loadable,
  signal: AbortSignal,
): Promise<Loaded> {
  // Without f16 shaders llama.cpp computes on the processor anyway.
  const gpu = (await deps.machine.gpu())?.shaderF16 === true;
  let plan: Plan | undefined = { gpu, threads: threadsFor(deps.machine, gpu) };
  for (;;) {
    const outcome: Attempt = await attempt(deps, model, plan, signal);
    if (outcome.kind === 'loaded') return outcome.loaded;
    plan = simpler(plan, outcome.complaints);
    if (!plan) throw loadTrouble(outcome.error, outcome.complaints, model.blobs);
  }
}

function simpler(plan: Plan, complaints: string[]): Plan | undefined {
  if (plan.template === undefined && complaints.some((text) => /chat.?template/i.test(text)))
    return { ...plan, template: CHATML };
  // Shared memory ends at 4 GB; a single thread may have more.
  return plan.threads > 1 ? { ...plan, threads: 1 } : undefined;
}

type Attempt =
  | { kind: 'loaded'; loaded: Loaded }
  | { kind: 'refused'; error: unknown; complaints: string[] };

async function attempt(
  deps: StartDeps,
  model: Loadable,
  { threads, gpu, template }: Plan,
  signal: AbortSignal,
): Promise<Attempt> {
  const { Wllama } = await deps.loadModule();
  signal.throwIfAborted();
  const complaints: string[] = [];
  const note = (...data: unknown[]) => {
    const text = data.map(String).join(' ').trim();
    if (complaints.length < 20 && /error|fail|unsupported|unknown/i.test(text))
      complaints.push(text);
  };
  const silent = () => {};
  const alive = new AbortController();
  const listen = (...data: unknown[]) => {
    if (isPastThreads(String(data[0]))) alive.abort();
  };
  const instance = new Wllama(
    { default: deps.wasmUrl },
    { logger: { debug: listen, log: silent, warn: note, error: note }, suppressNativeLog: false },
  );
  // Its other half, for browsers without JSPI, would be code from a content network.
  instance.setCompat(null);
  const batch = gpu ? BATCH.gpu : BATCH.cpu;
  const window = windowOf(model.entry, model.summary);
  const stop = () => {
    void instance.exit();
  };
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    const loading = instance.loadModel(model.blobs, {
      n_ctx: window,
      n_batch: batch,
      n_ubatch: batch,
      // One conversation at a time: a second slot would halve the chance of finding the prompt in the cache.
      n_parallel: 1,
      n_gpu_layers: gpu ? undefined : 0,
      n_threads: threads,
      jinja: true,
      // A small model's thoughts cost a processor minutes; the loop asks step by step instead.
      reasoning: false,
      reasoning_format: 'none',
      ...(template === undefined ? {} : { chat_template: template }),
    });
    await (threads > 1 ? orTimeOut(loading, deps.sleep, alive) : loading);
    signal.throwIfAborted();
    const info = instance.getLoadedContextInfo();
    // loadModel() resolves also when llama.cpp refused the file.
    if (!(info.n_vocab > 0)) throw new Error('llama.cpp did not accept the file');
    if (threads > 1) {
      await orTimeOut(instance.createCompletion({ prompt: '1', max_tokens: 1 }), deps.sleep);
      signal.throwIfAborted();
    }
    return {
      kind: 'loaded',
      loaded: {
        id: model.id,
        instance,
        dialect: model.entry?.dialect ?? dialectOf(model.summary ?? {}),
        contextWindow: info.n_ctx > 0 ? info.n_ctx : window,
      },
    };
  } catch (error) {
    await instance.exit();
    signal.throwIfAborted();
    return { kind: 'refused', error, complaints };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
