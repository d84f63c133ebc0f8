import type { ChatMessage } from './engine';
import { promptTokens, systemPrompt } from './prompt';
import type { Turn } from './turn';

/** Templates and estimates are off by a little. */
const RESERVE = 64;
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
 * request and the last step always stay. Says so as a notice when something had to go.
 */
export function fitMessages(
  turn: Turn,
  system: string,
  messages: ChatMessage[],
  part = 1,
): ChatMessage[] {
  const { engine, ask } = turn.options;
  const room = engine.contextWindow * part - turn.limits.maxReplyTokens - RESERVE;
  if (promptTokens(turn, system, messages) <= room) return messages;
  const fitted = messages.map((message) => ({ ...message }));
  const lastStep = fitted.findLastIndex((message) => message.role === 'assistant');
  for (const message of fitted.slice(0, Math.max(0, lastStep))) {
    if (promptTokens(turn, system, fitted) <= room) break;
    if (message.role === 'tool') message.content = LEFT_OUT;
  }
  const request = fitted.findIndex((message) => message.role === 'user' && message.content === ask);
  for (let at = 0; at + 1 < request && promptTokens(turn, system, fitted) > room; at += 2) {
    fitted.splice(0, 2);
  }
  turn.emit({
    type: 'notice',
    level: 'info',
    text: 'Earlier results or messages were left out of the prompt to fit the model’s window.',
  });
  return fitted;
}
