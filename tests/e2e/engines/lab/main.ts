/// <reference types="chrome" />
import {
  type Engine,
  EngineError,
  type EngineErrorKind,
  type GenerateChunk,
  type GenerateRequest,
  type LoadProgress,
} from '../../../../lib/agent/engine';
import { createBrowserEngines } from '../../../../lib/engines/browser';
import { browserModelStore } from '../../../../lib/engines/downloads/browser-store';

/** Drives the engines inside a real offscreen document; everything that crosses is plain JSON. */
export interface Outcome {
  text: string;
  chunks: number;
  end?: Extract<GenerateChunk, { kind: 'end' }>;
  error?: { kind: EngineErrorKind | 'other'; message: string };
  prefill: number[];
}
export interface LoadOutcome {
  progress: LoadProgress[];
  error?: Outcome['error'];
}

const store = browserModelStore();
const settings: { mirror?: string } = {};
const engines = createBrowserEngines({
  resource: (path) => chrome.runtime.getURL(path),
  mirror: () => settings.mirror,
});

function engine(id: string): Engine {
  const found = engines.find((known) => known.id === id);
  if (!found) throw new Error(`no engine ${id}`);
  return found;
}

function inWords(error: unknown): Outcome['error'] {
  return error instanceof EngineError
    ? { kind: error.kind, message: error.message }
    : { kind: 'other', message: String(error) };
}

let loading = new AbortController();

const lab = {
  useMirror: (base: string | undefined) => {
    settings.mirror = base;
  },
  removeModel: (id: string, model: string) => engine(id).deleteModel?.(model),
  storedModels: () => store.list(),
  deleteModel: (id: string) => store.delete(id),
  importFile: (file: File) => store.importFiles([file], () => {}, new AbortController().signal),
  describe: (id: string) => engine(id).describe(),
  unload: (id: string) => engine(id).unload(),
  facts: (id: string) => ({ window: engine(id).contextWindow, dialect: engine(id).dialect }),
  count: (id: string, text: string) => engine(id).countTokens(text),

  async load(id: string, model?: string, abortAfterBytes?: number): Promise<LoadOutcome> {
    const progress: LoadProgress[] = [];
    loading = new AbortController();
    try {
      await engine(id).load(
        model,
        (p) => {
          progress.push(p);
          if (abortAfterBytes !== undefined && p.phase === 'download' && p.done >= abortAfterBytes)
            loading.abort();
        },
        loading.signal,
      );
      return { progress };
    } catch (error) {
      return { progress, error: inWords(error) };
    }
  },
  cancelLoad: () => loading.abort(),

  /** Generates to the end, or presses Stop after so many text chunks. */
  async generate(id: string, request: GenerateRequest, stopAfter?: number): Promise<Outcome> {
    const outcome: Outcome = { text: '', chunks: 0, prefill: [] };
    const stop = new AbortController();
    try {
      for await (const chunk of engine(id).generate(request, stop.signal)) {
        if (chunk.kind === 'text') {
          outcome.text += chunk.text;
          outcome.chunks++;
          if (outcome.chunks === stopAfter) stop.abort();
        } else if (chunk.kind === 'prefill') outcome.prefill.push(chunk.done);
        else outcome.end = chunk;
      }
    } catch (error) {
      outcome.error = inWords(error);
    }
    return outcome;
  },
};

export type Lab = typeof lab;
Object.assign(globalThis, { lab });
