import type { callBackground } from '../messages/background-api';
import type { ConversationInfo, HostStatus, Snapshot } from '../messages/host-api';
import type { HostConnection } from '../messages/rpc';
import { originOf } from '../tools/origin';
import type { Conversations, Place } from './conversations';
import { withinMessage } from './some-events';
import type { Turns } from './turns';
import type { Views } from './views';

/** What views show of a tab. A view listens from the very event on that its snapshot ends with. */
export interface Showing {
  place(tabId: number): Promise<Place>;
  /** The tab's conversation. */
  current(tabId: number): Promise<ConversationInfo & { tabId: number }>;
  /** The view watches the tab from now on. */
  watch(connection: HostConnection, tabId: number, info: ConversationInfo): Promise<Snapshot>;
  /** Makes the conversation the tab's, in the view that asked and in every other that watches the tab. */
  show(connection: HostConnection, tabId: number, info: ConversationInfo): Promise<Snapshot>;
  /** Tells every view that watches the tab what it shows now. */
  tell(tabId: number, info: ConversationInfo): Promise<void>;
  /** The tab's conversation is gone: it shows a new one. */
  startAfresh(tabId: number): Promise<void>;
}

export function createShowing(deps: {
  background: typeof callBackground;
  conversations: Conversations;
  turns: Turns;
  views: Views;
  status: () => HostStatus;
}): Showing {
  const { background, conversations, turns, views, status } = deps;
  const snapshot = (info: ConversationInfo, taken: (snapshot: Snapshot) => void) =>
    turns.take(info.id, (events) => {
      const snap = { conversation: info, events: withinMessage(events), status: status() };
      taken(snap);
      return snap;
    });
  const showing: Showing = {
    async place(tabId) {
      const tab = await background('tab', { tabId });
      return { origin: originOf(tab?.url ?? '') ?? '', incognito: tab?.incognito === true };
    },
    async current(tabId) {
      const place = await showing.place(tabId);
      return { ...(await conversations.current(tabId, place)), tabId };
    },
    watch: (connection, tabId, info) =>
      snapshot(info, () => views.watch(connection, tabId, info.id)),
    show: (connection, tabId, info) =>
      snapshot(info, (taken) => {
        views.watch(connection, tabId, info.id);
        views.moveTab(tabId, info.id, { push: 'snapshot', snapshot: taken }, connection);
      }),
    async tell(tabId, info) {
      await snapshot(info, (taken) => {
        views.moveTab(tabId, info.id, { push: 'snapshot', snapshot: taken });
      });
    },
    async startAfresh(tabId) {
      await showing.tell(tabId, conversations.start(tabId, await showing.place(tabId)));
    },
  };
  return showing;
}
