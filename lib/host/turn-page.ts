import type { Shared } from '../agent/builtins';
import type { AgentPage } from '../agent/ports';
import type { callBackground } from '../messages/background-api';
import type { ConversationInfo } from '../messages/host-api';
import { WordsError } from '../said/said';
import { say } from '../said/say';
import type { Settings } from '../settings/settings';
import { originOf } from '../tools/origin';

/** The page of a running turn, and what may have changed about it since the turn began. */
export interface TurnPage {
  page: AgentPage;
  /** As they were read with the last catalog: what the user sets for a site counts from the next step. */
  settings(): Settings;
  /** What the user shares by now of the site the tab is on by now. */
  shared: Shared;
  navigated(url: string): void;
}

export function createTurnPage(options: {
  /** Asked for anew each time: the browser may give the tab another id. */
  page: () => AgentPage;
  sharedNow: () => NonNullable<ConversationInfo['shared']>;
  background: typeof callBackground;
  settings: Settings;
  /** Address of the tab as the turn begins. */
  url: string;
}): TurnPage {
  const { page, background } = options;
  let { settings, url } = options;
  const isShared = (what: 'text' | 'selection'): boolean => {
    const shared = options.sharedNow();
    const isElsewhere = shared.origin !== undefined && shared.origin !== (originOf(url) ?? '');
    return shared[what] === true && !isElsewhere;
  };
  return {
    settings: () => settings,
    navigated(to) {
      url = to;
    },
    shared: {
      get text() {
        return isShared('text');
      },
      get selection() {
        return isShared('selection');
      },
    },
    page: {
      call: (tool, args, signal) => page().call(tool, args, signal),
      wake: (signal) =>
        page().wake?.(signal) ?? Promise.reject(new WordsError(say('obstacle-asleep'))),
      async read(what, signal) {
        const { read } = page();
        if (!isShared(what) || !read) throw new WordsError(say('page-unreadable'));
        return read(what, signal, originOf(url) ?? '');
      },
      async collect(signal) {
        const [catalog, fresh] = await Promise.all([
          page().collect(signal),
          background('settings', {}).catch(() => settings),
        ]);
        settings = fresh;
        if (catalog.url !== '') url = catalog.url;
        return catalog;
      },
    },
  };
}
