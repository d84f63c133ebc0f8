import { type ReadonlySignal, signal } from '@preact/signals';
import type { AgentEvent } from '../../lib/agent/events';
import type { HostClient, RunToolResult, Snapshot } from '../../lib/messages/host-api';
import {
  type InspectedDocument,
  withEntries,
  withoutDocument,
} from '../../lib/page/inspector/event';
import type { PageEntry, Place } from '../../lib/page/inspector/wire';
import type { SavedInput } from '../../lib/settings/saved-inputs';
import { type Settings, type SiteSettings, siteSettings } from '../../lib/settings/settings';
import { originOf } from '../../lib/tools/origin';
import type { JsonObject, PageTool } from '../../lib/tools/tool';
import { onceMore } from '../again';
import { tellError } from '../said';
import { t } from '../text';
import type { ExposureChoice } from '../tools/exposure';
import { withExposure } from '../tools/site';
import { unseen } from '../unseen';
import { type ReplayedCase, readEvalFile } from './replay';
import { type DevtoolsState, initialState } from './state';

export interface DevtoolsPorts {
  host: HostClient;
  tabId: number;
  updateSettings: (change: (settings: Settings) => Settings) => Promise<Settings>;
  followSettings: (listener: (settings: Settings) => void, signal: AbortSignal) => void;
  readInputs: (origin: string) => Promise<SavedInput[]>;
  writeInputs: (origin: string, inputs: readonly SavedInput[]) => Promise<void>;
  save: (filename: string, text: string) => void;
  /** Tells what the page's documents do, from now until the signal aborts. */
  followPage: (
    heard: (from: InspectedDocument, entries: readonly PageEntry[], leftOut: number) => void,
    gone: (documentId: string) => void,
    signal: AbortSignal,
  ) => void;
  reloadPage: () => Promise<unknown>;
  /** Shows a line of code in DevTools; false where DevTools does not know its file. */
  openPlace: (place: Place) => Promise<boolean>;
  /** Shows the form of that tool in DevTools; false where it is gone. */
  inspectForm: (tool: string, frameUrl: string | undefined) => Promise<boolean>;
}

export interface DevtoolsIntents {
  setDefer: (defer: SiteSettings['defer']) => void;
  setExposure: (tool: Pick<PageTool, 'name' | 'origin'>, exposure: ExposureChoice) => void;
  refresh: () => void;
  runTool: (key: string, args: JsonObject) => Promise<RunToolResult>;
  saveInput: (input: SavedInput) => void;
  forgetInput: (input: SavedInput) => void;
  ask: (text: string) => void;
  exportTrace: () => void;
  recordEval: () => void;
  replay: (text: string, tools: 'page' | 'recorded') => void;
  stopReplay: () => void;
  save: (filename: string, text: string) => void;
  dismissProblem: () => void;
  reloadPage: () => void;
  openPlace: (place: Place) => void;
  inspectForm: (tool: string, frameUrl: string | undefined) => void;
}

export interface Devtools {
  state: ReadonlySignal<DevtoolsState>;
  intents: DevtoolsIntents;
}

const MOST_RUNS = 50;
const MOST_INPUTS = 100;

