import { pathOf, ROOT } from '../agent/branches';
import type { AgentEvent, EndReason } from '../agent/events';
import { factsOf } from '../agent/facts';
import type { AgentPage, CallOutcome, Emit } from '../agent/ports';
import { runLocalAgent } from '../agent/run';
import { foldTranscript } from '../agent/transcript';
import type { callBackground } from '../messages/background-api';
import type { ConversationInfo } from '../messages/host-api';
import { saidIn, type Words, WordsError } from '../said/said';
import { say } from '../said/say';
import { type Settings, siteSettings } from '../settings/settings';
import { type PromotionState, readPromotions } from '../tools/discovery/promotion';
import { addressSeenFrom, originOf, siteOf } from '../tools/origin';
import type { JsonObject, PageTool } from '../tools/tool';
import type { GivenApprovals } from './approvals';
import { runTold } from './by-hand';
import type { Conversations } from './conversations';
import type { Database } from './database';
import type { EngineRoom } from './engine-room';
import { historyOf } from './history';
import { createLogs } from './logs';
import type { Job, Queue } from './queue';
import { eventsTo } from './some-events';
import { endInterrupted, failedEnd, stoppedEnd, type TurnEnded } from './turn-ends';
import { createTurnPage } from './turn-page';
import type { Views } from './views';
import type { WaitingUser } from './waiting-user';

/** What running turns needs of the host's parts. */
export interface TurnsDeps {
  database: Database;
  approvals: GivenApprovals;
  conversations: Conversations;
  queue: Queue;
  engines: EngineRoom;
  user: WaitingUser;
  views: Views;
  page: (tabId: number) => AgentPage;
  background: typeof callBackground;
  newId: () => string;
  now: () => number;
  /** The browser's, where the settings name none. */
  language: string;
}

export interface Turns {
  /**
   * Puts a turn into the line, as the one that follows `after`; without that, the newest. Rejects while
   * the conversation works on another one.
   */
  start(
    info: ConversationInfo & { tabId: number },
    ask: string,
    after?: string,
  ): Promise<{ turnId: string }>;
  /**
   * A tool that the user runs themselves: told as a turn of theirs, beside the one that runs. Resolves
   * with what the page answered.
   */
  byHand(
    info: ConversationInfo & { tabId: number },
    tool: PageTool,
    args: JsonObject,
    run: (signal: AbortSignal) => Promise<CallOutcome>,
  ): Promise<CallOutcome>;
  /** Stops the conversation's turn, also one that is only on its way into the line. */
  stop(conversationId: string): Promise<void>;
  stopAll(): Promise<void>;
  /** The tab shows another document: told in the turn that runs there. */
  navigated(tabId: number, url: string): void;
  /** Everything that happened in the conversation, what is not stored yet included. */
  events(conversationId: string): Promise<AgentEvent[]>;
  /** The same, handed over in the moment it is complete; see `Logs`. */
  take<T>(conversationId: string, take: (events: AgentEvent[]) => T): Promise<T>;
  /** Resolves once everything that happened so far is stored, or could not be. */
  stored(): Promise<void>;
  /** Lets go of what is kept in memory of a conversation that was deleted; of all without an id. */
  forget(conversationId?: string): void;
  /** Says this in the next turn, whichever that is. */
  tellNext(words: Words): void;
  /** Marks what a host before this one left running as interrupted. */
  recover(): Promise<void>;
}

/** Failures after which what the engine holds is not to be trusted any more. */
const BROKEN = new Set<string>(['device-lost', 'memory', 'corrupt', 'failed']);

