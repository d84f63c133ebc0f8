import { say } from '../said/say';
import { beginStep } from './begin-step';
import { costsOf, fitMessages, shortest } from './budget';
import { type ChatMessage, EngineError } from './engine';
import { generateReply, type Reply } from './generate';
import { emptyEnd, isSecondMistake, mistakesEnd, stepLimitEnd } from './judge';
import { openingMessages, systemPrompt } from './prompt';
import { chosenOf, type StepTools } from './step-tools';
import { takeCalls } from './take-calls';
import type { Turn, TurnEnd } from './turn';

/** One growing context: the model sees the request, its own calls and their results, until it answers. */
export async function runSteps(turn: Turn): Promise<TurnEnd> {
  let messages: ChatMessage[] | undefined;
  let site: string | undefined;
  const current = () =>
    messages !== undefined && site === turn.site ? messages : openingMessages(turn);
  while (turn.step < turn.limits.maxSteps) {
    turn.step++;
    const tools = await beginStep(turn, () => costsOf(turn, current()));
    const system = systemPrompt(turn, tools.shown);
    messages = fitMessages(turn, system, current());
    site = turn.site;
    turn.emit({
      type: 'tools-chosen',
      step: turn.step,
      ...chosenOf(tools),
      budget: tools.choice.budget,
    });
    const reply = await replyTo(turn, tools, system, messages);
    const end = await takeReply(turn, tools, reply, messages);
    if (end !== undefined) return end;
  }
  return stepLimitEnd(turn);
}

/** A reply; once more with a shorter conversation where the engine says its window is too small. */
async function replyTo(
  turn: Turn,
  tools: StepTools,
  system: string,
  messages: ChatMessage[],
): Promise<Reply> {
  const constraint = turn.dialect.constraint(tools.shown);
  const request = {
    system,
    messages,
    tools: tools.shown,
    facts: turn.facts,
    ...(constraint ? { constraint } : {}),
    maxTokens: turn.limits.maxReplyTokens,
  };
  try {
    return await generateReply(turn, request, tools);
  } catch (error) {
    if (!(error instanceof EngineError) || error.kind !== 'window') throw error;
    const shorter = shortest(turn, messages);
    if (shorter === undefined) throw error;
    messages.splice(0, messages.length, ...shorter);
    return await generateReply(turn, { ...request, messages }, tools);
  }
}

/** Goes through a reply; adds to `messages` what the next step needs, or says how the turn ends. */
async function takeReply(
  turn: Turn,
  tools: StepTools,
  reply: Reply,
  messages: ChatMessage[],
): Promise<TurnEnd | undefined> {
  if (reply.errors.length > 0) {
    turn.emit({ type: 'reply-problems', step: turn.step, errors: reply.errors });
  }
  if (reply.calls.length === 0 && reply.errors.length === 0) {
    return takeAnswer(turn, reply, messages);
  }
  if (reply.calls.length === 0) {
    messages.push(
      { role: 'assistant', content: reply.raw.trim() },
      { role: 'user', content: reply.errors.join(' ') },
    );
    const [first = ''] = reply.errors;
    return isSecondMistake(turn) ? mistakesEnd(turn, 'tool', { text: first }) : undefined;
  }
  return await takeCalls(turn, tools, reply, messages);
}

function takeAnswer(turn: Turn, reply: Reply, messages: ChatMessage[]): TurnEnd | undefined {
  const cutOff = reply.finish !== 'stop';
  if (reply.text === '') {
    if (isSecondMistake(turn)) return emptyEnd(turn);
    messages.push(
      { role: 'assistant', content: '…' },
      { role: 'user', content: 'Your reply was empty. Answer in one to three sentences.' },
    );
    return undefined;
  }
  if (cutOff) {
    const words = say('answer-cut', turn.limits.maxReplyTokens);
    turn.emit({ type: 'notice', level: 'warning', ...words });
  }
  turn.answer = reply.text;
  const asks = /[?？]\s*$/.test(reply.text);
  return {
    reason: asks ? 'asked' : 'answered',
    message: '',
    remedies: cutOff ? ['continue'] : [],
  };
}
