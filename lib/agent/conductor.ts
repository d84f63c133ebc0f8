import { say } from '../said/say';
import type { JsonObject } from '../tools/tool';
import { beginStep, toolContext } from './begin-step';
import { answerFromLog } from './conductor-answer';
import { makePlan, type Plan, planCosts } from './conductor-plan';
import { fillArguments } from './conductor-worker';
import { oneLine } from './facts';
import {
  deniedEnd,
  isSecondMistake,
  judgeRepeat,
  judgeToolError,
  mistakesEnd,
  stepLimitEnd,
} from './judge';
import type { ToolContext } from './own-tools';
import type { RefusedCall } from './prepare-call';
import { runCall } from './run-call';
import { runSearch } from './run-search';
import { chosenOf, noteDeferredCall, type StepTools } from './step-tools';
import { askForm } from './take-calls';
import type { Turn, TurnEnd } from './turn';
import { neutralise } from './untrusted';

/**
 * Plan, fill, run, and again; then answer. Each is a prompt of its own, short enough for a window of
 * 2 000 tokens: the conductor sees the request, the tools in a line each and what was done in a line
 * each; the worker sees one tool; the answer is written from the results.
 */
export async function runConductor(turn: Turn): Promise<TurnEnd> {
  // One line per finished step, in Pagehand's words and the user's: never a page's.
  const log: string[] = [];
  while (turn.step < turn.limits.maxSteps) {
    turn.step++;
    const tools = await beginStep(turn, () => planCosts(turn, log));
    turn.emit({
      type: 'tools-chosen',
      step: turn.step,
      ...chosenOf(tools),
      budget: tools.choice.budget,
    });
    const context = toolContext(turn, tools);
    const plan = await makePlan(turn, tools, log);
    const end =
      plan === undefined
        ? mistakesEnd(turn, 'tool', say('no-plan'))
        : await follow(turn, tools, plan, log, context);
    if (end !== undefined) return end;
  }
  return stepLimitEnd(turn);
}

async function follow(
  turn: Turn,
  tools: StepTools,
  plan: Plan,
  log: string[],
  context: ToolContext,
): Promise<TurnEnd | undefined> {
  switch (plan.kind) {
    case 'answer':
      return await answerFromLog(turn, tools);
    case 'give-up':
      return await answerFromLog(turn, tools, plan.brief);
    case 'ask': {
      const answer = await context.askUser({ text: plan.brief, choices: [] });
      if (answer === null) return { reason: 'asked', message: '', remedies: [] };
      const said = typeof answer === 'string' ? answer : JSON.stringify(answer);
      turn.sources.add(said, 'spoken');
      turn.told.push(`Asked: ${plan.brief}\nThe user answered: ${said}`);
      log.push(`asked the user “${plan.brief}”, who said: ${said}`);
      return undefined;
    }
    case 'tool':
      return await runPlanned(turn, tools, plan, log, context);
  }
}

async function runPlanned(
  turn: Turn,
  tools: StepTools,
  plan: Extract<Plan, { kind: 'tool' }>,
  log: string[],
  context: ToolContext,
): Promise<TurnEnd | undefined> {
  const line = (text: string) => void log.push(`${plan.tool}${text}`);
  const filled = await fillArguments(turn, tools, plan, context);
  switch (filled.kind) {
    case 'search': {
      const found = await runSearch(turn, tools, filled.wish);
      const names = turn.promotions.promoted.map((known) => known.name);
      line(found.ok ? ` → now in the list: ${names.join(', ')}` : ' → nothing new');
      return undefined;
    }
    case 'missing':
      // The conductor decides whether to look the value up or to ask; the second time the user is asked.
      line(` → not run: the value of ${filled.missing.join(', ')} is not known`);
      return isSecondMistake(turn)
        ? await askMissing(turn, tools, filled.refused, context)
        : undefined;
    case 'refused':
      line(filled.refused.repeated ? ' → not run: already done' : ' → not run: wrong arguments');
      if (filled.refused.repeated) return judgeRepeat(turn);
      if (filled.refused.missing.length > 0) {
        return await askMissing(turn, tools, filled.refused, context);
      }
      return mistakesEnd(turn, 'arguments', filled.refused.words);
    case 'ready':
      break;
  }
  const { call } = filled;
  if (call.offered.kind === 'page' && call.offered.deferred) {
    noteDeferredCall(turn, tools, call.offered.name, call.callId);
  }
  const end = await runCall(turn, call, context, { cutOff: filled.cutOff });
  if (end.kind === 'dismissed') return { reason: 'asked', message: '', remedies: [] };
  if (end.kind === 'denied') return deniedEnd(turn, plan.tool);
  turn.told.push(`${call.offered.name} ${JSON.stringify(call.arguments)}:\n${end.told}`);
  turn.modelErrors = 0;
  if (!end.ok) {
    line(`${inputOf(call.arguments)} → failed`);
    return judgeToolError(turn, plan.tool, end.error ?? { text: '' });
  }
  turn.toolErrors = 0;
  line(`${inputOf(call.arguments)} → done${sizeOf(turn.done.at(-1)?.value)}`);
  return undefined;
}

async function askMissing(
  turn: Turn,
  tools: StepTools,
  refused: RefusedCall,
  context: ToolContext,
): Promise<TurnEnd | undefined> {
  const asked = await askForm(turn, refused, context);
  if ('end' in asked) return asked.end;
  turn.told.push(
    `${asked.call.offered.name} ${JSON.stringify(asked.call.arguments)}:\n${asked.told}`,
  );
  return await answerFromLog(turn, tools);
}

const MAX_INPUT = 120;
const MAX_VALUE = 40;

/** What a call was given, short: a value may have come from the page, so that none has room to speak. */
function inputOf(args: JsonObject): string {
  const values = Object.entries(args).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${name}: ${oneLine(neutralise(text), MAX_VALUE)}`;
  });
  return values.length === 0 ? '' : ` (${oneLine(values.join(', '), MAX_INPUT)})`;
}

/** How much came back, in numbers only: a page's words never reach the conductor. */
function sizeOf(value: unknown): string {
  if (Array.isArray(value)) return entries(value.length);
  if (typeof value !== 'object' || value === null) return '';
  const lists = Object.values(value).filter((inner) => Array.isArray(inner));
  const [only] = lists;
  return lists.length === 1 && only !== undefined ? entries(only.length) : '';
}

const entries = (n: number) =>
  n === 0 ? ', nothing found' : n === 1 ? ', 1 entry' : `, ${n} entries`;
