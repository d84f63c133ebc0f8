import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { SidePanel, type SidePanelProps } from '../../../components/sidepanel/SidePanel';
import type { PanelState } from '../../../components/sidepanel/state';
import type { AgentEvent } from '../../../lib/agent/events';
import { foldTranscript } from '../../../lib/agent/transcript';
import { say, sentences } from '../../../lib/said/say';
import { Settings } from '../../../lib/settings/settings';
import { ENGINES } from '../fixtures/engines';
import { CUT, emptyPage, MANY, SHOP } from '../fixtures/tools';
import * as turns from '../fixtures/turns';
import { CONVERSATION, MODELS, never, nothing, STATUS, WITH_MODEL } from './common';

const DRAFT = signal('');

const PANEL: SidePanelProps['panel'] = {
  chat: {
    send: nothing,
    stop: nothing,
    answerApproval: never,
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
  draftOf: () => DRAFT,
  next: { add: nothing, takeBack: nothing },
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
    next: new Map(),
    tabTitles: new Map([[9, 'City library']]),
    problem: null,
    ...patch,
  };
  return () => <SidePanel state={state} panel={PANEL} onOptions={nothing} start={start} />;
}

/** The side panel. */
export const PANEL_STATES: Record<string, () => ComponentChildren> = {
  'panel-ready': panel({}),
  'panel-no-model': panel({ settings: Settings.parse({}), status: null }),
  'panel-no-tools': panel({ catalog: emptyPage('no-tools') }),
  'panel-restricted': panel({ catalog: emptyPage('restricted', 'New tab') }),
  'panel-reload': panel({ catalog: emptyPage('reload') }),
  'panel-no-page': panel({ tab: null, catalog: null, conversation: null }),
  'panel-connecting': panel({ catalog: null }),
  'panel-running': panel({}, turns.RUNNING),
  'panel-next': panel({ next: new Map([['c1', 'And send me the size chart']]) }, turns.RUNNING),
  'panel-streaming': panel({}, turns.STREAMING),
  'panel-done': panel({}, turns.DONE),
  'panel-approval': panel({}, turns.APPROVAL),
  'panel-consequential': panel({}, turns.CONSEQUENTIAL),
  'panel-invalid': panel({}, turns.INVALID),
  'panel-failed': panel({}, turns.FAILED),
  'panel-timed-out': panel({}, turns.TIMED_OUT),
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
  'panel-tools-notes': panel({ catalog: CUT }, [], { view: 'tools' }),
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
};
