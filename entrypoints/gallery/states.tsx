import type { ComponentChildren } from 'preact';
import { Devtools, type DevtoolsProps } from '../../components/devtools/Devtools';
import { type DevtoolsState, initialState } from '../../components/devtools/state';
import type { ModelIntents } from '../../components/model/intents';
import { Options } from '../../components/options/Options';
import type { OptionsIntents, OptionsState } from '../../components/options/state';
import { SidePanel, type SidePanelProps } from '../../components/sidepanel/SidePanel';
import type { PanelState } from '../../components/sidepanel/state';
import type { AgentEvent } from '../../lib/agent/events';
import { foldTranscript } from '../../lib/agent/transcript';
import type { HostStatus } from '../../lib/messages/host-api';
import { say, sentences } from '../../lib/said/say';
import { Settings } from '../../lib/settings/settings';
import { ASKED, REPLAYED, RUN } from './fixtures/devtools';
import { ENGINES } from './fixtures/engines';
import { emptyPage, HARD, MANY, SHOP } from './fixtures/tools';
import * as turns from './fixtures/turns';

const nothing = () => undefined;
const never = () => new Promise<never>(nothing);

const MODELS: ModelIntents = {
  choose: nothing,
  addFiles: nothing,
  cancel: nothing,
  unload: nothing,
  remove: nothing,
};

const PANEL: SidePanelProps['panel'] = {
  chat: {
    send: nothing,
    stop: nothing,
    answerApproval: nothing,
    answerQuestion: nothing,
    retry: nothing,
    runTool: never,
    share: nothing,
    reloadPage: nothing,
  },
  models: MODELS,
  history: {
    search: nothing,
    open: nothing,
    rename: nothing,
    remove: nothing,
    export: nothing,
    import: nothing,
  },
  setDefer: nothing,
  setExposure: nothing,
  goTo: nothing,
  newChat: nothing,
  exportTrace: nothing,
  refreshEngines: nothing,
  reconnect: nothing,
  dismissProblem: nothing,
};

const STATUS: HostStatus = {
  busy: null,
  queue: [],
  engine: { id: 'web-llm', model: 'Qwen3-1.7B-q4f16_1-MLC', state: 'ready' },
};

const WITH_MODEL = Settings.parse({
  engine: 'web-llm',
  models: { 'web-llm': 'Qwen3-1.7B-q4f16_1-MLC' },
});

const CONVERSATION = {
  id: 'c1',
  title: 'Hiking boots',
  tabId: 1,
  origin: 'https://shop.example',
  createdAt: Date.UTC(2026, 10, 30, 9),
  updatedAt: Date.UTC(2026, 10, 30, 9, 31),
  turns: 3,
};

function panel(
  patch: Partial<PanelState>,
  events: readonly AgentEvent[] = [],
  start?: SidePanelProps['start'],
): () => ComponentChildren {
  const busy = events.length > 0 && !events.some((event) => event.type === 'turn-ended');
  const state: PanelState = {
    tab: { id: 1, title: SHOP.catalog.title, url: SHOP.catalog.url },
    conversation: CONVERSATION,
    events,
    turns: foldTranscript(events),
    status: busy ? { ...STATUS, busy: { tabId: 1, conversationId: 'c1', turnId: 't' } } : STATUS,
    catalog: SHOP,
    engines: ENGINES,
    importing: null,
    settings: WITH_MODEL,
    history: [],
    tabTitles: new Map([[9, 'City library']]),
    problem: null,
    ...patch,
  };
  return () => <SidePanel state={state} panel={PANEL} onOptions={nothing} start={start} />;
}

const DEVTOOLS: DevtoolsProps['intents'] = {
  setDefer: nothing,
  setExposure: nothing,
  refresh: nothing,
  runTool: never,
  saveInput: nothing,
  forgetInput: nothing,
  ask: nothing,
  exportTrace: nothing,
  recordEval: nothing,
  replay: nothing,
  stopReplay: nothing,
  save: nothing,
  dismissProblem: nothing,
  reloadPage: nothing,
  openPlace: nothing,
  inspectForm: nothing,
};

function devtools(
  patch: Partial<DevtoolsState>,
  start?: DevtoolsProps['start'],
): () => ComponentChildren {
  const state: DevtoolsState = {
    ...initialState(1),
    catalog: SHOP,
    conversation: CONVERSATION,
    ...patch,
  };
  return () => <Devtools state={state} intents={DEVTOOLS} start={start} />;
}

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

