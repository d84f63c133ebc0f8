import type { Engine } from '../agent/engine';
import type { AgentPage } from '../agent/ports';
import { replay } from '../evals/replay';
import type { callBackground } from '../messages/background-api';
import type { HostHandlers } from '../messages/rpc';
import { WordsError } from '../said/said';
import { say } from '../said/say';
import { siteSettings } from '../settings/settings';
import { catalogView } from './catalog-view';
import type { EngineRoom } from './engine-room';
import { preview } from './preview';
import { runByHand } from './run-by-hand';
import type { Showing } from './showing';
import type { Turns } from './turns';

/** What the user looks at and tries by hand on a tab's page. */
export function pageHandlers(deps: {
  engines: readonly Engine[];
  room: EngineRoom;
  page: (tabId: number) => AgentPage;
  background: typeof callBackground;
  /** The browser's, where the settings name none. */
  language: string;
  showing: Pick<Showing, 'current'>;
  turns: Pick<Turns, 'byHand'>;
  isAtWork: () => boolean;
  /** Aborts when the next turn begins; its reason says so. */
  nextTurn: () => AbortSignal;
  now: () => number;
}): Pick<HostHandlers, 'catalog' | 'runTool' | 'preview' | 'replay'> {
  const { page, room, now } = deps;
  const readSettings = async () => {
    const settings = await deps.background('settings', {});
    return { ...settings, language: settings.language ?? deps.language };
  };
  return {
    async catalog({ tabId }, _connection, signal) {
      const catalog = await page(tabId).collect(signal);
      const settings = await readSettings();
      return catalogView(catalog, settings, room.need(settings.engine), now());
    },
    runTool: async ({ tabId, key, arguments: args }, _connection, signal) => {
      const info = await deps.showing.current(tabId);
      return runByHand(page(tabId), key, args, signal, now, (tool, run) =>
        deps.turns.byHand(info, tool, args, run),
      );
    },
    async preview({ tabId, ask }, _connection, signal) {
      const settings = await readSettings();
      const catalog = await page(tabId).collect(signal);
      const { id, state } = room.state();
      const loaded = state === 'ready' && !deps.isAtWork() ? id : undefined;
      const { engines } = deps;
      return preview({
        catalog,
        ask,
        settings,
        engines,
        loaded,
        signal,
        busy: deps.nextTurn(),
        now: now(),
      });
    },
    async replay({ tabId, site, tools }, _connection, signal) {
      const settings = await deps.background('settings', {});
      const { id, state } = room.state();
      const engine = deps.engines.find((one) => one.id === (state === 'ready' ? id : 'instant'));
      if (!engine) throw new WordsError(say('no-engine'));
      const isModel = engine.id !== 'instant';
      if (isModel && deps.isAtWork()) throw new WordsError(say('model-at-work'));
      if (!isModel) await engine.load(undefined, () => {}, signal);
      // A real turn takes the model away.
      const stop = isModel ? AbortSignal.any([signal, deps.nextTurn()]) : signal;
      const tab = tools === 'page' ? await page(tabId).collect(signal) : undefined;
      const turns = await replay(site, engine, {
        tools: tab?.tools,
        settings: {
          ranking: settings.ranking,
          capture: false,
          site: (origin) => siteSettings(settings, origin),
        },
        signal: stop,
      });
      return { engine: engine.id, turns };
    },
  };
}
