import { plainName } from '../tools/names';
import { cleanText } from '../tools/text/untrusted';
import type { DoneCall } from './turn';

/** What a prompt can spare for everything that happened before the last exchanges. */
export const BRIEF_WORDS = 60;
const ASK_WORDS = 14;
const CALL_WORDS = 5;

/**
 * The conversation in at most 60 words: what was asked and which tools ran, newest kept. Made by
 * rules and only of the user's words, tool names and arguments that the user said: it stands among the
 * instructions, where nothing that a page wrote may come.
 */
export function updateBrief(
  before: string,
  turn: { ask: string; done: readonly DoneCall[] },
): string {
  const ask = turn.ask.toLowerCase();
  const said = (value: unknown) =>
    (typeof value === 'string' || typeof value === 'number') &&
    ask.includes(String(value).toLowerCase());
  const calls = turn.done
    .filter((call) => call.status === 'done')
    .map((call) => {
      const values = Object.values(call.arguments).filter(said);
      return firstWords([plainName(call.name), ...values].join(' '), CALL_WORDS);
    });
  const latest = `Asked: ${firstWords(turn.ask, ASK_WORDS)}.${calls.length > 0 ? ` Ran: ${calls.join('; ')}.` : ''}`;
  const parts = [...sentences(before), latest];
  while (parts.length > 1 && wordCount(parts.join(' ')) > BRIEF_WORDS) parts.shift();
  return firstWords(parts.join(' '), BRIEF_WORDS);
}

const wordsOf = (text: string) =>
  cleanText(text)
    .split(/\s+/)
    .filter((word) => word !== '');
const wordCount = (text: string) => wordsOf(text).length;

/** Each "Asked: …" with what was run for it. */
const sentences = (brief: string) =>
  brief
    .split(/(?=Asked: )/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

function firstWords(text: string, max: number): string {
  const words = wordsOf(text);
  return words.length <= max ? words.join(' ') : `${words.slice(0, max).join(' ')}…`;
}
