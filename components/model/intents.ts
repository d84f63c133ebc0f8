import type { EngineId, LoadProgress } from '../../lib/agent/engine';
import type { HostClient } from '../../lib/messages/host-api';
import type { Settings } from '../../lib/settings/settings';

export interface ModelIntents {
  /**
   * Takes it into use once it is ready: downloads it first where it is not here. What is in use until
   * then stays so, also where this fails. Only ever called from a click.
   * For llama.cpp the model may also be the address of a GGUF file.
   */
  choose: (engine: EngineId, model: string | undefined) => void;
  /** Copies GGUF files the user picked into the store, and takes them into use. */
  addFiles: (files: File[]) => void;
  cancel: () => void;
  unload: () => void;
  remove: (engine: EngineId, model: string) => void;
}

/** Copies model files into the store that the host reads; resolves with the model's id. */
export type ImportModel = (
  files: File[],
  progress: (progress: LoadProgress) => void,
  signal: AbortSignal,
) => Promise<string>;

interface ModelDeps {
  host: HostClient;
  importModel: ImportModel;
  closing: AbortSignal;
  updateSettings: (change: (settings: Settings) => Settings) => Promise<Settings>;
  onSettings: (settings: Settings) => void;
  /** Copying of picked files, `null` when none is under way. */
  onImport: (progress: LoadProgress | null) => void;
  /** Models or their state may have changed. */
  onChange: () => void;
  /** Runs to its end by itself; shows what goes wrong. */
  run: (work: () => Promise<unknown>) => void;
}

/** Choosing, loading and deleting models, the same in the side panel and the options page. */
export function createModelIntents(deps: ModelDeps): ModelIntents {
  const { host, closing, run } = deps;
  let importing = new AbortController();

  const use = async (engine: EngineId, model: string | undefined) => {
    // What answers now goes on answering until the other one is there, and for good if it never is.
    await host.request('loadEngine', { engine, ...(model ? { model } : {}) }, closing);
    const settings = await deps.updateSettings((now) => ({
      ...now,
      engine,
      models: model ? { ...now.models, [engine]: model } : now.models,
    }));
    deps.onSettings(settings);
  };

  return {
    choose: (engine, model) =>
      run(async () => {
        try {
          await use(engine, model);
        } finally {
          deps.onChange();
        }
      }),
    addFiles: (files) =>
      run(async () => {
        importing.abort();
        importing = new AbortController();
        const signal = AbortSignal.any([closing, importing.signal]);
        try {
          const id = await deps.importModel(files, deps.onImport, signal);
          await use('wllama', id);
        } finally {
          deps.onImport(null);
          deps.onChange();
        }
      }),
    cancel: () => {
      importing.abort(new DOMException('Copying was stopped.', 'AbortError'));
      run(() => host.request('cancelLoad', {}, closing));
    },
    unload: () => run(() => host.request('unloadEngine', {}, closing)),
    remove: (engine, model) =>
      run(async () => {
        await host.request('deleteModel', { engine, model }, closing);
        deps.onChange();
      }),
  };
}
