import { EngineError } from '../agent/engine';
import type { AgentEvent, EventBody } from '../agent/events';
import { factsOf } from '../agent/facts';
import type { AgentPage, Emit } from '../agent/ports';
import { REMEDIES, runLocalAgent, strategyFor } from '../agent/run';
import type { callBackground } from '../messages/background-api';
import type { ConversationInfo } from '../messages/host-api';
import { type Settings, siteSettings } from '../settings/settings';
import type { PromotionState } from '../tools/discovery/promotion';
import type { Conversations } from './conversations';
import type { Database } from './database';
import type { EngineRoom } from './engine-room';
import { historyOf } from './history';
import { createTurnLog } from './log';
import type { Queue } from './queue';
import type { Views } from './views';
import type { WaitingUser } from './waiting-user';

/** What running turns needs of the host's parts. */
export interface TurnsDeps {
  database: Database;
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
  /** Puts a turn into the line. Rejects while the conversation works on another one. */
  start(info: ConversationInfo & { tabId: number }, ask: string): Promise<{ turnId: string }>;
  /** Everything that happened in the conversation, what is not stored yet included. */
  events(conversationId: string): Promise<AgentEvent[]>;
  /** Resolves once everything that happened so far is stored, or could not be. */
  stored(): Promise<void>;
  /** Marks what a host before this one left running as interrupted. */
  recover(): Promise<void>;
}

type TurnEnded = Extract<EventBody, { type: 'turn-ended' }>;

/** Failures after which what the engine holds is not to be trusted any more. */
const BROKEN = new Set<string>(['device-lost', 'memory', 'corrupt', 'failed']);

