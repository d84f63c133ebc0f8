import type {
  Engine,
  EngineError,
  GenerateChunk,
  GenerateRequest,
  LoadProgress,
} from '../../../../lib/agent/engine';

export const never = new AbortController().signal;

export function request(user: string, more: Partial<GenerateRequest> = {}): GenerateRequest {
  return {
    system: 'Help.',
    messages: [{ role: 'user', content: user }],
    tools: [],
    facts: {},
    maxTokens: 100,
    ...more,
  };
}

export interface Reply {
  text: string;
  chunks: GenerateChunk[];
  end?: Extract<GenerateChunk, { kind: 'end' }>;
  error?: EngineError;
}

/** Reads a reply to its end; presses Stop at the given piece. */
export async function reply(
  engine: Engine,
  asked: GenerateRequest | string,
  stopAtPiece?: number,
): Promise<Reply> {
  const out: Reply = { text: '', chunks: [] };
  const stop = new AbortController();
  let pieces = 0;
  try {
    const given = typeof asked === 'string' ? request(asked) : asked;
    for await (const chunk of engine.generate(given, stop.signal)) {
      out.chunks.push(chunk);
      if (chunk.kind === 'text') {
        out.text += chunk.text;
        if (++pieces === stopAtPiece) stop.abort();
      }
      if (chunk.kind === 'end') out.end = chunk;
    }
  } catch (error) {
    out.error = error as EngineError;
  }
  return out;
}

export async function load(
  engine: Engine,
  model?: string,
  signal: AbortSignal = never,
): Promise<{ progress: LoadProgress[]; error?: EngineError }> {
  const progress: LoadProgress[] = [];
  try {
    await engine.load(model, (p) => progress.push(p), signal);
    return { progress };
  } catch (error) {
    return { progress, error: error as EngineError };
  }
}
