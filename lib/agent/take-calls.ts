import { saidIn, type Words } from '../said/said';
import { names, say } from '../said/say';
import { isReadOnly } from './approval';
import { canonical } from './arguments/json';
import { toolContext } from './begin-step';
import type { ChatMessage, PromptCall } from './engine';
import { problemOf } from './events';
import type { Reply } from './generate';
import { deniedEnd, isSecondMistake, judgeRepeat, judgeToolError, mistakesEnd } from './judge';
import type { ToolContext } from './own-tools';
import { prepareCall, prepareOffered, type ReadyCall, type RefusedCall } from './prepare-call';
import { runCall } from './run-call';
import { runSearch } from './run-search';
import { isSearch, noteDeferredCall, refOf, type StepTools } from './step-tools';
import type { Turn, TurnEnd } from './turn';

/** Goes through the calls of a reply in order; adds them and what came back to `messages`. */
export async function takeCalls(
  turn: Turn,
  tools: StepTools,
  reply: Reply,
  messages: ChatMessage[],
): Promise<TurnEnd | undefined> {
  const context = toolContext(turn, tools);
  const cutOff = reply.finish !== 'stop';
  const wishes = reply.calls.map((call) => ({ ...call, callId: turn.newId() }));
  messages.push(assistantMessage(turn, tools, reply, wishes));

  const refusals: RefusedCall[] = [];
  let ran = 0;
  let denied = '';
  let failed = false;
  for (const [at, wish] of wishes.entries()) {
    const skipped = whySkipped(turn, tools, wish.name, at, failed);
    if (skipped !== undefined) {
      const problems = [problemOf('', skipped)];
      const { callId, name, arguments: args } = wish;
      turn.emit({
        type: 'call-invalid',
        callId,
        name,
        arguments: args,
        problems,
        message: skipped.text,
        ...saidIn(skipped),
      });
      messages.push(toolMessage(wish, skipped.text, true));
      continue;
    }
    if (isSearch(tools, wish.name)) {
      const found = await runSearch(turn, tools, wish);
      messages.push(toolMessage(wish, found.text, !found.ok));
      if (found.ok) ran++;
      continue;
    }
    const prepared = await prepareCall(turn, tools, wish, context);
    if (!prepared.ok) {
      refusals.push(prepared.refused);
      messages.push(toolMessage(wish, prepared.refused.message, true));
      if (prepared.refused.repeated) {
        const end = judgeRepeat(turn);
        if (end !== undefined) return end;
      }
      failed = true;
      continue;
    }
    if (wasDenied(turn, prepared.call.signature)) return deniedEnd(turn, wish.name);
    const { offered } = prepared.call;
    if (offered.kind === 'page' && offered.deferred) {
      noteDeferredCall(turn, tools, offered.name, wish.callId);
    }
    const end = await runCall(turn, prepared.call, context, { cutOff });
    if (end.kind === 'dismissed') return { reason: 'asked', message: '', remedies: [] };
    if (end.kind === 'denied') {
      denied = wish.name;
      messages.push(toolMessage(wish, 'The user said no. Do not try it again.', true));
      continue;
    }
    ran++;
    const { note } = prepared.call;
    const told = note === undefined ? end.told : `${end.told}\n${note}`;
    messages.push(toolMessage(wish, told, !end.ok));
    if (end.ok) turn.toolErrors = 0;
    else {
      failed = true;
      const verdict = judgeToolError(turn, wish.name, end.error ?? { text: '' });
      if (verdict !== undefined) return verdict;
    }
  }
  if (reply.errors.length > 0) messages.push({ role: 'user', content: reply.errors.join(' ') });
  if (ran > 0) turn.modelErrors = 0;
  else if (denied !== '') return deniedEnd(turn, denied);
  else {
    const end = await judgeRefusals(turn, tools, refusals, messages, context);
    if (end !== undefined) return end;
  }
  addNote(turn, messages);
  return undefined;
}

const wasDenied = (turn: Turn, signature: string) =>
  turn.done.some((call) => call.status === 'denied' && call.signature === signature);

function whySkipped(
  turn: Turn,
  tools: StepTools,
  name: string,
  at: number,
  failed: boolean,
): Words | undefined {
  if (at >= turn.limits.maxCallsPerStep) return say('skipped-excess');
  return failed && !isHarmless(tools, name) ? say('skipped-after-failure') : undefined;
}

/** After a failure the rest of a reply was planned on a result that never came; looking is still fine. */
function isHarmless(tools: StepTools, name: string): boolean {
  const offered = tools.find(name);
  if (offered === undefined) return true;
  return offered.kind === 'own' ? offered.tool.writes !== true : isReadOnly(offered.tool);
}

