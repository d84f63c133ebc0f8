import type { Engine } from '../agent/engine';
import type { AgentPage } from '../agent/ports';
import { TabClosedError } from '../agent/reach-page';
import { replay } from '../evals/replay';
import type { BackgroundPush, callBackground } from '../messages/background-api';
import type { ConversationInfo, HostStatus, Snapshot } from '../messages/host-api';
import type { HostConnection, HostHandlers } from '../messages/rpc';
import { SaidError } from '../said/said';
import { say } from '../said/say';
import { siteSettings } from '../settings/settings';
import { createApprovals } from './approvals';
import { catalogView } from './catalog-view';
import { createConversations } from './conversations';
import type { Database } from './database';
import { createEngineRoom } from './engine-room';
import { exportAs } from './export-as';
import { type Environment, fromJson } from './exporting';
import { preview } from './preview';
import { createQueue } from './queue';
import { runByHand } from './run-by-hand';
import { eventsBefore, missingEnds, withinMessage } from './some-events';
import { createTurns } from './turns';
import { createViews } from './views';
import { createWaitingUser } from './waiting-user';

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
  const { database, background, newId, now } = deps;
  const views = createViews();
  const approvals = createApprovals(database, now);
  const conversations = createConversations(database, newId, now);
  const announce = () => views.all({ push: 'status', status: status() });
  const user = createWaitingUser(announce);
  const queue = createQueue(announce);
  const engines = createEngineRoom({
    engines: deps.engines,
    onChange: announce,
    idleMinutes: async () => (await background('settings', {})).unloadAfterMinutes,
    busy: () => queue.running() !== undefined,
  });
  const { language } = deps.environment;
  const turns = createTurns({
    ...deps,
    approvals,
    language,
    conversations,
    queue,
    engines,
    user,
    views,
  });

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
      engine: engines.state(),
    };
  }
  async function originOf(tabId: number): Promise<string> {
    const tab = await background('tab', { tabId });
    return tab && URL.canParse(tab.url) ? new URL(tab.url).origin : '';
  }
  async function snapshot(info: ConversationInfo): Promise<Snapshot> {
    return {
      conversation: info,
      events: withinMessage(await turns.events(info.id)),
      status: status(),
    };
  }
  const current = async (tabId: number) => ({
    ...(await conversations.current(tabId, await originOf(tabId))),
    tabId,
  });
  /** Makes the conversation the tab's, in every view that watches the tab. */
  async function show(
    connection: HostConnection,
    tabId: number,
    info: ConversationInfo,
  ): Promise<Snapshot> {
    const taken = await snapshot(info);
    views.watch(connection, tabId, info.id);
    views.moveTab(tabId, info.id, { push: 'snapshot', snapshot: taken }, connection);
    return taken;
  }
  const jobs = () => [queue.running() ?? [], queue.waiting()].flat();
  /** What takes the model away from the turn that holds it. */
  function refuseAtWork(): void {
    if (queue.running()) throw new SaidError(say('model-at-work'));
  }
  async function forgetOld(): Promise<void> {
    const { keepHistoryDays } = await background('settings', {});
    if (keepHistoryDays > 0) await database.deleteBefore(now() - keepHistoryDays * 86_400_000);
  }
  async function need(conversationId: string): Promise<ConversationInfo> {
    const info = await database.conversation(conversationId);
    if (!info) throw new SaidError(say('conversation-gone'));
    return info;
  }

  const handlers: HostHandlers = {
    async watch({ tabId }, connection) {
      const info = await current(tabId);
      const taken = await snapshot(info);
      views.watch(connection, tabId, info.id);
      return taken;
    },
    async ask({ tabId, text }) {
      const asked = await turns.start(await current(tabId), text);
      forgetOld().catch(() => {});
      return asked;
    },
    async stop({ conversationId }) {
      await turns.stop(conversationId);
      return null;
    },
    answerApproval({ callId, decision, remember }) {
      user.answerApproval(callId, { decision, by: 'user', remember });
      return null;
    },
    answerQuestion({ questionId, answer }) {
      const isForm = typeof answer === 'object' && !Array.isArray(answer);
      const value = typeof answer === 'string' || isForm ? answer : null;
      user.answerQuestion(questionId, value);
      return null;
    },
    async newConversation({ tabId }, connection) {
      const before = await current(tabId);
      await turns.stop(before.id);
      return show(connection, tabId, conversations.start(tabId, await originOf(tabId)));
    },
    async openConversation({ tabId, conversationId }, connection) {
      const atWork = jobs().find((job) => job.conversationId === conversationId);
      if (atWork && atWork.tabId !== tabId) {
        throw new SaidError(say('conversation-elsewhere'));
      }
      return show(connection, tabId, await conversations.open(tabId, conversationId));
    },
    async listConversations({ search }) {
      // The host may live for weeks, and the setting may have changed.
      await forgetOld().catch(() => {});
      return conversations.list(search);
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
      for (const tabId of conversations.forget(conversationId)) {
        const fresh = conversations.start(tabId, await originOf(tabId));
        views.moveTab(tabId, fresh.id, { push: 'snapshot', snapshot: await snapshot(fresh) });
      }
      return null;
    },
    async retry({ tabId, conversationId, turnId, text }, connection) {
      await turns.stop(conversationId);
      const info = await need(conversationId);
      const events = await turns.events(conversationId);
      const began = events.find((e) => e.turnId === turnId && e.type === 'turn-started');
      if (began?.type !== 'turn-started') throw new SaidError(say('message-gone'));
      const kept = eventsBefore(events, turnId);
      const fork = { ...(await conversations.fork(tabId, info, kept)), tabId };
      const snap = await show(connection, tabId, fork);
      connection.push({ push: 'snapshot', snapshot: snap });
      return turns.start(fork, text ?? began.ask);
    },
    async share({ tabId, text, selection }, connection) {
      const origin = await originOf(tabId);
      const info = await conversations.share(tabId, await current(tabId), {
        text,
        selection,
        origin,
      });
      return show(connection, tabId, info);
    },
    async exportConversation({ conversationId, format }, _connection, signal) {
      const info = await need(conversationId);
      return exportAs(format, info, await turns.events(conversationId), {
        environment: deps.environment,
        capture: async () => (await background('settings', {})).capture,
        async tools() {
          const tabId = conversations.tabOf(conversationId);
          return tabId === undefined ? undefined : (await deps.page(tabId).collect(signal)).tools;
        },
      });
    },
    async importConversation({ tabId, text }) {
      const file = fromJson(text);
      const info = await conversations.fork(tabId, file, [
        ...file.events,
        ...missingEnds(file.events, newId, now),
      ]);
      views.moveTab(tabId, info.id, { push: 'snapshot', snapshot: await snapshot(info) });
      return { conversationId: info.id };
    },
    async catalog({ tabId }, _connection, signal) {
      const catalog = await deps.page(tabId).collect(signal);
      const settings = await background('settings', {});
      return catalogView(catalog, { language, ...settings }, engines.need(settings.engine), now());
    },
    async runTool({ tabId, key, arguments: args }, _connection, signal) {
      return runByHand(deps.page(tabId), key, args, signal, now);
    },
    async preview({ tabId, ask }, _connection, signal) {
      const settings = await background('settings', {});
      const catalog = await deps.page(tabId).collect(signal);
      const { id, state } = engines.state();
      const loaded = state === 'ready' && !queue.running() ? id : undefined;
      return preview(catalog, ask, { language, ...settings }, deps.engines, loaded, signal, now());
    },
    async replay({ tabId, site, tools }, _connection, signal) {
      const settings = await background('settings', {});
      const { id, state } = engines.state();
      const engine = deps.engines.find((one) => one.id === (state === 'ready' ? id : 'instant'));
      if (!engine) throw new Error('There is no engine.');
      if (engine.id === 'instant') await engine.load(undefined, () => {}, signal);
      const page = tools === 'page' ? await deps.page(tabId).collect(signal) : undefined;
      const turns = await replay(site, engine, {
        tools: page?.tools,
        settings: {
          strategy: settings.strategy,
          ranking: settings.ranking,
          capture: false,
          site: (origin) => siteSettings(settings, origin),
        },
        signal,
      });
      return { engine: engine.id, turns };
    },
    describeEngines: (_params, _connection, signal) => engines.describe(signal),
    async loadEngine({ engine, model }) {
      const { id, model: loaded, state } = engines.state();
      const isOther = state === 'ready' && (id !== engine || loaded !== model);
      if (isOther && id !== 'instant') refuseAtWork();
      await engines.load(engine, model);
      return null;
    },
    cancelLoad() {
      engines.cancelLoad();
      return null;
    },
    async unloadEngine() {
      refuseAtWork();
      await engines.unload();
      return null;
    },
    async deleteModel({ engine, model }) {
      const { id, model: loaded = model } = engines.state();
      if (id === engine && loaded === model) refuseAtWork();
      await engines.deleteModel(engine, model);
      return null;
    },
    async storage() {
      const { usage = 0, quota = 0 } = await deps.storage.estimate();
      return { usage, quota, persisted: await deps.storage.persisted() };
    },
    listApprovals: () => database.approvals(),
    async revokeApproval({ id }) {
      await approvals.revoke(id);
      return null;
    },
    async clearAll() {
      await turns.stopAll();
      await turns.stored();
      await database.clear();
      turns.forget();
      for (const tabId of conversations.forgetAll()) {
        const fresh = conversations.start(tabId, await originOf(tabId));
        views.moveTab(tabId, fresh.id, { push: 'snapshot', snapshot: await snapshot(fresh) });
      }
      return null;
    },
  };

  /** What was shared was shared of one site: on another one nothing is, until the user says so again. */
  async function unshareElsewhere(tabId: number, url: string): Promise<void> {
    const info = conversations.shownIn(tabId);
    const origin = URL.canParse(url) ? new URL(url).origin : '';
    if (!info?.shared?.origin || info.shared.origin === origin) return;
    const without = await conversations.share(tabId, info, undefined);
    views.moveTab(tabId, without.id, { push: 'snapshot', snapshot: await snapshot(without) });
  }

  return {
    handlers,
    connected: (connection) => views.add(connection),
    heard(push) {
      if (push.push === 'tools-changed') {
        views.tab(push.tabId, {
          push: 'catalog-changed',
          tabId: push.tabId,
          tools: push.tools,
        });
        return;
      }
      if (push.push === 'tab-replaced') {
        views.replaceTab(push.tabId, push.by);
        conversations.replaceTab(push.tabId, push.by).catch(() => {});
      }
      if (push.push === 'navigated') {
        turns.navigated(push.tabId, push.url);
        void unshareElsewhere(push.tabId, push.url);
      }
      // The tab may show another conversation than the one that works on its page.
      for (const job of jobs()) {
        if (job.tabId !== push.tabId) continue;
        user.pageChanged(job.conversationId);
        if (push.push === 'tab-replaced') job.tabId = push.by;
        if (push.push === 'tab-closed') {
          void queue.stop(job.conversationId, new TabClosedError());
        }
      }
      if (push.push === 'tab-replaced') announce();
    },
    async start() {
      await turns.recover();
      const session = await background('session', {});
      await database.sameSession(session);
      await forgetOld();
    },
  };
}
