import type { Sink } from './flow';
import { newRepairBudget } from './lenient-json';
import { CALL_OPENER } from './markers';
import type { ReadContext, Reading } from './raw-call';
import { readMarkup } from './read-markup';
import { createReplyReader } from './reply-reader';
import { type ParsedReply, type ParseOptions, REPLY_LIMIT, type ReadCall } from './result';
import { calledInThought, settle, unreadable } from './settle';

/** How a call begins that some family of models writes. */
const MARKUP =
  /^<[|\w][^>]{0,60}?(?:call|tool|func|action|invoke|channel)|^call\s?:|^(?:```\w*\s*)?[[{]/i;

/** Data about something with a name is an answer. */
const KNOWN = /^(?:```\w*\s*)?[[{\s]*["']name["']/;

/**
 * Whether a reply that was read as an answer is markup or data as a whole and names an offered tool:
 * a call in a form that is not read, which nobody wants to see as the answer.
 */
function isUnreadCall(text: string, toolNames: ReadonlySet<string>): boolean {
  if (!MARKUP.test(text) || KNOWN.test(text) || !/[}\])>`]$/.test(text)) return false;
  const isData = /^[[{`]/.test(text);
  for (const [, word = ''] of text.matchAll(
    isData ? /[:[]\s{0,8}["']([^"']{1,256})["']/g : /([\w./:-]{1,256})/g,
  )) {
    const name = word.replace(/^(?:call:|to=)?(?:functions\.)?/, '').replace(/:\d+$/, '');
    if (toolNames.has(name)) return true;
  }
  return false;
}

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
 * @param raw The reply as the model wrote it. Anything but text is an empty reply.
 * @param toolNames The tools offered this step. Any other name becomes an error, never a call.
 */
export function parseToolCalls(
  raw: string,
  toolNames: ReadonlySet<string>,
  options: ParseOptions = {},
): ParsedReply {
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
  reader.push(typeof raw === 'string' ? raw.slice(0, REPLY_LIMIT) : '');
  reader.end();

  const calls: ReadCall[] = [];
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
  const told = text.trim();
  if (calls.length === 0 && errors.size === 0 && isUnreadCall(told, toolNames)) {
    errors.add(unreadable({ excerpt: told, why: 'its form is not known' }, context));
  }
  return {
    text: text.trim(),
    thinking: thinking.trim(),
    calls,
    errors: [...errors].slice(0, MAX_ERRORS),
  };
}
