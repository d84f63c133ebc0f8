import type { AgentEvent } from '../agent/events';
import type { ConversationInfo } from '../messages/host-api';
import { SaidError } from '../said/said';
import { say } from '../said/say';
import type { PromotionState } from '../tools/discovery/promotion';
import type { Database, StoredConversation } from './database';

/** Which conversation a tab shows, and the conversations there are. */
export interface Conversations {
  /** The tab's conversation; a new one, not yet stored, where it has none. */
  current(tabId: number, origin: string): Promise<ConversationInfo>;
  start(tabId: number, origin: string): ConversationInfo;
  open(tabId: number, conversationId: string): Promise<ConversationInfo>;
  /** Stores that a turn began; names the conversation after its first ask. */
  turnStarted(info: ConversationInfo, turnId: string, ask: string): Promise<void>;
  turnEnded(conversationId: string, turnId: string, promotions?: PromotionState): Promise<void>;
  list(search: string | undefined): Promise<ConversationInfo[]>;
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
    from: Pick<ConversationInfo, 'title' | 'origin' | 'shared'>,
    events: readonly AgentEvent[],
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

  const attach = (tabId: number, info: ConversationInfo): ConversationInfo => {
    const attached = { ...info, tabId };
    shown.set(tabId, attached);
    return attached;
  };
  const need = async (id: string): Promise<StoredConversation> => {
    const info = await database.conversation(id);
    if (!info) throw new SaidError(say('conversation-gone'));
    return info;
  };
  const create = (tabId: number, origin: string): ConversationInfo => {
    const at = now();
    return attach(tabId, {
      id: newId(),
      title: '',
      origin,
      createdAt: at,
      updatedAt: at,
      turns: 0,
    });
  };

  return {
    async current(tabId, origin) {
      const known = shown.get(tabId);
      if (known) return known;
      const stored = await database.tabConversation(tabId);
      const info = stored === undefined ? undefined : await database.conversation(stored);
      // Another request may have got here first while the database answered.
      return shown.get(tabId) ?? (info ? attach(tabId, info) : create(tabId, origin));
    },
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
      const stored = await database.conversation(info.id);
      const next: StoredConversation = {
        ...info,
        title: stored?.title || info.title || short,
        turns: (stored?.turns ?? 0) + 1,
        updatedAt: now(),
        runningTurn: turnId,
        promotions: stored?.promotions,
      };
      await database.putConversation(next);
      if (info.tabId !== undefined) {
        await database.setTabConversation(info.tabId, info.id);
        if (shown.get(info.tabId)?.id === info.id) attach(info.tabId, next);
      }
    },
    async turnEnded(conversationId, turnId, promotions) {
      const stored = await database.conversation(conversationId);
      if (stored?.runningTurn !== turnId) return;
      await database.putConversation({
        ...stored,
        runningTurn: undefined,
        ...(promotions ? { promotions } : {}),
        updatedAt: now(),
      });
    },
    async list(search) {
      const all = await database.conversations();
      const wanted = search?.trim().toLowerCase() ?? '';
      if (wanted === '') return all;
      const found: ConversationInfo[] = [];
      for (const info of all) {
        if (`${info.title} ${info.origin}`.toLowerCase().includes(wanted)) found.push(info);
        else if (saidIn(await database.events(info.id)).includes(wanted)) found.push(info);
      }
      return found;
    },
    async rename(conversationId, title) {
      await database.putConversation({ ...(await need(conversationId)), title });
      for (const [tabId, info] of shown) {
        if (info.id === conversationId) attach(tabId, { ...info, title });
      }
    },
    async share(tabId, info, shared) {
      // First of all, as a turn that runs must not read what was just taken back.
      const attached = attach(tabId, { ...info, shared });
      const stored = await database.conversation(info.id);
      if (stored) await database.putConversation({ ...stored, shared });
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
    sharedNow(info) {
      const now = info.tabId === undefined ? undefined : shown.get(info.tabId);
      return (now?.id === info.id ? now : info).shared ?? {};
    },
    async fork(tabId, from, events) {
      const info = {
        ...create(tabId, from.origin),
        title: from.title,
        ...(from.shared ? { shared: from.shared } : {}),
        turns: new Set(events.map((event) => event.turnId)).size,
      };
      await database.putConversation(info);
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

/** What was asked and answered, in lower case; streamed pieces joined, for words that lie across them. */
function saidIn(events: readonly AgentEvent[]): string {
  let said = '';
  for (const event of events) {
    if (event.type === 'text') said += event.text;
    else if (event.type === 'turn-started') said += `\n${event.ask}\n`;
    else if (event.type === 'turn-ended') said += `\n${event.message}\n`;
    else said += '\n';
  }
  return said.toLowerCase();
}
