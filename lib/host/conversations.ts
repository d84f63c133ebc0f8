import type { AgentEvent } from '../agent/events';
import type { ConversationInfo } from '../messages/host-api';
import { WordsError } from '../said/said';
import { say } from '../said/say';
import type { PromotionState } from '../tools/discovery/promotion';
import type { Database, StoredConversation } from './database';
import { privateId } from './private-database';

/** Where a conversation is begun. */
export interface Place {
  origin: string;
  /** Of an incognito tab: kept in memory only, while the tab is open. */
  incognito: boolean;
}

/** Which conversation a tab shows, and the conversations there are. */
export interface Conversations {
  /** The tab's conversation; a new one, not yet stored, where it has none. */
  current(tabId: number, place: Place): Promise<ConversationInfo>;
  start(tabId: number, place: Place): ConversationInfo;
  open(tabId: number, conversationId: string): Promise<ConversationInfo>;
  /** Stores that a turn began; names the conversation after its first ask. */
  turnStarted(info: ConversationInfo, turnId: string, ask: string): Promise<void>;
  turnEnded(conversationId: string, turnId: string, promotions?: PromotionState): Promise<void>;
  /** A turn that a host before this one left running: its tab, if it is there again, shows it. */
  turnInterrupted(conversationId: string, turnId: string): Promise<void>;
  /** Rejects where it is deleted. */
  need(conversationId: string): Promise<StoredConversation>;
  rename(conversationId: string, title: string): Promise<void>;
  /** Kept with the conversation once it has a turn. */
  share(
    tabId: number,
    info: ConversationInfo,
    shared: ConversationInfo['shared'],
  ): Promise<ConversationInfo>;
  /** What its model may read by now, while the tab shows it; else what it might when it was read. */
  sharedNow(info: ConversationInfo): NonNullable<ConversationInfo['shared']>;
  /** The browser gave the tab another id. */
  replaceTab(tabId: number, by: number): Promise<void>;
  shownIn(tabId: number): ConversationInfo | undefined;
  /** A new conversation with a copy of the events, attached to the tab. */
  fork(
    tabId: number,
    from: Pick<StoredConversation, 'title' | 'origin' | 'shared' | 'promotions'>,
    events: readonly AgentEvent[],
    place: Pick<Place, 'incognito'>,
  ): Promise<ConversationInfo>;
  /** The tab that shows the conversation now, if any. */
  tabOf(conversationId: string): number | undefined;
  /** Tabs that showed the conversation, which is gone; they show nothing until the next `start`. */
  forget(conversationId: string): number[];
  forgetAll(): number[];
}

const TITLE_CHARS = 60;