export function createTurns(deps: TurnsDeps): Turns {
  const { database, conversations, queue, engines, newId, now } = deps;
  /** Tools that searches brought into a conversation's prompts, while this host lives. */
  const promotions = new Map<string, PromotionState>();

  /** Conversation → its events that are shown but not stored yet, by id. */
  const unstored = new Map<string, Map<string, AgentEvent>>();
  const writing = new Set<Promise<void>>();
  /** Conversations whose turn is being put into the line. */
  const starting = new Set<string>();

  function logFor(conversationId: string, turnId: string) {
    let warned = false;
    const waiting = unstored.get(conversationId) ?? new Map<string, AgentEvent>();
    unstored.set(conversationId, waiting);
    return createTurnLog({
      conversationId,
      turnId,
      database,
      newId,
      now,
      show: (events) => {
        for (const event of events) waiting.set(event.id, event);
        deps.views.events(conversationId, events);
      },
      onStored: (event) => waiting.delete(event.id),
      onStoreError: (error) => {
        if (warned) return;
        warned = true;
        const notice: AgentEvent = {
          type: 'notice',
          id: newId(),
          at: now(),
          conversationId,
          turnId,
          level: 'error',
          text: `This conversation cannot be stored (${error instanceof Error ? error.message : String(error)}). It goes on, but will be gone when the browser closes. Free some disk space.`,
        };
        deps.views.events(conversationId, [notice]);
      },
    });
  }

  async function run(
    info: ConversationInfo & { tabId: number },
    ask: string,
    before: readonly AgentEvent[],
    emit: Emit,
    settings: Settings,
    queuedAt: number,
    signal: AbortSignal,
  ): Promise<void> {
    const queueMs = now() - queuedAt;
    const model = settings.models[settings.engine];
    const engine = await engines.use(settings.engine, model, signal);
    const tab = await deps.background('tab', { tabId: info.tabId });
    const given = await database.approvals(info.id);
    await runLocalAgent({
      engine,
      page: deps.page(info.tabId),
      user: deps.user.user(info.id),
      emit,
      ask,
      history: { ...historyOf(before), promotions: promotions.get(info.id) },
      settings: {
        strategy: settings.strategy,
        ranking: settings.ranking,
        capture: settings.capture,
        site: (origin) => siteSettings(settings, origin),
      },
      facts: factsOf({
        now: new Date(now()),
        language: settings.language ?? deps.language,
        title: tab?.title,
        url: tab?.url,
      }),
      approvals: {
        remembered: new Set(given.map((approval) => approval.id.split(' ').slice(1).join(' '))),
        remember: (key, tool) => {
          database
            .putApproval({
              id: `${info.id} ${key}`,
              toolName: tool.name,
              origin: tool.origin,
              conversationId: info.id,
              at: now(),
            })
            .catch(() => {
              // Not remembered: the next call of the tool asks again, which is the safe side.
            });
        },
      },
      keepPromotions: (found) => void promotions.set(info.id, found),
      shared: info.shared,
      signal,
      queueMs,
      now,
      newId,
    });
  }

  async function eventsOf(conversationId: string): Promise<AgentEvent[]> {
    const stored = await database.events(conversationId);
    const late = unstored.get(conversationId);
    if (!late || late.size === 0) return stored;
    const all = new Map([...stored, ...late.values()].map((event) => [event.id, event]));
    return [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async function enqueue(info: ConversationInfo & { tabId: number }, ask: string) {
    const turnId = newId();
    const settings = await deps.background('settings', {});
    const tab = await deps.background('tab', { tabId: info.tabId });
    const before = await eventsOf(info.id);
    const log = logFor(info.id, turnId);
    const queuedAt = now();
    let end: TurnEnded | undefined;
    let step = 0;
    const emit: Emit = (body) => {
      if (body.type === 'step-started') step = body.step;
      if (body.type === 'engine-failed' && BROKEN.has(body.kind)) {
        void engines.failed(body.message);
      }
      if (body.type === 'turn-ended') end = body;
      else log.emit(body);
    };
    /** Told last of all: who hears that the turn has ended may ask at once. */
    const finish = (otherwise: () => TurnEnded) => {
      log.emit(end ?? otherwise());
      engines.rest();
      const written = log
        .flush()
        .then(() => conversations.turnEnded(info.id, turnId))
        // The next start of the host says that the turn was interrupted.
        .catch(() => {})
        .finally(() => writing.delete(written));
      writing.add(written);
    };
    const stopped = (): TurnEnded => ({
      type: 'turn-ended',
      reason: 'stopped',
      message: '',
      remedies: ['retry'],
      steps: step,
    });
    await conversations.turnStarted(info, turnId, ask);
    emit({
      type: 'turn-started',
      ask,
      tabId: info.tabId,
      url: tab?.url ?? '',
      engine: settings.engine,
      model: settings.models[settings.engine],
      strategy: strategyFor(settings.engine, settings.strategy),
    });
    queue.add({
      tabId: info.tabId,
      conversationId: info.id,
      turnId,
      onPosition: (position, busyTabId) => emit({ type: 'turn-queued', position, busyTabId }),
      async run(signal) {
        let failure: unknown;
        try {
          await run(info, ask, before, emit, settings, queuedAt, signal);
        } catch (error) {
          failure = error;
        }
        finish(() => (signal.aborted ? stopped() : failed(failure, settings, emit, step)));
      },
      async onDropped() {
        finish(stopped);
      },
    });
    return { turnId };
  }

  return {
    async start(info, ask) {
      if (starting.has(info.id) || queue.has(info.id)) {
        throw new Error('This conversation still works on the last request. Stop it first.');
      }
      starting.add(info.id);
      try {
        return await enqueue(info, ask);
      } finally {
        starting.delete(info.id);
      }
    },
    events: eventsOf,
    async stored() {
      await Promise.allSettled([...writing]);
    },
    async recover() {
      for (const info of await database.conversations()) {
        if (info.runningTurn === undefined) continue;
        const log = logFor(info.id, info.runningTurn);
        log.emit({
          type: 'turn-ended',
          reason: 'interrupted',
          message: 'The browser ended while this was running. What had been done is above.',
          remedies: ['retry'],
          steps: 0,
        });
        await log.flush();
        await conversations.turnEnded(info.id, info.runningTurn);
      }
    },
  };
}

/** A turn that the loop could not end itself: before it began, or through a fault of ours. */
function failed(error: unknown, settings: Settings, emit: Emit, steps: number): TurnEnded {
  const failure =
    error instanceof EngineError
      ? error
      : new EngineError('failed', error instanceof Error ? error.message : String(error));
  const remedies = REMEDIES[failure.kind];
  emit({
    type: 'engine-failed',
    engine: settings.engine,
    kind: failure.kind,
    message: failure.message,
    remedies,
  });
  return { type: 'turn-ended', reason: 'engine-failed', message: '', remedies, steps };
}
