import type { HistoryIntents } from '../history/History';
import { t } from '../text';
import type { Desk } from './desk';
import type { Follower } from './follow';
import type { PanelPorts } from './ports';

/** A trace is exported from the log, not from the list. */
export interface PanelHistory extends HistoryIntents {
  export: (conversationId: string, format: 'markdown' | 'json' | 'trace') => void;
}

/** Somebody who types on is not done with the word. */
const TYPING_MS = 200;

/** Conversations of before: finding, opening, renaming, deleting, as files. */
export function createHistoryIntents(
  desk: Desk,
  { showIn }: Pick<Follower, 'showIn'>,
  ports: Pick<PanelPorts, 'save'>,
): PanelHistory {
  const { state, set, run, request, withTab } = desk;
  let searched = '';
  let latest = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Nobody waits for an earlier list any more. */
  const list = async (search: string) => {
    clearTimeout(timer);
    latest.abort();
    latest = new AbortController();
    const params = search === '' ? {} : { search };
    set({ history: await request('listConversations', params, latest.signal) });
  };
  return {
    search: (text) => {
      searched = text;
      clearTimeout(timer);
      // The host reads every conversation for it: not at each key of a word.
      if (text === '') run(() => list(text));
      else timer = setTimeout(() => run(() => list(text)), TYPING_MS);
    },
    open: (conversationId) =>
      withTab(async (tabId) =>
        showIn(tabId, await request('openConversation', { tabId, conversationId })),
      ),
    rename: (conversationId, title) =>
      run(async () => {
        await request('renameConversation', { conversationId, title });
        await list(searched);
      }),
    remove: (conversationId) =>
      run(async () => {
        await request('deleteConversation', { conversationId });
        await list(searched);
        const { tab, conversation } = state.value;
        if (tab && conversation?.id === conversationId) {
          showIn(tab.id, await request('watch', { tabId: tab.id }));
        }
      }),
    export: (conversationId, format) =>
      run(async () => {
        const file = await request('exportConversation', { conversationId, format });
        ports.save(file.filename, file.text);
      }),
    import: (text) =>
      withTab(async (tabId) => {
        const { conversationId, skipped } = await request('importConversation', { tabId, text });
        showIn(tabId, await request('openConversation', { tabId, conversationId }));
        if (skipped > 0) set({ problem: t('importSkipped', skipped) });
        await list(searched);
      }),
  };
}
