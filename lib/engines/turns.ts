import { dialectOf } from '../agent/dialects/table';
import type { ChatMessage, DialectId } from '../agent/engine';

/** A prompt as chat templates know it: after `system`, user and assistant take turns. */
export interface Turn {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/**
 * Maps a prompt to plain turns in the model's own markup. Results become user turns: every template
 * has those, while the role `tool` raises an error in many; and neighbours of one role are joined, as
 * several templates refuse two in a row.
 */
export function toTurns(system: string, messages: ChatMessage[], dialect: DialectId): Turn[] {
  const turns: Turn[] = system === '' ? [] : [{ role: 'system', content: system }];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = textOf(message, dialect);
    const last = turns.at(-1);
    if (last?.role === role) last.content += `\n${content}`;
    else turns.push({ role, content });
  }
  return turns;
}

function textOf(message: ChatMessage, dialect: DialectId): string {
  if (message.role !== 'tool') return message.content;
  const result = dialectOf(dialect).result(message.name, message.content);
  return message.note === undefined ? result : `${result}\n${message.note}`;
}
