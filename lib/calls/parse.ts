import type { Sink } from './flow';
import { newRepairBudget } from './lenient-json';
import { CALL_OPENER } from './markers';
import type { ReadContext, Reading } from './raw-call';
import { readMarkup } from './read-markup';
import { createReplyReader } from './reply-reader';
import { type ParsedCall, type ParseOptions, type ParseResult, REPLY_LIMIT } from './result';
import { calledInThought, settle, unreadable } from './settle';

/** More problems than this in one reply help no model. */
const MAX_ERRORS = 16;

/**
 * Reads the tool calls out of a model's reply.
 *
 * Never throws. Only the first 32 KB are read, in time linear to their length. A marked call counts
 * wherever it stands; a fenced one only where none is marked; unmarked JSON only where it is the
 * whole reply, or its end and names offered tools. Calls inside a thought are never read. Arguments
 * are data of their own and not checked against a schema.
 *
 * @param raw The reply as the model wrote it.
 * @param toolNames The tools offered this step. Any other name becomes an error, never a call.
 */
export function parseToolCalls(
  raw: string,
  toolNames: ReadonlySet<string>,
  options: ParseOptions = {},
): ParseResult {
  const context: ReadContext = {
    toolNames,
    slots: options.slots,
    dialect: options.dialect,
    unknownTool: options.unknownTool,
    budget: newRepairBudget(),
  };
  let text = '';
  let thinking = '';
  let marked: Reading[] = [];
  let unmarked: Reading[] = [];
  const problems: string[] = [];
  let sawMarked = false;
  let openThought = '';

  const sink: Sink = {
    prose(piece) {
      text += piece;
    },
    thinking(piece) {
      thinking += piece;
      openThought += piece;
    },
    markup(marker, body) {
      sawMarked ||= body.text.trim() !== '' || body.opener.includes('=');
      const reading = readMarkup(marker, body, context);
      for (const message of reading.texts) text += message;
      marked.push(reading);
    },
    unmarked(reading) {
      unmarked.push(reading);
    },
    thoughtLeftOpen() {
      if (CALL_OPENER.test(openThought)) problems.push(calledInThought(context));
    },
    strayThoughtEnd() {
      thinking += text;
      text = '';
      marked = [];
      unmarked = [];
      sawMarked = false;
    },
  };
  const reader = createReplyReader(sink, context, options.thinking);
  reader.push(raw.slice(0, REPLY_LIMIT));
  reader.end();

  const calls: ParsedCall[] = [];
  const errors = new Set<string>();
  for (const reading of sawMarked ? marked : unmarked) {
    for (const found of reading.calls) {
      const call = settle(found, context);
      if (typeof call === 'string') errors.add(call);
      else calls.push(call);
    }
    for (const piece of reading.unread) errors.add(unreadable(piece, context));
  }
  for (const problem of problems) errors.add(problem);
  return {
    text: text.trim(),
    thinking: thinking.trim(),
    calls,
    errors: [...errors].slice(0, MAX_ERRORS),
  };
}
