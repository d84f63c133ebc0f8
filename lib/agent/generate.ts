import { parseToolCalls } from '../calls/parse';
import { createReplyFilter } from '../calls/prose-filter';
import type { ParsedCall, ParsedReply } from '../calls/result';
import { BRIDGE_NAME } from '../tools/discovery/bridge';
import { hashText } from '../tools/exposure/fingerprint';
import type { FinishReason, GenerateRequest, Usage } from './engine';
import { promptTokens } from './prompt';

import type { StepTools } from './step-tools';
import { untilAborted } from './stop';
import type { Turn } from './turn';

export interface Reply extends ParsedReply {
  raw: string;
  finish: FinishReason;
}

/** A reply longer than this has lost its way, whatever its token limit says. */
const MAX_REPLY = 64 * 1024;
/** Streamed pieces are told at most this often, in milliseconds, unless this many characters wait. */
const PIECE_MS = 60;
const PIECE_CHARACTERS = 240;

/**
 * One reply of the engine: streams it as `text` events, then tells the whole as `model-replied`, also
 * when it was stopped. Throws the signal's reason, or what the engine throws.
 */
export async function generateReply(
  turn: Turn,
  request: GenerateRequest,
  tools: Pick<StepTools, 'names' | 'slots' | 'unknown'>,
): Promise<Reply> {
  const { engine, settings } = turn.options;
  const dialect = turn.dialect.id;
  turn.signal.throwIfAborted();
  turn.emit({
    type: 'prompt-sent',
    step: turn.step,
    dialect,
    tokens: promptTokens(turn, request.system, request.messages),
    prefix: hashText(request.system),
    ...(settings.capture ? { system: request.system, messages: plain(request.messages) } : {}),
  });
  const pieces = createPieces(turn);
  const reading = { dialect, slots: tools.slots };
  const filter = createReplyFilter({ ...reading, toolNames: tools.names });
  const cut = new AbortController();
  let raw = '';
  let finish: FinishReason = 'stop';
  let usage: Usage | undefined;
  const chunks = engine.generate(request, AbortSignal.any([turn.signal, cut.signal]));
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(iterator.next(), turn.signal);
      if (next.done) break;
      const chunk = next.value;
      if (chunk.kind === 'end') {
        ({ finish, usage } = chunk);
        break;
      }
      if (chunk.kind !== 'text') continue;
      raw += chunk.text;
      const shown = filter.push(chunk.text);
      pieces.add('thinking', shown.thinking);
      pieces.add('prose', shown.prose);
      if (raw.length > MAX_REPLY) {
        finish = 'length';
        break;
      }
    }
  } catch (error) {
    pieces.flush();
    if (turn.signal.aborted) {
      const { calls } = parseToolCalls(raw, tools.names, reading);
      tellReply(turn, loggedReply(turn, raw, calls), 'abort', usage, request);
    }
    throw error;
  } finally {
    cut.abort(new DOMException('The reply is not read further.', 'AbortError'));
    // Not awaited: a generator that does not stop must not hold the turn.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
  const rest = filter.flush();
  pieces.add('thinking', rest.thinking);
  pieces.add('prose', rest.prose);
  const { unknown } = tools;
  const read = parseToolCalls(raw, tools.names, {
    ...reading,
    ...(unknown ? { unknownTool: unknown } : {}),
  });
  // A reply that is JSON as a whole shows its text only once it has been read.
  if (!pieces.hasProse() && read.text !== '') pieces.add('prose', read.text);
  pieces.flush();
  tellReply(turn, loggedReply(turn, raw, read.calls), finish, usage, request);
  turn.signal.throwIfAborted();
  return { ...read, raw, finish };
}

/** The reply as the log keeps it: without capture no query of a search stands in it. */
function loggedReply(turn: Turn, raw: string, calls: readonly ParsedCall[]): string {
  if (turn.options.settings.capture) return raw;
  let logged = raw;
  for (const { name, arguments: args } of calls) {
    if (name !== BRIDGE_NAME) continue;
    for (const value of Object.values(args)) {
      if (typeof value !== 'string' || value === '') continue;
      const forms = [value, JSON.stringify(value).slice(1, -1)];
      // Written in some other way: it cannot be told apart, so nothing of the reply is kept.
      if (!forms.some((form) => logged.includes(form))) return '';
      for (const form of forms) logged = logged.replaceAll(form, '…');
    }
  }
  return logged;
}

function tellReply(
  turn: Turn,
  raw: string,
  finish: FinishReason,
  usage: Usage | undefined,
  request: GenerateRequest,
): void {
  const { engine, queueMs = 0 } = turn.options;
  turn.emit({
    type: 'model-replied',
    step: turn.step,
    raw,
    finish,
    queueMs: turn.step === 1 ? queueMs : 0,
    promptTokens: measured(
      usage?.promptTokens,
      promptTokens(turn, request.system, request.messages),
    ),
    reusedTokens: measured(usage?.reusedTokens, 0),
    completionTokens: measured(usage?.completionTokens, engine.countTokens(raw)),
    firstTokenMs: measured(usage?.firstTokenMs, 0),
    tokensPerSecond: measured(usage?.tokensPerSecond, 0),
  });
}

/** Engines divide by times that may be 0: what comes of it is no number that a log can keep. */
function measured(value: number | undefined, otherwise: number): number {
  return value !== undefined && Number.isFinite(value) ? value : otherwise;
}

type Channel = 'prose' | 'thinking';

/** Joins streamed text so that not every token is an event. */
function createPieces(turn: Turn) {
  let channel: Channel = 'prose';
  let waiting = '';
  let since = turn.now();
  let prose = false;
  function flush(): void {
    if (waiting === '') return;
    turn.emit({ type: 'text', step: turn.step, channel, text: waiting });
    waiting = '';
    since = turn.now();
  }
  return {
    flush,
    hasProse: () => prose,
    add(to: Channel, text: string): void {
      if (text === '') return;
      if (to !== channel) flush();
      channel = to;
      if (to === 'prose' && text.trim() !== '') prose = true;
      waiting += text;
      if (waiting.length >= PIECE_CHARACTERS || turn.now() - since >= PIECE_MS) flush();
    },
  };
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