/** Every state of every view, by the name that its address and its screenshot carry. */
export const STATES: Record<string, () => ComponentChildren> = {
  'panel-ready': panel({}),
  'panel-no-model': panel({ settings: Settings.parse({}), status: null }),
  'panel-no-tools': panel({ catalog: emptyPage('no-tools') }),
  'panel-restricted': panel({ catalog: emptyPage('restricted', 'New tab') }),
  'panel-reload': panel({ catalog: emptyPage('reload') }),
  'panel-no-page': panel({ tab: null, catalog: null, conversation: null }),
  'panel-connecting': panel({ catalog: null }),
  'panel-running': panel({}, turns.RUNNING),
  'panel-streaming': panel({}, turns.STREAMING),
  'panel-done': panel({}, turns.DONE),
  'panel-approval': panel({}, turns.APPROVAL),
  'panel-consequential': panel({}, turns.CONSEQUENTIAL),
  'panel-invalid': panel({}, turns.INVALID),
  'panel-failed': panel({}, turns.FAILED),
  'panel-denied': panel({}, turns.DENIED),
  'panel-stopped': panel({}, turns.STOPPED),
  'panel-queued': panel(
    {
      status: {
        ...STATUS,
        busy: { tabId: 9, conversationId: 'c9', turnId: 't9' },
        queue: [{ tabId: 1, conversationId: 'c1' }],
      },
    },
    turns.QUEUED,
  ),
  'panel-question': panel({}, turns.QUESTION),
  'panel-form': panel({}, turns.FORM),
  'panel-navigated': panel({}, turns.NAVIGATED),
  'panel-engine-failed': panel(
    {
      status: {
        ...STATUS,
        engine: { ...STATUS.engine, state: 'failed', error: say('gpu-lost') },
      },
    },
    turns.ENGINE_FAILED,
  ),
  'panel-busy-elsewhere': panel({
    status: { ...STATUS, busy: { tabId: 9, conversationId: 'c9', turnId: 't9' } },
  }),
  'panel-waits-elsewhere': panel({
    status: {
      ...STATUS,
      busy: { tabId: 9, conversationId: 'c9', turnId: 't9', waitsFor: 'approval' },
    },
  }),
  'panel-works-beside': panel({
    status: { ...STATUS, busy: { tabId: 1, conversationId: 'c9', turnId: 't9' } },
  }),
  'panel-problem': panel({ problem: 'The connection to Pagehand’s host was lost. Try again.' }),
  'panel-no-host': panel({
    conversation: null,
    catalog: null,
    problem: 'The connection to Pagehand’s host was lost. Try again.',
  }),
  'panel-share': panel({}, turns.DONE, { share: true }),
  'panel-share-on': panel(
    { conversation: { ...CONVERSATION, shared: { text: true, selection: false } } },
    turns.DONE,
    { share: true },
  ),
  'panel-shared': panel(
    { conversation: { ...CONVERSATION, shared: { text: true, selection: true } } },
    turns.DONE,
  ),
  'panel-long': panel({}, turns.LONG),
  'panel-models': panel({}, turns.DONE, { models: true }),
  'panel-models-first': panel(
    {
      settings: Settings.parse({}),
      status: { ...STATUS, engine: { id: 'instant', state: 'ready' } },
    },
    [],
    { models: true },
  ),
  'panel-models-loading': panel(
    {
      status: {
        ...STATUS,
        engine: {
          ...STATUS.engine,
          state: 'loading',
          progress: {
            phase: 'download',
            done: 412_000_000,
            total: 984_000_000,
            bytesPerSecond: 8_400_000,
            secondsLeft: 68,
          },
        },
      },
    },
    turns.DONE,
    { models: true },
  ),
  'panel-models-copying': panel(
    {
      importing: { phase: 'download', done: 2e8, total: 7e8, bytesPerSecond: 9e7, secondsLeft: 6 },
    },
    [],
    { models: true },
  ),
  'panel-models-failed': panel(
    {
      status: {
        ...STATUS,
        engine: {
          ...STATUS.engine,
          state: 'failed',
          error: say('download-stopped', sentences([say('broken-connection')]), {
            bytes: 412_000_000,
          }),
        },
      },
    },
    [],
    { models: true },
  ),
  'panel-tools': panel({}, [], { view: 'tools' }),
  'panel-tools-many': panel({ catalog: MANY }, [], { view: 'tools' }),
  'panel-log': panel({}, turns.DONE, { view: 'log' }),
  'panel-log-long': panel({}, turns.LONG, { view: 'log' }),
  'panel-history': panel(
    {
      history: [
        CONVERSATION,
        {
          ...CONVERSATION,
          id: 'c2',
          title: 'Opening hours of the city library on public holidays',
          origin: 'https://library.example',
          updatedAt: Date.UTC(2026, 10, 28, 17, 5),
          turns: 1,
        },
      ],
    },
    turns.DONE,
    { view: 'history' },
  ),
  'devtools-tools': devtools({}),
  'devtools-detail': devtools({}, { tool: 'doc0/search_products' }),
  'devtools-empty': devtools({ catalog: emptyPage('no-tools') }),
  'devtools-many': devtools({ catalog: MANY }),
  'devtools-run': devtools(
    {
      runs: [RUN],
      saved: [{ toolName: 'search_products', label: 'boots', arguments: { query: 'boots' } }],
    },
    { view: 'run' },
  ),
  'devtools-run-nested': devtools({}, { view: 'run', tool: 'doc0/place_order' }),
  'devtools-ask': devtools({ asking: ASKED }, { view: 'ask' }),
  'devtools-readiness': devtools({ catalog: HARD }, { view: 'readiness' }),
  'devtools-log': devtools({ events: turns.DONE }, { view: 'log' }),
  'devtools-evals': devtools({ replaying: REPLAYED }, { view: 'evals' }),
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
