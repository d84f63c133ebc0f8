import type { ChatMessage } from './engine';
import type { Budget } from './events';
import { promptTokens } from './prompt';
import type { StepTools } from './step-tools';
import type { Turn } from './turn';

/** Part of the window that earlier exchanges may take. */
const HISTORY_PART = 0.25;
/** Templates and estimates are off by a little. */
const RESERVE = 64;
const LEFT_OUT = '(left out to save room)';

/** Room for earlier exchanges, in tokens. */
export function historyTokens(turn: Turn, system: string): number {
  const { engine } = turn.options;
  const room = engine.contextWindow - engine.countTokens(system) - turn.limits.maxReplyTokens;
  return Math.max(0, Math.floor(Math.min(room / 2, engine.contextWindow * HISTORY_PART)));
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

/** What takes the tokens of the window in this step. */
export function stepBudget(
  turn: Turn,
  tools: StepTools,
  system: string,
  messages: readonly ChatMessage[],
): Budget {
  const { engine } = turn.options;
  const direct = tools.shown.reduce(
    (sum, tool) => sum + engine.countTokens(JSON.stringify(tool)),
    0,
  );
  const all = promptTokens(turn, system, []);
  return {
    window: engine.contextWindow,
    instructions: Math.max(0, all - direct),
    direct,
    promoted: 0,
    manifest: 0,
    history: promptTokens(turn, '', messages),
    reply: turn.limits.maxReplyTokens,
    schemaBytes: tools.chosen.offered.reduce((sum, tool) => sum + tool.bytes, 0),
    allToolsTokens: direct,
  };
}
