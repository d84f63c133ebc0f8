import type { HistoryIntents } from '../history/History';
import type { Desk } from './desk';
import type { Follower } from './follow';
import type { PanelPorts } from './ports';

/** A trace is exported from the log, not from the list. */
export interface PanelHistory extends HistoryIntents {
  export: (conversationId: string, format: 'markdown' | 'json' | 'trace') => void;
}

/** Conversations of before: finding, opening, renaming, deleting, as files. */
export function createHistoryIntents(
  desk: Desk,
  { showIn }: Pick<Follower, 'showIn'>,
  ports: Pick<PanelPorts, 'save'>,
): PanelHistory {
  const { state, set, run, request, withTab } = desk;
  let searched = '';
  const list = async (search: string) => {
    set({ history: await request('listConversations', search === '' ? {} : { search }) });
  };
  return {
    search: (text) => {
      searched = text;
      run(() => list(text));
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
        const { conversationId } = await request('importConversation', { tabId, text });
        showIn(tabId, await request('openConversation', { tabId, conversationId }));
        await list(searched);
      }),
  };
}
