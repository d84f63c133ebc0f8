import type { AgentEvent } from '../agent/events';
import type { ConversationInfo, GivenApproval } from '../messages/host-api';

/** As stored: `runningTurn` marks a turn that has not ended, so that a restart can say it was interrupted. */
export interface StoredConversation extends ConversationInfo {
  runningTurn?: string;
  /** Tools that searches brought into its prompts; read with `readPromotions`. */
  promotions?: unknown;
}

/** Why something is kept no longer than the browser runs. */
export interface Trouble {
  /** `full`: the disk, or what the browser grants of it. `unavailable`: nothing can be stored at all. */
  kind: 'full' | 'unavailable';
  /** The browser's words. */
  message: string;
}

/** Everything Pagehand keeps: conversations, their events, approvals given, which tab shows what. */
export interface Database {
  /** Newest first. */
  conversations(): Promise<StoredConversation[]>;
  conversation(id: string): Promise<StoredConversation | undefined>;
  /**
   * Reads, changes and writes a conversation in one go: no change of somebody else gets lost in between.
   * Nothing is written where `change` gives nothing. Resolves with what is stored now.
   */
  updateConversation(
    id: string,
    change: (stored: StoredConversation | undefined) => StoredConversation | undefined,
  ): Promise<StoredConversation | undefined>;
  deleteConversation(id: string): Promise<void>;
  /** In the order they happened. Entries that no longer fit the schema are skipped. */
  events(conversationId: string): Promise<AgentEvent[]>;
  /** Resolves with the reason where they are held in memory only. */
  addEvents(events: readonly AgentEvent[]): Promise<Trouble | undefined>;
  approvals(conversationId?: string): Promise<GivenApproval[]>;
  putApproval(approval: GivenApproval): Promise<void>;
  deleteApproval(id: string): Promise<void>;
  tabConversation(tabId: number): Promise<string | undefined>;
  setTabConversation(tabId: number, conversationId: string): Promise<void>;
  /** Tab ids mean nothing in another run of the browser: forgets them when the session is a new one. */
  sameSession(session: string): Promise<void>;
  /** Deletes conversations that were last used before the time (milliseconds since the epoch). */
  deleteBefore(time: number): Promise<void>;
  clear(): Promise<void>;
}