export function createConversations(
  database: Database,
  newId: () => string,
  now: () => number,
): Conversations {
  /** Tab → its conversation. The database holds the same for the next start of the host. */
  const shown = new Map<number, ConversationInfo>();
  /** Left running by a host before this one, and shown by no tab since. */
  const interrupted: StoredConversation[] = [];

  const attach = (tabId: number, info: ConversationInfo): ConversationInfo => {
    const attached = { ...info, tabId };
    shown.set(tabId, attached);
    return attached;
  };
  /** As its tab shows it, else as it was read. */
  const latest = (info: ConversationInfo): ConversationInfo => {
    const live = info.tabId === undefined ? undefined : shown.get(info.tabId);
    return live?.id === info.id ? live : info;
  };
  const need = async (id: string): Promise<StoredConversation> => {
    const info = await database.conversation(id);
    if (!info) throw new WordsError(say('conversation-gone'));
    return info;
  };
  /**
   * After a crash tabs have other ids: the first tab of its site is given the conversation whose turn was
   * cut off. Each is given once.
   */
  const leftBehind = async (tabId: number, origin: string) => {
    const at = interrupted.findIndex((info) => info.origin === origin);
    const [left] = at < 0 ? [] : interrupted.splice(at, 1);
    if (left === undefined || [...shown.values()].some(({ id }) => id === left.id)) return;
    const stored = await database.conversation(left.id);
    if (stored) await database.setTabConversation(tabId, left.id);
    return stored;
  };
  const create = (tabId: number, { origin, incognito }: Place): ConversationInfo => {
    const at = now();
    return attach(tabId, {
      id: incognito ? privateId(newId()) : newId(),
      title: '',
      origin,
      createdAt: at,
      updatedAt: at,
      turns: 0,
    });
  };

  return {
    async current(tabId, place) {
      const known = shown.get(tabId);
      if (known) return known;
      const stored = await database.tabConversation(tabId);
      const info = stored === undefined ? undefined : await database.conversation(stored);
      // Another request may have got here first while the database answered.
      const live = shown.get(tabId);
      if (live) return live;
      const found = info ?? (place.incognito ? undefined : await leftBehind(tabId, place.origin));
      return found ? attach(tabId, found) : create(tabId, place);
    },
    need,
    start: create,
    async open(tabId, conversationId) {
      const info = await need(conversationId);
      await database.setTabConversation(tabId, conversationId);
      return attach(tabId, info);
    },
    async turnStarted(info, turnId, ask) {
      const line = ask.replace(/\s+/g, ' ').trim();
      const short =
        line.length > TITLE_CHARS ? `${[...line].slice(0, TITLE_CHARS - 1).join('')}…` : line;
      const next = await database.updateConversation(info.id, (stored) => {
        const live = latest(info);
        return {
          ...(stored ?? info),
          tabId: info.tabId,
          shared: live.shared,
          title: stored?.title || live.title || short,
          turns: (stored?.turns ?? 0) + 1,
          updatedAt: now(),
          runningTurn: turnId,
          interrupted: undefined,
        };
      });
      if (info.tabId === undefined) return;
      await database.setTabConversation(info.tabId, info.id);
      const live = shown.get(info.tabId);
      if (next && live?.id === info.id) {
        // What the user took back while this was written stays taken back.
        attach(info.tabId, { ...next, shared: live.shared, title: live.title || next.title });
      }
    },
    async turnEnded(conversationId, turnId, promotions) {
      await database.updateConversation(conversationId, (stored) =>
        stored?.runningTurn === turnId
          ? {
              ...stored,
              runningTurn: undefined,
              ...(promotions ? { promotions } : {}),
              updatedAt: now(),
            }
          : undefined,
      );
    },
    async turnInterrupted(conversationId, turnId) {
      const info = await database.updateConversation(conversationId, (stored) =>
        stored?.runningTurn === turnId
          ? { ...stored, runningTurn: undefined, interrupted: true }
          : undefined,
      );
      if (info) interrupted.push(info);
    },
    async rename(conversationId, title) {
      const renamed = await database.updateConversation(
        conversationId,
        (stored) => stored && { ...stored, title },
      );
      if (!renamed) throw new WordsError(say('conversation-gone'));
      for (const [tabId, info] of shown) {
        if (info.id === conversationId) attach(tabId, { ...info, title });
      }
    },
    async share(tabId, info, shared) {
      // First of all, as a turn that runs must not read what was just taken back.
      const attached = attach(tabId, { ...info, shared });
      await database.updateConversation(info.id, (stored) => stored && { ...stored, shared });
      return attached;
    },
    async replaceTab(tabId, by) {
      const info = shown.get(tabId);
      if (info) {
        shown.delete(tabId);
        attach(by, info);
      }
      const stored = await database.tabConversation(tabId);
      if (stored !== undefined) await database.setTabConversation(by, stored);
    },
    shownIn: (tabId) => shown.get(tabId),
    sharedNow: (info) => latest(info).shared ?? {},
    async fork(tabId, from, events, { incognito }) {
      const info = {
        ...create(tabId, { origin: from.origin, incognito }),
        title: from.title,
        ...(from.shared ? { shared: from.shared } : {}),
        ...(from.promotions ? { promotions: from.promotions } : {}),
        turns: new Set(events.map((event) => event.turnId)).size,
      };
      await database.updateConversation(info.id, () => info);
      await database.addEvents(events.map((event) => ({ ...event, conversationId: info.id })));
      await database.setTabConversation(tabId, info.id);
      return attach(tabId, info);
    },
    forget(conversationId) {
      const tabs = [...shown].flatMap(([tabId, info]) =>
        info.id === conversationId ? [tabId] : [],
      );
      for (const tabId of tabs) shown.delete(tabId);
      return tabs;
    },
    forgetAll() {
      const tabs = [...shown.keys()];
      shown.clear();
      return tabs;
    },
    tabOf(conversationId) {
      for (const [tabId, info] of shown) if (info.id === conversationId) return tabId;
      return undefined;
    },
  };
}
