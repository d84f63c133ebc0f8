import { EngineError } from '../agent/engine';
import type { AgentEvent } from '../agent/events';
import { factsOf } from '../agent/facts';
import type { AgentPage } from '../agent/ports';
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
}

export interface Turns {
  /** Puts a turn into the line; resolves once its first event is stored. */
  start(info: ConversationInfo & { tabId: number }, ask: string): Promise<{ turnId: string }>;
  /** Marks what a host before this one left running as interrupted. */
  recover(): Promise<void>;
}

/** Failures after which what the engine holds is not to be trusted any more. */
const BROKEN = new Set<string>(['device-lost', 'memory', 'corrupt', 'failed']);

export function createTurns(deps: TurnsDeps): Turns {
  const { database, conversations, queue, engines, newId, now } = deps;
  /** Tools that searches brought into a conversation's prompts, while this host lives. */
  const promotions = new Map<string, PromotionState>();

  /** Events of a conversation that are shown but perhaps not stored yet come through here only. */
  function logFor(conversationId: string, turnId: string) {
    let warned = false;
    return createTurnLog({
      conversationId,
      turnId,
      database,
      newId,
      now,
      show: (events) => deps.views.events(conversationId, events),
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
    log: ReturnType<typeof logFor>,
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
      emit: log.emit,
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
        language: settings.language ?? navigator.language,
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
      signal,
      queueMs,
      now,
      newId,
    });
  }

  return {
    async start(info, ask) {
      const turnId = newId();
      const settings = await deps.background('settings', {});
      const tab = await deps.background('tab', { tabId: info.tabId });
      const before = await database.events(info.id);
      const log = logFor(info.id, turnId);
      const queuedAt = now();
      let ended = false;
      const emit: typeof log.emit = (body) => {
        if (body.type === 'turn-ended') ended = true;
        if (body.type === 'engine-failed' && BROKEN.has(body.kind))
          void engines.failed(body.message);
        log.emit(body);
      };
      const finish = async () => {
        await log.flush();
        await conversations.turnEnded(info.id);
      };
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
      await log.flush();
      queue.add({
        tabId: info.tabId,
        conversationId: info.id,
        turnId,
        onPosition: (position, busyTabId) => emit({ type: 'turn-queued', position, busyTabId }),
        async run(signal) {
          try {
            await run(info, ask, before, { ...log, emit }, settings, queuedAt, signal);
          } catch (error) {
            if (!ended) await fail(error, signal, settings, emit);
          }
          await finish();
        },
        async onDropped() {
          emit({
            type: 'turn-ended',
            reason: 'stopped',
            message: '',
            remedies: ['retry'],
            steps: 0,
          });
          await finish();
        },
      });
      return { turnId };
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
        await conversations.turnEnded(info.id);
      }
    },
  };

  /** A turn that the loop could not end itself: before it began, or through a fault of ours. */
  async function fail(
    error: unknown,
    signal: AbortSignal,
    settings: Settings,
    emit: ReturnType<typeof logFor>['emit'],
  ): Promise<void> {
    if (signal.aborted) {
      emit({ type: 'turn-ended', reason: 'stopped', message: '', remedies: ['retry'], steps: 0 });
      return;
    }
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
    emit({ type: 'turn-ended', reason: 'engine-failed', message: '', remedies, steps: 0 });
  }
}
