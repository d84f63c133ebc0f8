import type { AgentEvent } from '../agent/events';
import type { HostPush } from '../messages/host-api';
import type { HostConnection } from '../messages/rpc';

/** The views that are connected, and what each of them watches. */
export interface Views {
  add(connection: HostConnection): void;
  watch(connection: HostConnection, tabId: number, conversationId: string): void;
  /** The tab shows another conversation now: its views, but for `except`, are told and follow. */
  moveTab(tabId: number, conversationId: string, push: HostPush, except?: HostConnection): void;
  /** The browser gave the tab another id. */
  replaceTab(tabId: number, by: number): void;
  /** To the views that show the conversation. */
  events(conversationId: string, events: AgentEvent[]): void;
  /** To the views that watch the tab. */
  tab(tabId: number, push: HostPush): void;
  all(push: HostPush): void;
}

export function createViews(): Views {
  const watched = new Map<HostConnection, { tabId: number; conversationId: string } | null>();
  return {
    add(connection) {
      watched.set(connection, null);
      connection.signal.addEventListener('abort', () => watched.delete(connection), {
        once: true,
      });
    },
    watch(connection, tabId, conversationId) {
      if (!connection.signal.aborted) watched.set(connection, { tabId, conversationId });
    },
    moveTab(tabId, conversationId, push, except) {
      for (const [connection, what] of watched) {
        if (what?.tabId !== tabId || connection === except) continue;
        watched.set(connection, { tabId, conversationId });
        connection.push(push);
      }
    },
    replaceTab(tabId, by) {
      for (const [connection, what] of watched) {
        if (what?.tabId === tabId) watched.set(connection, { ...what, tabId: by });
      }
    },
    events(conversationId, events) {
      for (const [connection, what] of watched) {
        if (what?.conversationId === conversationId) {
          connection.push({ push: 'events', conversationId, events });
        }
      }
    },
    tab(tabId, push) {
      for (const [connection, what] of watched) {
        if (what?.tabId === tabId) connection.push(push);
      }
    },
    all(push) {
      for (const connection of watched.keys()) connection.push(push);
    },
  };
}
