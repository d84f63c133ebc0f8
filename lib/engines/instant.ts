import type { Engine, EngineDescription, GenerateChunk, GenerateRequest } from '../agent/engine';
import { say } from '../said/say';
import type { Rank } from './instant/choose';
import { decide, type Means, type Reply } from './instant/decide';
import { createRouterRank } from './instant/router-rank';
import type { Turn } from './instant/turn';
import type { Read } from './instant/understand';

/** Far more than its rules ever read; nothing is gained by a smaller one. */
const WINDOW = 32_768;
/** Characters of one piece of the streamed reply. */
const PIECE = 48;
const CHARS_PER_TOKEN = 4;

export interface InstantDeps {
  /** Scores tools for a request, 0 to 1. Default: the router's ranking. */
  rank?: Rank;
  /** Reads requests; without it the engine matches words. */
  read?: Read;
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
  const read = deps.read && remembered(deps.read);
  const memory = turnMemory();
  return {
    id: 'instant',
    dialect: 'json',
    contextWindow: WINDOW,
    describe: async () => DESCRIPTION,
    load: async (_model, progress, signal) => {
      signal.throwIfAborted();
      progress({ phase: 'prepare', done: 1, total: 1 });
    },
    generate: (request, signal) => reply(request, signal, now, { rank, read, memory, signal }),
    countTokens,
    unload: async () => {},
  };
}

/** Where the reader cannot be had, words are matched, and the answer says so. */
async function replyTo(request: GenerateRequest, means: Means): Promise<Reply> {
  try {
    return await decide(request, means);
  } catch (error) {
    if (means.signal.aborted || !means.read) throw error;
    const { read: _, ...rest } = means;
    const plain = await decide(request, rest);
    if (plain.type !== 'message') return plain;
    const why = error instanceof Error ? error.message : String(error);
    return {
      ...plain,
      text: `${plain.text} (Only words were matched: the reader could not be used. ${why})`,
    };
  }
}

/** Turns whose served parts, and readings, are kept. */
const KEPT = 32;

function keep<T>(kept: Map<string, T>, key: string, value: T): T {
  const [oldest] = kept.keys();
  if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, value);
  return value;
}

/** Which tool served which part of a turn's request; a first step starts anew. */
function turnMemory(): Means['memory'] {
  const kept = new Map<string, Map<number, string>>();
  return (turn: Turn) => {
    const key = JSON.stringify([turn.ask, turn.before, turn.earlier.length]);
    if (turn.calls.length > 0 || turn.answers.length > 0) {
      const found = kept.get(key);
      if (found) return found;
    }
    return keep(kept, key, new Map<number, string>());
  };
}

/** The steps of a turn ask for the same reading. */
function remembered(read: Read): Read {
  const kept = new Map<string, ReturnType<Read>>();
  return (request, earlier, tools, signal) => {
    const key = JSON.stringify([request, earlier, tools]);
    return (
      kept.get(key) ??
      keep(
        kept,
        key,
        read(request, earlier, tools, signal).catch((error: unknown) => {
          kept.delete(key);
          throw error;
        }),
      )
    );
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
  means: Means,
): AsyncGenerator<GenerateChunk> {
  signal.throwIfAborted();
  const started = now();
  const text = JSON.stringify((await replyTo(request, means)) satisfies Reply);
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