export function createTurns(deps: TurnsDeps): Turns {
  const { database, conversations, queue, engines, newId, now } = deps;
  /** Tools that searches brought into a conversation's prompts, while this host lives. */
  const promotions = new Map<string, PromotionState>();
  const logs = createLogs({ ...deps, show: deps.views.events });
  const writing = new Set<Promise<void>>();
  let toTell: Words | undefined;
  /** What runs by hand, by conversation. */
  const hands = new Map<AbortController, string>();
  /** Conversations whose turn is being put into the line. */
  const starting = new Map<string, Promise<unknown>>();
  /** Turn that runs → what it does when its tab goes to another document. */
  const onNavigated = new Map<string, (url: string) => void>();

  async function run(
    info: ConversationInfo & { tabId: number },
    job: Pick<Job, 'tabId' | 'turnId'>,
    ask: string,
    before: readonly AgentEvent[],
    emit: Emit,
    recorded: () => Promise<void>,
    settings: Settings,
    queuedAt: number,
    signal: AbortSignal,
  ): Promise<void> {
    const queueMs = now() - queuedAt;
    const model = settings.models[settings.engine];
    const engine = await engines.use(settings.engine, model, signal);
    const tab = await deps.background('tab', { tabId: job.tabId });
    const here = createTurnPage({
      page: () => deps.page(job.tabId),
      sharedNow: () => conversations.sharedNow({ ...info, tabId: job.tabId }),
      background: deps.background,
      settings,
      url: tab?.url ?? '',
    });
    onNavigated.set(job.turnId, (url) => {
      here.navigated(url);
      emit({ type: 'page-navigated', url });
    });
    const kept = await database.conversation(info.id);
    const found = promotions.get(info.id) ?? readPromotions(kept?.promotions);
    await runLocalAgent({
      engine,
      page: here.page,
      user: deps.user.user(info.id),
      emit,
      ask,
      history: { ...historyOf(before, siteOf(tab?.url ?? '')), promotions: found },
      settings: {
        ranking: settings.ranking,
        get capture() {
          return here.settings().capture;
        },
        site: (origin) => siteSettings(here.settings(), origin),
      },
      facts: factsOf({
        now: new Date(now()),
        language: settings.language ?? deps.language,
        title: tab?.title,
        url: tab?.url,
      }),
      approvals: await deps.approvals.begin(info.id),
      recorded,
      keepPromotions: (now) => void promotions.set(info.id, now),
      shared: here.shared,
      signal,
      queueMs,
      now,
      newId,
    });
  }

  async function enqueue(
    info: ConversationInfo & { tabId: number },
    ask: string,
    after: string | undefined,
  ) {
    const turnId = newId();
    const settings = await deps.background('settings', {});
    const tab = await deps.background('tab', { tabId: info.tabId });
    const events = await logs.take(info.id, (all) => all);
    const follows = after ?? pathOf(foldTranscript(events)).at(-1)?.turnId ?? ROOT;
    const before = eventsTo(events, follows);
    const newest = events.at(-1)?.turnId ?? ROOT;
    const log = logs.of(info.id, turnId);
    const queuedAt = now();
    let end: TurnEnded | undefined;
    let step = 0;
    let arrived: string | undefined;
    const emit: Emit = (body) => {
      if (body.type === 'step-started') {
        step = body.step;
        arrived = undefined;
      }
      if (body.type === 'page-navigated') {
        const url = addressSeenFrom(originOf(tab?.url ?? '') ?? '', body.url);
        // The call that led there tells it too.
        if (arrived === url) return;
        arrived = url;
        return log.emit({ ...body, url });
      }
      if (body.type === 'engine-failed' && BROKEN.has(body.kind)) {
        void engines.failed({ text: body.message, ...saidIn(body) });
      }
      if (body.type === 'turn-ended') end = body;
      else log.emit(body);
    };
    /** Told last of all: who hears that the turn has ended may ask at once. */
    const finish = (otherwise: () => TurnEnded) => {
      log.emit(end ?? otherwise());
      engines.rest();
      deps.approvals.end(info.id);
      onNavigated.delete(turnId);
      const written = log
        .flush()
        .then(() => conversations.turnEnded(info.id, turnId, promotions.get(info.id)))
        // The next start of the host says that the turn was interrupted.
        .catch(() => {})
        .finally(() => writing.delete(written));
      writing.add(written);
    };
    await conversations.turnStarted(info, turnId, ask);
    emit({
      type: 'turn-started',
      ask,
      ...(follows === newest ? {} : { after: follows }),
      tabId: info.tabId,
      url: tab?.url ?? '',
      engine: settings.engine,
      model: settings.models[settings.engine],
    });
    if (toTell) emit({ type: 'notice', level: 'error', ...toTell });
    toTell = undefined;
    const job: Job = {
      tabId: info.tabId,
      conversationId: info.id,
      turnId,
      onQueued: (position, busyTabId) => emit({ type: 'turn-queued', position, busyTabId }),
      async run(signal) {
        let failure: unknown;
        onNavigated.set(turnId, (url) => emit({ type: 'page-navigated', url }));
        try {
          await run(info, job, ask, before, emit, log.flush, settings, queuedAt, signal);
        } catch (error) {
          failure = error;
        }
        finish(() =>
          signal.aborted
            ? stoppedEnd(signal.reason, step)
            : failedEnd(failure, settings.engine, emit, step),
        );
      },
      async onDropped(why) {
        finish(() => stoppedEnd(why, step));
      },
    };
    queue.add(job);
    return { turnId };
  }

  return {
    async start(info, ask, after) {
      if (starting.has(info.id) || queue.has(info.id)) {
        throw new WordsError(say('conversation-busy'));
      }
      const work = enqueue(info, ask, after);
      starting.set(info.id, work);
      try {
        return await work;
      } finally {
        starting.delete(info.id);
      }
    },
    async byHand(info, tool, args, run) {
      const turnId = newId();
      const log = logs.of(info.id, turnId);
      // The turn that runs has the mark by which a restart finds what was interrupted.
      const isAlone = !queue.has(info.id) && !starting.has(info.id);
      if (isAlone) await conversations.turnStarted(info, turnId, tool.title || tool.name);
      const tab = await deps.background('tab', { tabId: info.tabId });
      log.emit({
        type: 'turn-started',
        ask: '',
        byHand: true,
        tabId: info.tabId,
        url: tab?.url ?? '',
        engine: 'none',
      });
      const stop = new AbortController();
      hands.set(stop, info.id);
      const end = (reason: EndReason) =>
        log.emit({ type: 'turn-ended', reason, message: '', remedies: [], steps: 0 });
      try {
        const call = { tool, arguments: args, callId: newId(), now, run: () => run(stop.signal) };
        const outcome = await runTold(call, log.emit);
        end('answered');
        return outcome;
      } catch (error) {
        end('stopped');
        throw error;
      } finally {
        hands.delete(stop);
        await log.flush().catch(() => {});
        if (isAlone) await conversations.turnEnded(info.id, turnId);
      }
    },
    async stop(conversationId) {
      for (const [hand, of] of hands) {
        if (of === conversationId) hand.abort(new DOMException('Stopped.', 'AbortError'));
      }
      await Promise.allSettled([starting.get(conversationId)]);
      await queue.stop(conversationId);
    },
    async stopAll() {
      await Promise.allSettled([...starting.values()]);
      for (const job of [...queue.waiting(), queue.running()]) {
        if (job) await queue.stop(job.conversationId);
      }
    },
    navigated(tabId, url) {
      const job = queue.running();
      if (job?.tabId === tabId) onNavigated.get(job.turnId)?.(url);
    },
    events: (conversationId) => logs.take(conversationId, (events) => events),
    take: logs.take,
    async stored() {
      await Promise.allSettled([...writing]);
    },
    forget(conversationId) {
      logs.forget(conversationId);
      if (conversationId === undefined) promotions.clear();
      else promotions.delete(conversationId);
    },
    tellNext(words) {
      toTell = words;
    },
    recover: () => endInterrupted(database, conversations, logs),
  };
}
