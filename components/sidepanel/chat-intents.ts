import { WordsError } from '../../lib/said/said';
import { say } from '../../lib/said/say';
import type { ChatIntents } from '../chat/intents';
import type { Desk } from './desk';
import type { PanelPorts } from './ports';

export type PanelChat = Omit<ChatIntents, 'openModels' | 'openTools'>;

/** What can be done in a conversation. */
export function createChatIntents(desk: Desk, ports: Pick<PanelPorts, 'reloadTab'>): PanelChat {
  const { state, set, run, request, withTab, withConversation } = desk;
  /** The last change of what is shared: the next one builds on what it led to. */
  let sharing: Promise<unknown> = Promise.resolve();
  return {
    send: (text, after) =>
      withTab((tabId) =>
        request('ask', { tabId, text, ...(after === undefined ? {} : { after }) }),
      ),
    stop: () => withConversation((conversationId) => request('stop', { conversationId })),
    answerApproval: async (decision) => {
      const answered = request('answerApproval', decision);
      run(() => answered);
      return (await answered).problems;
    },
    answerQuestion: (questionId, answer) =>
      run(() => request('answerQuestion', { questionId, answer })),
    retry: (turnId, text) =>
      withConversation((conversationId, tabId) =>
        request('retry', { tabId, conversationId, turnId, ...(text ? { text } : {}) }),
      ),
    runTool: (key, args) => {
      const { tab } = state.value;
      if (!tab) return Promise.reject(new WordsError(say('no-page')));
      return request('runTool', { tabId: tab.id, key, arguments: args });
    },
    share: (change) =>
      withConversation((conversationId, tabId) => {
        const shown = () =>
          state.value.tab?.id === tabId && state.value.conversation?.id === conversationId;
        const next = async () => {
          if (!shown()) return;
          const { text = false, selection = false } = state.value.conversation?.shared ?? {};
          const { conversation } = await request('share', { tabId, text, selection, ...change });
          if (shown() && conversation.id === conversationId) set({ conversation });
        };
        const last = sharing.then(next, next);
        sharing = last;
        return last;
      }),
    reloadPage: () => withTab((tabId) => ports.reloadTab(tabId)),
  };
}
