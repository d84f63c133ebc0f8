import type { callBackground } from '../messages/background-api';
import type { HostHandlers } from '../messages/rpc';
import { WordsError } from '../said/said';
import { say } from '../said/say';
import type { PageTool } from '../tools/tool';
import type { Conversations } from './conversations';
import type { Database } from './database';
import { exportAs } from './export-as';
import { type Environment, fromJson } from './exporting';
import { isPrivate } from './private-database';
import type { Job } from './queue';
import { createSearch } from './search';
import type { Showing } from './showing';
import { missingEnds } from './some-events';
import type { Turns } from './turns';

type Methods =
  | 'watch'
  | 'newConversation'
  | 'openConversation'
  | 'listConversations'
  | 'renameConversation'
  | 'deleteConversation'
  | 'share'
  | 'exportConversation'
  | 'importConversation'
  | 'clearAll';

/** Which conversation a tab shows, and everything that is done to one as a whole. */
export function conversationHandlers(deps: {
  database: Database;
  conversations: Conversations;
  showing: Showing;
  turns: Turns;
  background: typeof callBackground;
  environment: Environment;
  jobs: () => Job[];
  /** The tools of a tab's page. */
  toolsOf: (tabId: number, signal: AbortSignal) => Promise<readonly PageTool[]>;
  forgetOld: () => Promise<void>;
  newId: () => string;
  now: () => number;
}): Pick<HostHandlers, Methods> {
  const { database, conversations, showing, turns } = deps;
  const searchIn = createSearch(database);
  return {
    watch: async ({ tabId }, connection) =>
      showing.watch(connection, tabId, await showing.current(tabId)),
    async newConversation({ tabId }, connection) {
      const before = await showing.current(tabId);
      await turns.stop(before.id);
      const place = await showing.place(tabId);
      return showing.show(connection, tabId, conversations.start(tabId, place));
    },
    async openConversation({ tabId, conversationId }, connection) {
      const atWork = deps.jobs().find((job) => job.conversationId === conversationId);
      if (atWork && atWork.tabId !== tabId) {
        throw new WordsError(say('conversation-elsewhere'));
      }
      const place = await showing.place(tabId);
      if (place.incognito && !isPrivate(conversationId)) {
        // What an incognito tab adds must not be kept with it: it goes on in a copy.
        const info = await conversations.need(conversationId);
        const events = await turns.events(conversationId);
        const copy = await conversations.fork(tabId, info, events, place);
        return showing.show(connection, tabId, copy);
      }
      return showing.show(connection, tabId, await conversations.open(tabId, conversationId));
    },
    async listConversations({ search }, _connection, signal) {
      // The host may live for weeks, and the setting may have changed.
      await deps.forgetOld().catch(() => {});
      return searchIn(search, signal);
    },
    async renameConversation({ conversationId, title }) {
      await conversations.rename(conversationId, title);
      return null;
    },
    async deleteConversation({ conversationId }) {
      await turns.stop(conversationId);
      await turns.stored();
      await database.deleteConversation(conversationId);
      turns.forget(conversationId);
      for (const tabId of conversations.forget(conversationId)) await showing.startAfresh(tabId);
      return null;
    },
    async share({ tabId, text, selection }, connection) {
      const { origin } = await showing.place(tabId);
      const before = await showing.current(tabId);
      const info = await conversations.share(tabId, before, { text, selection, origin });
      return showing.show(connection, tabId, info);
    },
    async exportConversation({ conversationId, format }, _connection, signal) {
      const info = await conversations.need(conversationId);
      return exportAs(format, info, await turns.events(conversationId), {
        environment: deps.environment,
        capture: async () => (await deps.background('settings', {})).capture,
        async tools() {
          const tabId = conversations.tabOf(conversationId);
          return tabId === undefined ? undefined : deps.toolsOf(tabId, signal);
        },
      });
    },
    async importConversation({ tabId, text }) {
      const file = fromJson(text);
      const place = await showing.place(tabId);
      const ends = missingEnds(file.events, deps.newId, deps.now);
      const info = await conversations.fork(tabId, file, [...file.events, ...ends], place);
      await showing.tell(tabId, info);
      return { conversationId: info.id, skipped: file.skipped };
    },
    async clearAll() {
      await turns.stopAll();
      await turns.stored();
      await database.clear();
      await deps.background('forgetSites', {});
      turns.forget();
      for (const tabId of conversations.forgetAll()) await showing.startAfresh(tabId);
      return null;
    },
  };
}