/** A reply with nothing but mistakes. The second in a row goes to the user: they know what the model does not. */
async function judgeRefusals(
  turn: Turn,
  tools: StepTools,
  refusals: readonly RefusedCall[],
  messages: ChatMessage[],
  context: ToolContext,
): Promise<TurnEnd | undefined> {
  const last = refusals.at(-1);
  if (last === undefined || last.repeated || !isSecondMistake(turn)) return undefined;
  if (last.offered?.kind !== 'page' || last.missing.length === 0) {
    return mistakesEnd(turn, last.offered === undefined ? 'tool' : 'arguments', last.words);
  }
  const asked = await askForm(turn, last, context);
  if ('end' in asked) return asked.end;
  const call: PromptCall = {
    callId: asked.call.callId,
    name: last.name,
    arguments: asked.call.arguments,
  };
  const content = turn.dialect.calls([call], tools.shown);
  messages.push(
    { role: 'assistant', content, calls: [call] },
    toolMessage(call, asked.told, !asked.ok),
  );
  return undefined;
}

/** Puts the tool's form to the user, who knows what the model does not, and runs what they filled in. */
async function askForm(
  turn: Turn,
  refused: RefusedCall,
  context: ToolContext,
): Promise<{ end: TurnEnd } | { call: ReadyCall; told: string; ok: boolean }> {
  const { offered } = refused;
  if (offered?.kind !== 'page') return { end: mistakesEnd(turn, 'tool', refused.words) };
  const answer = await context.askUser({
    ...say('form-needs', offered.name, names(refused.missing)),
    choices: [],
    form: {
      tool: refOf(offered),
      schema: offered.tool.inputSchema ?? {},
      values: refused.arguments,
      missing: refused.missing,
    },
  });
  if (answer === null || typeof answer === 'string') {
    return { end: mistakesEnd(turn, 'arguments', refused.words) };
  }
  // What stood in the form already is no word of the user's.
  for (const [name, value] of Object.entries(answer)) {
    const isTheirs = canonical(value) !== canonical(refused.arguments[name] ?? null);
    if (isTheirs) turn.sources.add(JSON.stringify(value), 'spoken');
  }
  const wish = {
    callId: turn.newId(),
    name: refused.name,
    arguments: answer,
    repairs: [],
    filled: true,
  };
  const prepared = await prepareOffered(turn, offered, wish, context);
  if (!prepared.ok) return { end: mistakesEnd(turn, 'arguments', prepared.refused.words) };
  const end = await runCall(turn, prepared.call, context, { cutOff: false });
  if (end.kind !== 'ran') return { end: deniedEnd(turn, refused.name) };
  turn.modelErrors = 0;
  return { call: prepared.call, told: end.told, ok: end.ok };
}

function assistantMessage(
  turn: Turn,
  tools: StepTools,
  reply: Reply,
  wishes: readonly { callId: string; name: string; arguments: PromptCall['arguments'] }[],
): ChatMessage {
  const calls = wishes.map(({ callId, name, arguments: args }) => ({
    callId,
    name,
    arguments: args,
  }));
  // Word for word where it was well formed, since engines then keep what they computed of it;
  // otherwise as it should have been, since models repeat what they see.
  const isClean =
    reply.errors.length === 0 &&
    reply.thinking === '' &&
    reply.finish === 'stop' &&
    reply.calls.every((call) => call.repairs.length === 0);
  const written = [reply.text, turn.dialect.calls(calls, tools.shown)].filter(
    (part) => part !== '',
  );
  return {
    role: 'assistant',
    content: isClean ? reply.raw.trim() : written.join('\n'),
    calls,
  };
}

const toolMessage = (
  wish: { callId: string; name: string },
  content: string,
  isError: boolean,
): ChatMessage => ({
  role: 'tool',
  callId: wish.callId,
  name: wish.name,
  content,
  ...(isError ? { isError: true } : {}),
});

const MAX_REMINDER = 200;

/** Small models do best with the request at the end of the prompt, and with a word when time runs out. */
function addNote(turn: Turn, messages: ChatMessage[]): void {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return;
  const { ask } = turn.options;
  const request = ask.length > MAX_REMINDER ? `${ask.slice(0, MAX_REMINDER - 1)}…` : ask;
  const isLast = turn.step + 1 >= turn.limits.maxSteps;
  last.note = isLast
    ? `The request was: ${request}\nThis is your last reply: answer now.`
    : `The request was: ${request}`;
}
