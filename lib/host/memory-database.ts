import type { AgentEvent } from '../agent/events';
import type { GivenApproval } from '../messages/host-api';
import type { Database, StoredConversation } from './database';

/** What is kept no longer than the browser runs. */
export interface MemoryDatabase extends Database {
  has(conversationId: string): boolean;
  isEmpty(): boolean;
  all(): Kept;
  /** Lets go of what was given out by `all`, but for what was changed or added since. */
  drop(kept: Kept): void;
}

export interface Kept {
  conversations: StoredConversation[];
  events: AgentEvent[];
  approvals: GivenApproval[];
  tabs: { tabId: number; conversationId: string }[];
}

export function createMemoryDatabase(): MemoryDatabase {
  const conversations = new Map<string, StoredConversation>();
  /** By conversation, by id. */
  const logs = new Map<string, Map<string, AgentEvent>>();
  const approvals = new Map<string, GivenApproval>();
  const tabs = new Map<number, string>();
  let session: string | undefined;

  const addEvents = (events: readonly AgentEvent[]) => {
    for (const event of events) {
      const log = logs.get(event.conversationId) ?? new Map<string, AgentEvent>();
      logs.set(event.conversationId, log);
      log.set(event.id, event);
    }
  };
  const remove = (id: string) => {
    conversations.delete(id);
    logs.delete(id);
    for (const [key, approval] of approvals) {
      if (approval.conversationId === id) approvals.delete(key);
    }
    for (const [tabId, shown] of tabs) if (shown === id) tabs.delete(tabId);
  };
  const clear = () => {
    for (const map of [conversations, logs, approvals, tabs]) map.clear();
  };

  return {
    has: (id) => conversations.has(id) || logs.has(id),
    isEmpty: () => [conversations, logs, approvals, tabs].every((map) => map.size === 0),
    all: () => ({
      conversations: [...conversations.values()],
      events: [...logs.values()].flatMap((log) => [...log.values()]),
      approvals: [...approvals.values()],
      tabs: [...tabs].map(([tabId, conversationId]) => ({ tabId, conversationId })),
    }),
    drop(kept) {
      for (const info of kept.conversations) {
        if (conversations.get(info.id) === info) conversations.delete(info.id);
      }
      for (const event of kept.events) {
        const log = logs.get(event.conversationId);
        if (log?.get(event.id) === event) log.delete(event.id);
        if (log?.size === 0) logs.delete(event.conversationId);
      }
      for (const one of kept.approvals) {
        if (approvals.get(one.id) === one) approvals.delete(one.id);
      }
      for (const { tabId, conversationId } of kept.tabs) {
        if (tabs.get(tabId) === conversationId) tabs.delete(tabId);
      }
    },
    conversations: async () =>
      [...conversations.values()].sort((a, b) => b.updatedAt - a.updatedAt),
    conversation: async (id) => conversations.get(id),
    async updateConversation(id, change) {
      const before = conversations.get(id);
      const after = change(before);
      if (after) conversations.set(id, after);
      return after ?? before;
    },
    deleteConversation: async (id) => remove(id),
    events: async (id) =>
      [...(logs.get(id)?.values() ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1)),
    async addEvents(events) {
      addEvents(events);
      return undefined;
    },
    approvals: async (id) =>
      [...approvals.values()].filter((one) => id === undefined || one.conversationId === id),
    putApproval: async (approval) => void approvals.set(approval.id, approval),
    deleteApproval: async (id) => void approvals.delete(id),
    tabConversation: async (tabId) => tabs.get(tabId),
    setTabConversation: async (tabId, id) => void tabs.set(tabId, id),
    async sameSession(now) {
      if (session !== undefined && session !== now) tabs.clear();
      session = now;
    },
    async deleteBefore(time) {
      for (const { id, updatedAt } of [...conversations.values()]) if (updatedAt < time) remove(id);
    },
    clear: async () => clear(),
  };
}
