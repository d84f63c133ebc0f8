import type { Engine } from '../agent/engine';
import type { AgentPage } from '../agent/ports';
import { TabClosedError } from '../agent/reach-page';
import type { BackgroundPush, callBackground } from '../messages/background-api';
import type { HostStatus } from '../messages/host-api';
import type { HostConnection, HostHandlers } from '../messages/rpc';
import { WordsError } from '../said/said';
import { say } from '../said/say';
import { originOf } from '../tools/origin';
import { createApprovals } from './approvals';
import { conversationHandlers } from './conversation-handlers';
import { createConversations } from './conversations';
import type { Database } from './database';
import { engineHandlers } from './engine-handlers';
import { createEngineRoom } from './engine-room';
import type { Environment } from './exporting';
import { pageHandlers } from './page-handlers';
import { createPrivateDatabase, isPrivate } from './private-database';
import { createQueue } from './queue';
import { createShowing } from './showing';
import { turnHandlers } from './turn-handlers';
import { createTurns } from './turns';
import { createViews } from './views';
import { createWaitingUser } from './waiting-user';
import { createWatchedDatabase } from './watched-database';

export interface HostDeps {
  database: Database;
  engines: readonly Engine[];
  background: typeof callBackground;
  page: (tabId: number) => AgentPage;
  newId: () => string;
  now: () => number;
  environment: Environment;
  storage: Pick<StorageManager, 'estimate' | 'persisted'>;
}

export interface Host {
  handlers: HostHandlers;
  connected(connection: HostConnection): void;
  heard(push: BackgroundPush): void;
  /** What a host before this one left behind is put in order. Await before serving. */
  start(): Promise<void>;
}

/** The running service: sessions of every tab, one line for one engine, everything it keeps. */
export function createHost(deps: HostDeps): Host {
  const { background, page, newId, now } = deps;
  const watched = createWatchedDatabase(deps.database, {
    read: () => background('storeMark', {}),
    write: async (count) => void (await background('storeMark', { count })),
  });
  const database = createPrivateDatabase(watched);
  const { language } = deps.environment;
  const views = createViews();
  const announce = () => views.all({ push: 'status', status: status() });
  const user = createWaitingUser(announce);
  const approvals = createApprovals(database, now);
  const conversations = createConversations(database, newId, now);
  let nextTurn = new AbortController();
  const queue = createQueue(() => {
    if (queue.running()) {
      nextTurn.abort(new WordsError(say('model-at-work')));
      nextTurn = new AbortController();
    }
    announce();
  });
  const isAtWork = () => queue.running() !== undefined;
  const room = createEngineRoom({
    engines: deps.engines,
    onChange: announce,
    idleMinutes: async () => (await background('settings', {})).unloadAfterMinutes,
    busy: isAtWork,
  });
  const parts = { ...deps, database, language, approvals, conversations, queue, user, views };
  const turns = createTurns({ ...parts, engines: room });
  const showing = createShowing({ ...parts, turns, status });
  const jobs = () => [queue.running() ?? [], queue.waiting()].flat();

  function status(): HostStatus {
    const busy = queue.running();
    const line = ({ tabId, conversationId }: { tabId: number; conversationId: string }) => ({
      tabId,
      conversationId,
    });
    return {
      busy: busy
        ? { ...line(busy), turnId: busy.turnId, waitsFor: user.waitsFor(busy.conversationId) }
        : null,
      queue: queue.waiting().map(line),
      engine: room.state(),
    };
  }
  async function forgetOld(): Promise<void> {
    const { keepHistoryDays } = await background('settings', {});
    if (keepHistoryDays > 0) await database.deleteBefore(now() - keepHistoryDays * 86_400_000);
  }
  const toolsOf = async (tabId: number, signal: AbortSignal) =>
    (await page(tabId).collect(signal)).tools;

  const handlers: HostHandlers = {
    ...conversationHandlers({ ...parts, showing, turns, jobs, toolsOf, forgetOld }),
    ...turnHandlers({ ...parts, showing, turns, forgetOld }),
    ...pageHandlers({ ...parts, showing, turns, room, isAtWork, nextTurn: () => nextTurn.signal }),
    ...engineHandlers(room, isAtWork),
    async storage() {
      const { usage = 0, quota = 0 } = await deps.storage.estimate();
      return { usage, quota, persisted: await deps.storage.persisted() };
    },
    listApprovals: () => database.approvals(),
    async revokeApproval({ id }) {
      await approvals.revoke(id);
      return null;
    },
  };

  /** What was shared was shared of one site: on another one nothing is, until the user says so again. */
  async function unshareElsewhere(tabId: number, url: string): Promise<void> {
    const info = conversations.shownIn(tabId);
    const origin = originOf(url) ?? '';
    if (!info?.shared?.origin || info.shared.origin === origin) return;
    await showing.tell(tabId, await conversations.share(tabId, info, undefined));
  }

  /** An incognito tab takes its conversation along. */
  async function forgetPrivate(tabId: number): Promise<void> {
    const id = conversations.shownIn(tabId)?.id;
    if (id === undefined || !isPrivate(id)) return;
    await turns.stop(id);
    await turns.stored();
    await database.deleteConversation(id);
    turns.forget(id);
    conversations.forget(id);
  }

  return {
    handlers,
    connected: (connection) => views.add(connection),
    heard(push) {
      const { tabId } = push;
      // The tab may show another conversation than the one that works on its page.
      const affected = jobs().filter((job) => job.tabId === tabId);
      switch (push.push) {
        case 'tools-changed':
          views.tab(tabId, { push: 'catalog-changed', tabId, tools: push.tools });
          return;
        case 'navigated':
          turns.navigated(tabId, push.url);
          void unshareElsewhere(tabId, push.url);
          for (const job of affected) user.pageChanged(job.conversationId);
          return;
        case 'tab-replaced':
          views.replaceTab(tabId, push.by);
          conversations.replaceTab(tabId, push.by).catch(() => {});
          for (const job of affected) {
            job.tabId = push.by;
            user.pageChanged(job.conversationId);
          }
          announce();
          return;
        case 'tab-closed':
          for (const job of affected) {
            user.pageChanged(job.conversationId);
            void queue.stop(job.conversationId, new TabClosedError());
          }
          forgetPrivate(tabId).catch(() => {});
      }
    },
    async start() {
      if (await watched.hasLost()) turns.tellNext(say('history-lost'));
      await turns.recover();
      const session = await background('session', {});
      await database.sameSession(session);
      // Tried again with the next request.
      await forgetOld().catch(() => {});
    },
  };
}
