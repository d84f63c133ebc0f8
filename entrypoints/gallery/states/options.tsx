import type { ComponentChildren } from 'preact';
import { Options } from '../../../components/options/Options';
import type { OptionsIntents, OptionsState } from '../../../components/options/state';
import { Settings } from '../../../lib/settings/settings';
import { ENGINES } from '../fixtures/engines';
import { MODELS, nothing, STATUS, WITH_MODEL } from './common';

const OPTIONS: OptionsIntents = {
  change: nothing,
  models: MODELS,
  revoke: nothing,
  clearAll: nothing,
  changeSite: nothing,
  exportSettings: nothing,
  importSettings: nothing,
  dismissProblem: nothing,
};

function options(patch: Partial<OptionsState>): () => ComponentChildren {
  const state: OptionsState = {
    settings: WITH_MODEL,
    engines: ENGINES,
    importing: null,
    status: STATUS.engine,
    storage: { usage: 1_020_000_000, quota: 64_000_000_000, persisted: true },
    approvals: [],
    machine: {
      cores: 8,
      memoryBytes: 8 * 2 ** 30,
      gpu: {
        name: 'intel gen-12lp',
        software: false,
        shaderF16: true,
        maxBufferBytes: 2 ** 31,
        maxBindingBytes: 2 ** 30,
      },
    },
    problem: null,
    done: null,
    ...patch,
  };
  return () => <Options state={state} intents={OPTIONS} />;
}

/** The options page. */
export const OPTIONS_STATES: Record<string, () => ComponentChildren> = {
  'options-page': options({
    approvals: [
      {
        id: 'a1',
        toolName: 'add_to_cart',
        origin: 'https://shop.example',
        conversationId: 'c1',
        at: Date.UTC(2026, 10, 30, 9, 31),
      },
    ],
    settings: Settings.parse({
      ...WITH_MODEL,
      sites: {
        'https://shop.example': {
          defer: 'always',
          tools: { rate: 'hidden' },
          recipe: { requires: { place_order: ['get_cart'] } },
        },
      },
    }),
  }),
  'options-bare': options({
    engines: null,
    storage: null,
    machine: null,
    settings: Settings.parse({}),
  }),
};
