import {
  type Engine,
  type EngineDescription,
  EngineError,
  type EngineId,
  type LoadProgress,
} from '../agent/engine';
import type { HostStatus } from '../messages/host-api';
import { type Words, WordsError, wordsOfError } from '../said/said';
import { say } from '../said/say';

/** Keeps one engine loaded for every tab, and says how it is. */
export interface EngineRoom {
  state(): HostStatus['engine'];
  describe(signal: AbortSignal): Promise<EngineDescription[]>;
  /** The engine, loaded. Loads it (unloading another) when it is not. Rejects with `EngineError` or the signal's reason. */
  use(id: EngineId, model: string | undefined, signal: AbortSignal): Promise<Engine>;
  /** Starts loading on a user's click; `cancelLoad` ends it. */
  load(id: EngineId, model: string | undefined): Promise<void>;
  cancelLoad(): void;
  unload(): Promise<void>;
  /** Removes a downloaded model; unloads it first where it is loaded. */
  deleteModel(id: EngineId, model: string): Promise<void>;
  /** The engine failed under a turn: what it holds is not to be trusted any more. */
  failed(words: Words): Promise<void>;
  /** A turn has ended: idle time counts from here. */
  rest(): void;
  /** Throws where this build has none of that id. */
  need(id: EngineId): Engine;
}

export function createEngineRoom(options: {
  engines: readonly Engine[];
  onChange: () => void;
  /** Minutes after the last use until the model's memory is given back; 0 = never. */
  idleMinutes: () => Promise<number>;
  /** Whether a turn holds the engine, which may wait for its user for longer than that. */
  busy: () => boolean;
}): EngineRoom {
  const engines = new Map(options.engines.map((engine) => [engine.id, engine]));
  let state: HostStatus['engine'] = { id: 'instant', state: 'unloaded' };
  let loading: { key: string; controller: AbortController; done: Promise<Engine> } | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  /** An engine that is giving its memory back: none is loaded before it is done. */
  let leaving: Promise<void> = Promise.resolve();

  const set = (next: HostStatus['engine']) => {
    state = next;
    options.onChange();
  };
  const find = (id: EngineId): Engine => {
    const engine = engines.get(id);
    if (!engine) throw new EngineError('unavailable', say('engine-missing', id));
    return engine;
  };

  async function start(
    id: EngineId,
    model: string | undefined,
    controller: AbortController,
  ): Promise<Engine> {
    const engine = find(id);
    await leaving;
    if (state.state === 'ready' && state.id !== id) await engines.get(state.id)?.unload();
    set({ id, model, state: 'loading' });
    try {
      await engine.load(
        model,
        (progress: LoadProgress) => {
          if (!controller.signal.aborted) set({ id, model, state: 'loading', progress });
        },
        controller.signal,
      );
      controller.signal.throwIfAborted();
      set({ id, model, state: 'ready' });
      void watchIdle();
      return engine;
    } catch (error) {
      const aborted = controller.signal.aborted;
      set({
        id,
        model,
        state: aborted ? 'unloaded' : 'failed',
        error: aborted ? undefined : wordsOfError(error),
      });
      throw error;
    } finally {
      if (loading?.controller === controller) loading = undefined;
    }
  }

  function begin(id: EngineId, model: string | undefined): Promise<Engine> {
    const key = `${id} ${model ?? ''}`;
    if (loading?.key === key) return loading.done;
    loading?.controller.abort(new DOMException('Another model was chosen.', 'AbortError'));
    const controller = new AbortController();
    const before = loading?.done.catch(() => {});
    const done = Promise.resolve(before).then(() => start(id, model, controller));
    // Whoever waits hears of a failure; where nobody does any more, the state tells it.
    done.catch(() => {});
    loading = { key, controller, done };
    return done;
  }

  /** Sets the state at once, so that nobody is given an engine that is on its way out. */
  function leave(next: HostStatus['engine']): Promise<void> {
    const gone = Promise.resolve(engines.get(state.id)?.unload());
    leaving = gone.catch(() => {});
    set(next);
    return gone;
  }

  /** Counts idle time from now. */
  async function watchIdle(): Promise<void> {
    clearTimeout(idle);
    // Where the settings cannot be read now, the next use counts again.
    const minutes = await options.idleMinutes().catch(() => 0);
    clearTimeout(idle);
    if (minutes <= 0 || state.state !== 'ready' || state.id === 'instant') return;
    idle = setTimeout(() => {
      if (options.busy()) void watchIdle();
      else if (!loading) room.unload().catch(() => {});
    }, minutes * 60_000);
  }

  const room: EngineRoom = {
    state: () => state,
    need: find,
    describe: (signal) =>
      Promise.all(
        [...engines.values()].map((engine) =>
          engine.describe(signal).catch(
            (error: unknown): EngineDescription => ({
              id: engine.id,
              label: engine.id,
              available: false,
              reason: wordsOfError(error),
              models: [],
            }),
          ),
        ),
      ),
    async use(id, model, signal) {
      // It takes no memory: another one may be loaded or downloaded meanwhile.
      if (id === 'instant') {
        const instant = find(id);
        await instant.load(undefined, () => {}, signal);
        return instant;
      }
      if (state.state === 'ready' && state.id === id && state.model === model) return find(id);
      if (loading?.key !== `${id} ${model ?? ''}`) await requireInstalled(find(id), model, signal);
      const done = begin(id, model);
      signal.throwIfAborted();
      return new Promise((resolve, reject) => {
        const stopped = () => reject(signal.reason);
        signal.addEventListener('abort', stopped, { once: true });
        done
          .then(resolve, reject)
          .finally(() => signal.removeEventListener('abort', stopped))
          .catch(() => {});
      });
    },
    async load(id, model) {
      await begin(id, model);
    },
    cancelLoad() {
      loading?.controller.abort(new DOMException('Loading was stopped.', 'AbortError'));
    },
    async unload() {
      clearTimeout(idle);
      room.cancelLoad();
      if (state.state !== 'ready') return;
      await leave({ id: state.id, model: state.model, state: 'unloaded' });
    },
    async deleteModel(id, model) {
      const engine = find(id);
      if (!engine.deleteModel) throw new WordsError(say('engine-stores-nothing'));
      if (state.id === id && (state.model ?? model) === model) await room.unload();
      await engine.deleteModel(model);
    },
    async failed(words) {
      const { id, model } = state;
      await leave({ id, model, state: 'failed', error: words }).catch(() => {});
    },
    rest: () => void watchIdle(),
  };
  return room;
}

/** A turn may start a model that is on this machine; a download takes a click on the model itself. */
async function requireInstalled(
  engine: Engine,
  model: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { models } = await engine.describe(signal);
  // Without a list the engine says better itself why it cannot run.
  if (models.length === 0) return;
  const installed = models.filter((choice) => choice.installed);
  if (model === undefined ? installed.length > 0 : installed.some((one) => one.id === model))
    return;
  throw new EngineError(
    'not-loaded',
    model === undefined ? say('none-installed') : say('not-installed', model),
  );
}
