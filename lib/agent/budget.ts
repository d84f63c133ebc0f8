import { say } from '../said/say';
import type { ChatMessage } from './engine';
import { promptTokens, systemPrompt } from './prompt';
import type { Turn } from './turn';

/** Templates and estimates are off by a little. */
const RESERVE = 64;
/** Tokens that results may always take, however small the window. */
const MIN_RESULTS = 1024;
const LEFT_OUT = '(left out to save room)';

/** What a step's prompt takes beside its tools, in tokens. */
export function costsOf(turn: Turn, messages: readonly ChatMessage[]) {
  return {
    instructions: promptTokens(turn, systemPrompt(turn, []), []),
    history: promptTokens(turn, '', messages),
  };
}

/**
 * The messages within the window: older results are left out first, then earlier exchanges; the
 * request and the last step always stay. Results together stay within a quarter of the window, since
 * what is no longer needed leads small models astray. Says so as a notice when something had to go.
 */
export function fitMessages(turn: Turn, system: string, messages: ChatMessage[]): ChatMessage[] {
  const { contextWindow } = turn.options.engine;
  const room = contextWindow - turn.limits.maxReplyTokens - RESERVE;
  const results = Math.max(MIN_RESULTS, contextWindow / 4);
  const inWindow = (left: readonly ChatMessage[]) => promptTokens(turn, system, left) <= room;
  const isShort = (left: readonly ChatMessage[]) =>
    promptTokens(
      turn,
      '',
      left.filter((message) => message.role === 'tool'),
    ) <= results;
  return shorten(turn, messages, inWindow, isShort) ?? messages;
}

/** As little as can be sent: for an engine that counts more tokens than we do. `undefined`: nothing can go. */
export const shortest = (turn: Turn, messages: ChatMessage[]): ChatMessage[] | undefined =>
  shorten(
    turn,
    messages,
    () => false,
    () => false,
  );

type Fits = (messages: readonly ChatMessage[]) => boolean;

function shorten(
  turn: Turn,
  messages: readonly ChatMessage[],
  inWindow: Fits,
  isShort: Fits,
): ChatMessage[] | undefined {
  const fits: Fits = (left) => inWindow(left) && isShort(left);
  if (fits(messages)) return undefined;
  const fitted = messages.map((message) => ({ ...message }));
  let changed = false;
  const lastStep = fitted.findLastIndex((message) => message.role === 'assistant');
  for (const message of fitted.slice(0, Math.max(0, lastStep))) {
    if (fits(fitted)) break;
    if (message.role !== 'tool' || message.content === LEFT_OUT) continue;
    message.content = LEFT_OUT;
    changed = true;
  }
  for (let next = nextUser(fitted); next > 0 && !inWindow(fitted); next = nextUser(fitted)) {
    // The same words may have been asked before: what stands before the last of them may go.
    if (!isBeforeRequest(turn, fitted, next)) break;
    fitted.splice(0, next);
    changed = true;
  }
  if (!changed) return undefined;
  turn.emit({ type: 'notice', level: 'info', ...say('history-cut') });
  return fitted;
}

const nextUser = (messages: readonly ChatMessage[]) =>
  messages.findIndex((message, at) => at > 0 && message.role === 'user');

const isBeforeRequest = (turn: Turn, messages: readonly ChatMessage[], next: number) =>
  messages.slice(next).some((m) => m.role === 'user' && m.content === turn.options.ask);
