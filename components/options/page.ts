import { type ReadonlySignal, signal } from '@preact/signals';
import type { EngineId } from '../../lib/agent/engine';
import type { HostClient } from '../../lib/messages/host-api';
import { Settings } from '../../lib/settings/settings';
import { t } from '../text';
import type { MachineFacts, OptionsIntents, OptionsState } from './state';

/** What the options page needs of the browser. */
export interface OptionsPorts {
  host: HostClient;
  updateSettings: (change: (settings: Settings) => Settings) => Promise<Settings>;
  followSettings: (listener: (settings: Settings) => void, signal: AbortSignal) => void;
  readMachine: () => Promise<MachineFacts>;
  save: (filename: string, text: string) => void;
  /** Copies the files of a GGUF model into the store; resolves with the model's id. */
  importModel: (
    files: File[],
    progress: (p: { done: number; total: number }) => void,
    signal: AbortSignal,
  ) => Promise<string>;
}

export interface OptionsPage {
  state: ReadonlySignal<OptionsState>;
  intents: OptionsIntents;
}

/** The options page's state and everything it can do. */
export function createOptions(ports: OptionsPorts, closing: AbortSignal): OptionsPage {
  const { host } = ports;
  const state = signal<OptionsState>({
    settings: Settings.parse({}),
    engines: null,
    status: null,
    storage: null,
    approvals: [],
    machine: null,
    problem: null,
    done: null,
  });
  const set = (patch: Partial<OptionsState>) => {
    state.value = { ...state.value, ...patch };
  };
  const run = (work: () => Promise<unknown>, done?: string) => {
    work().then(
      () => {
        if (done !== undefined) set({ done });
      },
      (error: unknown) => {
        if (closing.aborted) return;
        set({ problem: error instanceof Error ? error.message : String(error) });
      },
    );
  };
  const lookAtModels = async () => {
    const [engines, storage] = await Promise.all([
      host.request('describeEngines', {}, closing),
      host.request('storage', {}, closing),
    ]);
    set({ engines, storage });
  };
  const lookAtApprovals = async () => {
    set({ approvals: await host.request('listApprovals', {}, closing) });
  };
  const update = async (change: (settings: Settings) => Settings) => {
    set({ settings: await ports.updateSettings(change) });
  };

  let adding = new AbortController();
  const choose = async (engine: EngineId, model: string | undefined) => {
    await update((now) => ({
      ...now,
      engine,
      models: model ? { ...now.models, [engine]: model } : now.models,
    }));
    await host.request('loadEngine', { engine, ...(model ? { model } : {}) }, closing);
    await lookAtModels();
  };

  host.onPush((push) => {
    if (push.push !== 'status') return;
    const before = state.value.status;
    const now = push.status.engine;
    set({ status: now });
    if (before?.state !== now.state || before.model !== now.model) run(lookAtModels);
  }, closing);
  ports.followSettings((settings) => set({ settings }), closing);
  run(lookAtModels);
  run(lookAtApprovals);
  run(async () => set({ machine: await ports.readMachine() }));

  return {
    state,
    intents: {
      change: (patch) => run(() => update((now) => ({ ...now, ...patch })), t('saved')),
      choose: (engine, model) => run(() => choose(engine, model)),
      addFiles: (files) => {
        adding = new AbortController();
        const { signal: stopped } = adding;
        run(async () => {
          set({ adding: { done: 0, total: files.reduce((sum, file) => sum + file.size, 0) } });
          try {
            const id = await ports.importModel(
              files,
              ({ done, total }) => set({ adding: { done, total } }),
              AbortSignal.any([stopped, closing]),
            );
            set({ adding: null });
            await choose('wllama', id);
          } catch (error) {
            if (!stopped.aborted) throw error;
          } finally {
            set({ adding: null });
          }
        });
      },
      addAddress: (url) => run(() => choose('wllama', url)),
      stopAdding: () => adding.abort(),
      cancelLoad: () => run(() => host.request('cancelLoad', {}, closing)),
      unload: () => run(() => host.request('unloadEngine', {}, closing)),
      remove: (engine, model) =>
        run(async () => {
          await host.request('deleteModel', { engine, model }, closing);
          await lookAtModels();
        }, t('deleted')),
      revoke: (id) =>
        run(async () => {
          await host.request('revokeApproval', { id }, closing);
          await lookAtApprovals();
        }, t('revoked')),
      clearAll: () =>
        run(async () => {
          await host.request('clearAll', {}, closing);
          await Promise.all([lookAtApprovals(), lookAtModels()]);
        }, t('cleared')),
      changeSite: (origin, site) =>
        run(
          () =>
            update((now) => {
              const others = Object.entries(now.sites).filter(([name]) => name !== origin);
              return {
                ...now,
                sites: Object.fromEntries(site ? [...others, [origin, site]] : others),
              };
            }),
          t('saved'),
        ),
      exportSettings: () =>
        ports.save('pagehand-settings.json', JSON.stringify(state.value.settings, null, 2)),
      importSettings: (text) => run(() => update(() => readSettingsFile(text)), t('imported')),
      dismissProblem: () => set({ problem: null }),
    },
  };
}

/** Settings from a file, all of them checked. Throws with words for the user when they do not fit. */
export function readSettingsFile(text: string): Settings {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw new Error(t('settingsNotJson'));
  }
  const read = Settings.safeParse(raw);
  if (read.success && typeof raw === 'object' && raw !== null && 'sites' in raw) return read.data;
  const issue = read.success ? undefined : read.error.issues[0];
  throw new Error(
    t('settingsWrong', issue ? `${issue.path.join('.')}: ${issue.message}` : 'sites'),
  );
}