/** The DevTools panel's state for the inspected tab, and everything it can do. */
export function createDevtools(ports: DevtoolsPorts, closing: AbortSignal): Devtools {
  const { host, tabId } = ports;
  const state = signal<DevtoolsState>(initialState(tabId));
  const set = (patch: Partial<DevtoolsState>) => {
    state.value = { ...state.value, ...patch };
  };
  const run = (work: () => Promise<unknown>, otherwise?: Partial<DevtoolsState>) => {
    work().catch((error: unknown) => {
      if (closing.aborted) return;
      const message = tellError(error);
      set({ ...otherwise, problem: message });
    });
  };
  let inputsOf = '';
  let replaying = new AbortController();
  let runs = 0;

  const origin = () => originOf(state.value.catalog?.catalog.url ?? '') ?? null;
  const show = ({ conversation, events }: Snapshot) => set({ conversation, events });
  const append = (events: readonly AgentEvent[]) => {
    const fresh = unseen(state.value.events, events);
    if (fresh.length > 0) set({ events: [...state.value.events, ...fresh] });
  };
  const look = onceMore(async () => {
    set({ catalog: await host.request('catalog', { tabId }, closing) });
    const site = origin();
    if (site === null || site === inputsOf) return;
    inputsOf = site;
    set({ saved: await ports.readInputs(site) });
  });
  const loadCatalog = () => run(look);
  const keepInputs = (saved: readonly SavedInput[]) => {
    const site = origin();
    if (site === null) return;
    set({ saved });
    run(() => ports.writeInputs(site, saved));
  };
  const updateSite = (site: string | null, change: (site: SiteSettings) => SiteSettings) => {
    if (site === null || site === 'null') return;
    run(async () => {
      const settings = await ports.updateSettings((now) => ({
        ...now,
        sites: { ...now.sites, [site]: change(siteSettings(now, site)) },
      }));
      set({ settings });
      loadCatalog();
    });
  };
  const exportAs = (format: 'trace' | 'eval') => {
    const { conversation } = state.value;
    if (!conversation) return;
    run(async () => {
      const file = await host.request(
        'exportConversation',
        { conversationId: conversation.id, format },
        closing,
      );
      ports.save(file.filename, file.text);
    });
  };

  host.onPush((push) => {
    if (push.push === 'snapshot' && push.snapshot.conversation.tabId === tabId) show(push.snapshot);
    if (push.push === 'events' && push.conversationId === state.value.conversation?.id) {
      append(push.events);
    }
    if (push.push === 'catalog-changed' && push.tabId === tabId) loadCatalog();
    if (push.push === 'misfit') set({ problem: t('misfit') });
  }, closing);
  ports.followPage(
    (from, entries, leftOut) =>
      set({ page: withEntries(state.value.page, from, entries, leftOut, Date.now()) }),
    (documentId) => set({ page: withoutDocument(state.value.page, documentId) }),
    closing,
  );
  ports.followSettings((settings) => set({ settings }), closing);
  run(async () => show(await host.request('watch', { tabId }, closing)));
  loadCatalog();

  return {
    state,
    intents: {
      setDefer: (defer) => updateSite(origin(), (site) => ({ ...site, defer })),
      setExposure: (tool, exposure) =>
        updateSite(tool.origin, (site) => withExposure(site, tool.name, exposure)),
      refresh: loadCatalog,
      async runTool(key, args) {
        const result = await host.request('runTool', { tabId, key, arguments: args }, closing);
        const tool = state.value.catalog?.listed.find((item) => item.tool.key === key)?.tool;
        runs += 1;
        set({
          runs: [
            { id: runs, at: Date.now(), toolName: tool?.name ?? key, arguments: args, result },
            ...state.value.runs,
          ].slice(0, MOST_RUNS),
        });
        return result;
      },
      saveInput: (input) =>
        keepInputs(
          [input, ...state.value.saved.filter((one) => !isSame(one, input))].slice(0, MOST_INPUTS),
        ),
      forgetInput: (input) => keepInputs(state.value.saved.filter((one) => !isSame(one, input))),
      ask: (text) => {
        set({ asking: { state: 'running', ask: text } });
        run(
          async () => {
            const preview = await host.request('preview', { tabId, ask: text }, closing);
            set({ asking: { state: 'done', ask: text, preview } });
          },
          { asking: { state: 'idle' } },
        );
      },
      exportTrace: () => exportAs('trace'),
      recordEval: () => exportAs('eval'),
      replay: (text, tools) => {
        replaying = new AbortController();
        const signal = AbortSignal.any([closing, replaying.signal]);
        const cases: ReplayedCase[] = [];
        run(
          async () => {
            const sites = read(text);
            for (const site of sites) {
              set({ replaying: { state: 'running', done: cases.length, total: sites.length } });
              const replayed = await host
                .request('replay', { tabId, site, tools }, signal)
                .catch((error: unknown) => {
                  if (!replaying.signal.aborted) throw error;
                });
              if (!replayed) break;
              cases.push({ id: site.cases[0]?.id ?? '', ...replayed });
            }
            set({ replaying: { state: 'done', cases } });
          },
          { replaying: { state: 'idle' } },
        );
      },
      stopReplay: () => replaying.abort(),
      save: ports.save,
      reloadPage: () => run(ports.reloadPage),
      openPlace: (place) =>
        run(async () => {
          if (!(await ports.openPlace(place))) set({ problem: t('placeUnknown', place.url) });
        }),
      inspectForm: (tool, frameUrl) =>
        run(async () => {
          if (!(await ports.inspectForm(tool, frameUrl))) set({ problem: t('formGone', tool) });
        }),
      dismissProblem: () => set({ problem: null }),
    },
  };
}

function isSame(a: SavedInput, b: SavedInput): boolean {
  return a.toolName === b.toolName && a.label === b.label;
}

function read(text: string): ReturnType<typeof readEvalFile> {
  try {
    return readEvalFile(text);
  } catch (error) {
    throw new Error(t('replayWrong', error instanceof Error ? error.message : String(error)));
  }
}
