import type { ChatMessage, PromptCall } from '../../agent/engine';
import type { JsonObject } from '../../tools/tool';
import { type ResultData, readResult } from './results';

/** A call of a turn with what came back. */
export interface DoneCall {
  name: string;
  arguments: JsonObject;
  result?: ResultData;
}

/** What the user was asked through `ask_user`, with the answer. */
export interface Answered {
  question: string;
  tool?: string;
  missing: string[];
  /** The user's words, the values of a form, or `null` where they closed the question. */
  answer: string | JsonObject | null;
}

/** The prompt's messages, read as a turn. */
export interface Turn {
  ask: string;
  /** Calls since the ask, oldest first; questions to the user are not among them. */
  calls: DoneCall[];
  answers: Answered[];
  /** What went back about a call that could not run, newest last. */
  refusals: string[];
  /** Calls of earlier turns still in the prompt, oldest first. */
  earlier: DoneCall[];
  /** The exchange before this one, when there was one. */
  before?: { ask: string; reply: string };
}

/** The built-in tool that puts a question to the user. */
export const ASK_USER = 'ask_user';
/** Pagehand's own tool that finds tools which a step does not show. */
export const TOOL_SEARCH = 'tool_search';

/** Splits the messages at the last thing the user said; tool results never count as that. */
export function readTurn(messages: readonly ChatMessage[]): Turn {
  const turn: Turn = { ask: '', calls: [], answers: [], refusals: [], earlier: [] };
  const last = messages.findLastIndex((m) => m.role === 'user');
  const lastMessage = messages[last];
  if (lastMessage?.role !== 'user') return turn;
  turn.ask = lastMessage.content.trim().slice(0, 4000);
  const before = messages.slice(0, last);
  turn.earlier = callsOf(before).calls;
  const after = callsOf(messages.slice(last + 1));
  turn.calls = after.calls;
  turn.answers = after.answers;
  turn.refusals = after.refusals;
  const reply = before.findLast((m) => m.role === 'assistant' && m.content !== '');
  const asked = before.findLast((m) => m.role === 'user');
  if (reply?.role === 'assistant' && asked?.role === 'user') {
    turn.before = { ask: asked.content, reply: plainReply(reply.content) };
  }
  return turn;
}

/** The text of an assistant message that may still be in the dialect it was written in. */
function plainReply(content: string): string {
  if (!content.trimStart().startsWith('{')) return content;
  try {
    const parsed: unknown = JSON.parse(content);
    if (typeof parsed === 'object' && parsed !== null && 'text' in parsed)
      return String(parsed.text);
  } catch {
    // Not the dialect: prose that begins with a brace.
  }
  return content;
}

function callsOf(messages: readonly ChatMessage[]) {
  const calls: DoneCall[] = [];
  const answers: Answered[] = [];
  const refusals: string[] = [];
  const asked = new Map<string, PromptCall>();
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const call of message.calls ?? []) asked.set(call.callId, call);
    } else if (message.role === 'tool') {
      const call = asked.get(message.callId);
      if (message.name === ASK_USER) {
        if (call) answers.push(answeredOf(call, message.content));
        continue;
      }
      calls.push({
        name: message.name,
        arguments: call?.arguments ?? {},
        result: readResult(message.content, message.isError === true),
      });
      if (message.isError) refusals.push(message.content);
    }
  }
  return { calls, answers, refusals };
}

function answeredOf(call: PromptCall, content: string): Answered {
  const { question, tool, missing } = call.arguments;
  const answer = readResult(content, false);
  const closed = content.trim() === '' || /^The user did not answer\.?$/.test(answer.text);
  const values = Object.fromEntries(answer.fields);
  const answered: Answered = {
    question: typeof question === 'string' ? question : '',
    missing: Array.isArray(missing) ? missing.filter((m) => typeof m === 'string') : [],
    answer: closed ? null : answer.fields.size > 0 ? values : answer.text,
  };
  if (typeof tool === 'string') answered.tool = tool;
  return answered;
}
