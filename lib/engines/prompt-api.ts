import {
  type Constraint,
  type Engine,
  type EngineDescription,
  EngineError,
  type FinishReason,
  type GenerateChunk,
  type GenerateRequest,
  type Usage,
} from '../agent/engine';
import { say } from '../said/say';
import { piecesOf } from './pieces';
import { reportDownload } from './prompt-api/download';
import { createErrorText, promptErrorText, windowError } from './prompt-api/errors';
import {
  type Availability,
  type LanguageModelApi,
  type LanguageModelSession,
  languageOptions,
  measure,
  type PromptMessage,
  type PromptOptions,
  usageOf,
  windowOf,
} from './prompt-api/language-model';
import { createSessionKeeper, type Taken } from './prompt-api/sessions';
import { responseConstraint } from './response-constraint';
import { createTokenCounter } from './tokens';
import { toTurns } from './turns';
import { createTurnstile } from './turnstile';

export interface PromptApiDeps {
  /** The global `LanguageModel`, where the browser has one. */
  languageModel(): LanguageModelApi | undefined;
  /** BCP 47 tag of the user's language. */
  language(): string;
  now(): number;
  /** Resolves after the time, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const MODEL = 'gemini-nano';
/** Before the model is loaded its window is not known; Chrome's versions had 4,096 to 9,216 tokens. */
const WINDOW_BEFORE_LOAD = 4096;
const TEMPERATURE = 0.2;
const TOP_K = 3;
const POLL_MS = 1000;

const REASONS = { missing: say('nano-missing'), unavailable: say('nano-unavailable') };

/** Chrome's built-in model. It writes the whole reply as JSON, kept to its form by the browser. */
export function createPromptApi(deps: PromptApiDeps): Engine {
  const tokens = createTokenCounter();
  const gate = createTurnstile();
  let loaded: { window: number } | undefined;
  const options = () => languageOptions(deps.language());
  const keeper = createSessionKeeper((system, signal) => create(system, signal, () => {}));

  async function create(
    system: string,
    signal: AbortSignal,
    monitor: (monitor: EventTarget) => void,
  ): Promise<LanguageModelSession> {
    const api = deps.languageModel();
    if (!api) throw new EngineError('unavailable', REASONS.missing);
    const params = await api.params?.().catch(() => null);
    const session = await api.create({
      ...options(),
      signal,
      monitor,
      ...(system === '' ? {} : { initialPrompts: [{ role: 'system', content: system }] }),
      // Both or neither; only extensions may choose.
      ...(params
        ? {
            temperature: Math.min(TEMPERATURE, params.maxTemperature),
            topK: Math.min(TOP_K, params.maxTopK),
          }
        : {}),
    });
    return session;
  }

  async function availability(): Promise<Availability | undefined> {
    return deps.languageModel()?.availability(options());
  }

  async function unload(): Promise<void> {
    loaded = undefined;
    tokens.reset();
    keeper.clear();
  }

  return {
    id: 'prompt-api',
    dialect: 'json',
    get contextWindow() {
      return loaded?.window ?? WINDOW_BEFORE_LOAD;
    },

    async describe(): Promise<EngineDescription> {
      const state = await availability();
      const reason =
        state === undefined
          ? REASONS.missing
          : state === 'unavailable'
            ? REASONS.unavailable
            : undefined;
      return {
        id: 'prompt-api',
        label: "Chrome's built-in model",
        available: reason === undefined,
        ...(reason === undefined ? {} : { reason }),
        models: [
          {
            id: MODEL,
            label: 'Gemini Nano',
            // Chrome does not tell its size; it downloads and updates it by itself, for all pages.
            sizeBytes: 0,
            contextWindow: loaded?.window ?? WINDOW_BEFORE_LOAD,
            dialect: 'json',
            licence: 'Gemini Nano prohibited use policy',
            languages: ['en', 'de', 'es', 'fr', 'ja'],
            goodAt: say('good-nano'),
            installed: state === 'available',
            ...(reason === undefined ? {} : { blocked: reason }),
            ...(state === 'downloading' ? { note: say('nano-downloading') } : {}),
          },
        ],
        ...(loaded ? { loaded: MODEL } : {}),
      };
    },

    async load(_model, progress, signal) {
      signal.throwIfAborted();
      if (loaded) return;
      for (;;) {
        const state = await availability();
        signal.throwIfAborted();
        if (state === undefined) throw new EngineError('unavailable', REASONS.missing);
        if (state === 'unavailable') throw new EngineError('unavailable', REASONS.unavailable);
        try {
          progress({ phase: 'prepare', done: 0, total: 1 });
          const session = await create('', signal, (monitor) => reportDownload(monitor, progress));
          loaded = { window: windowOf(session) ?? WINDOW_BEFORE_LOAD };
          session.destroy();
          progress({ phase: 'prepare', done: 1, total: 1 });
          return;
        } catch (error) {
          signal.throwIfAborted();
          const trouble = error instanceof EngineError ? error : createErrorText(error);
          // A view's click has started the download: it only has to be waited for.
          if (trouble.kind !== 'needs-click' || state !== 'downloading') throw trouble;
          progress({ phase: 'prepare', done: 0, total: 1 });
          await deps.sleep(POLL_MS, signal);
        }
      }
    },

    generate: (request, signal) => gate.through(() => answer(request, signal)),

    countTokens: (text) => tokens.count(text),
    unload,
  };

  async function* answer(
    request: GenerateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateChunk> {
    if (!loaded) throw new EngineError('not-loaded', say('nano-not-loaded'));
    const startedAt = deps.now();
    const turns: PromptMessage[] = toTurns('', request.messages, 'json');
    const cut = new AbortController();
    const stop = AbortSignal.any([signal, cut.signal]);
    const usage: Usage = {
      promptTokens: 0,
      reusedTokens: 0,
      completionTokens: 0,
      firstTokenMs: 0,
      tokensPerSecond: 0,
    };
    let finish: FinishReason = 'stop';
    let reply = '';
    let taken: Taken | undefined;
    let whole = false;
    try {
      taken = await keeper.take(request.system, turns, stop);
      const { session, rest } = taken;
      const before = usageOf(session);
      usage.reusedTokens = taken.fresh ? 0 : before;
      const constraint = promptOptions(request.constraint);
      const added = await measure(session, rest, constraint).catch(() => undefined);
      usage.promptTokens = before + (added ?? 0);
      if (added !== undefined && usage.promptTokens > loaded.window) {
        // Chrome would drop the oldest turns without a word.
        throw windowError(undefined, { needed: usage.promptTokens, window: loaded.window });
      }
      for await (const text of stream(session, rest, constraint, stop)) {
        if (text === '') continue;
        usage.firstTokenMs ||= deps.now() - startedAt;
        reply += text;
        yield { kind: 'text', text };
        if (tokens.count(reply) > request.maxTokens) {
          finish = 'length';
          cut.abort();
          break;
        }
      }
      const after = usageOf(session);
      usage.completionTokens = Math.max(0, after - usage.promptTokens) || tokens.count(reply);
      whole = finish === 'stop' && !signal.aborted;
    } catch (error) {
      if (!signal.aborted) {
        if (error instanceof EngineError) throw error;
        const trouble = promptErrorText(error);
        if (trouble.kind !== 'window') await unload();
        throw trouble;
      }
    } finally {
      cut.abort();
      if (taken && whole) keeper.keep(taken, [...turns, { role: 'assistant', content: reply }]);
      else taken?.session.destroy();
    }
    const seconds = (deps.now() - startedAt - usage.firstTokenMs) / 1000;
    if (seconds > 0) usage.tokensPerSecond = usage.completionTokens / seconds;
    yield { kind: 'end', finish: signal.aborted ? 'abort' : finish, usage };
  }
}

function promptOptions(constraint: Constraint | undefined): PromptOptions {
  return constraint?.kind === 'json'
    ? {
        responseConstraint: responseConstraint(constraint.schema),
        omitResponseConstraintInput: true,
      }
    : {};
}

/** The reply's pieces. A constraint the browser does not understand is left out: replies are checked anyway. */
async function* stream(
  session: LanguageModelSession,
  input: PromptMessage[],
  constraint: PromptOptions,
  signal: AbortSignal,
): AsyncGenerator<string> {
  try {
    yield* piecesOf(session.promptStreaming(input, { ...constraint, signal }));
  } catch (error) {
    const refused = error instanceof Error && error.name === 'NotSupportedError';
    if (!refused || constraint.responseConstraint === undefined) throw error;
    yield* piecesOf(session.promptStreaming(input, { signal }));
  }
}
