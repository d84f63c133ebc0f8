import type { Engine, EngineDescription, GenerateChunk, GenerateRequest } from '../agent/engine';
import { say } from '../said/say';
import type { Rank } from './instant/choose';
import { decide, type Reply } from './instant/decide';
import { createRouterRank } from './instant/router-rank';

/** Far more than its rules ever read; nothing is gained by a smaller one. */
const WINDOW = 32_768;
/** Characters of one piece of the streamed reply. */
const PIECE = 48;
const CHARS_PER_TOKEN = 4;

export interface InstantDeps {
  /** Scores tools for a request, 0 to 1. Default: the router's ranking. */
  rank?: Rank;
  /** Milliseconds; for usage figures. */
  now?: () => number;
}

/**
 * The engine that needs no model, no download and no GPU: it picks a tool by its words and fills its
 * arguments by rules. Its reply is always the whole JSON of the `json` dialect.
 */
export function createInstant(deps: InstantDeps = {}): Engine {
  const now = deps.now ?? (() => performance.now());
  const rank = deps.rank ?? createRouterRank();
  return {
    id: 'instant',
    dialect: 'json',
    contextWindow: WINDOW,
    describe: async () => DESCRIPTION,
    load: async (_model, progress, signal) => {
      signal.throwIfAborted();
      progress({ phase: 'prepare', done: 1, total: 1 });
    },
    generate: (request, signal) => reply(request, signal, now, rank),
    countTokens,
    unload: async () => {},
  };
}

const DESCRIPTION: EngineDescription = {
  id: 'instant',
  label: 'Instant (no model)',
  available: true,
  models: [
    {
      id: 'rules',
      label: 'Rules',
      sizeBytes: 0,
      contextWindow: WINDOW,
      dialect: 'json',
      languages: ['en'],
      goodAt: say('good-rules'),
      installed: true,
    },
  ],
  loaded: 'rules',
};

const countTokens = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

async function* reply(
  request: GenerateRequest,
  signal: AbortSignal,
  now: () => number,
  rank: Rank,
): AsyncGenerator<GenerateChunk> {
  signal.throwIfAborted();
  const started = now();
  const text = JSON.stringify(decide(request, rank) satisfies Reply);
  const firstTokenMs = now() - started;
  for (let at = 0; at < text.length; at += PIECE) {
    signal.throwIfAborted();
    yield { kind: 'text', text: text.slice(at, at + PIECE) };
  }
  const completionTokens = countTokens(text);
  const seconds = Math.max(now() - started, 1) / 1000;
  yield {
    kind: 'end',
    finish: 'stop',
    usage: {
      promptTokens:
        countTokens(request.system) +
        request.messages.reduce((n, m) => n + countTokens(m.content), 0),
      reusedTokens: 0,
      completionTokens,
      firstTokenMs,
      tokensPerSecond: Math.round(completionTokens / seconds),
    },
  };
}
