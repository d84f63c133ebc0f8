import { type ReadonlySignal, signal } from '@preact/signals';
import type { HostClient } from '../../lib/messages/host-api';
import { Settings } from '../../lib/settings/settings';
import { createModelIntents, type ImportModel } from '../model/intents';
import { tellError } from '../said';
import { t } from '../text';
import type { MachineFacts, OptionsIntents, OptionsState } from './state';

/** What the options page needs of the browser. */
export interface OptionsPorts {
  host: HostClient;
  updateSettings: (change: (settings: Settings) => Settings) => Promise<Settings>;
  followSettings: (listener: (settings: Settings) => void, signal: AbortSignal) => void;
  readMachine: () => Promise<MachineFacts>;
  importModel: ImportModel;
  save: (filename: string, text: string) => void;
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
    importing: null,
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
        set({ problem: tellError(error) });
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
      models: createModelIntents({
        host,
        importModel: ports.importModel,
        closing,
        updateSettings: ports.updateSettings,
        onSettings: (settings) => set({ settings }),
        onImport: (importing) => set({ importing }),
        onChange: () => run(lookAtModels),
        run,
      }),
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
