import { ownString } from '../tools/own-data';
import { firstSentence } from '../tools/text/safe';
import type { CompactTool, JsonObject, JsonSchema } from '../tools/tool';
import { isReadOnly } from './approval';
import { ASK_USER } from './builtins';
import { generateReply } from './generate';
import { promptTokens } from './prompt';
import { readObject } from './read-object';
import type { StepTools } from './step-tools';
import type { Turn } from './turn';

/** What happens next. */
export type Plan =
  | { kind: 'tool'; tool: string; brief: string }
  | { kind: 'answer'; brief: string }
  /** `brief` is the question. */
  | { kind: 'ask'; brief: string }
  /** `brief` is why. */
  | { kind: 'give-up'; brief: string };

const MAX_PLAN_TOKENS = 200;
const MAX_BRIEF = 400;
const MAX_SENTENCE = 90;

/**
 * A short reason before the choice, choices as words to pick from, two examples and the request at
 * the end: what small planners were seen to need.
 */
const RULES = `You plan one step at a time. Tools act on the user's web page; another worker fills in their arguments.
Reply with JSON: {"why": short reason, "do": "tool" | "answer" | "ask" | "give up", "tool": name or "none", "brief": text}
- "tool": run one tool next. brief says what for, with every value the worker needs.
- "answer": what was done answers the request.
- "ask": a value is missing that only the user knows. brief is the question.
- "give up": no tool fits. brief says why.`;

const EXAMPLES = `Example request: cancel my last order. Done: nothing. Tools: list_orders, cancel_order.
{"why":"the order's id is not known","do":"tool","tool":"list_orders","brief":"find the last order"}
Example request: cancel my last order. Done: list_orders → done, 4 entries; cancel_order (id: 7) → done.
{"why":"it is cancelled","do":"answer","tool":"none","brief":"the order is cancelled"}`;

/** The next step, or `undefined` when two replies in a row were no plan. */
export async function makePlan(
  turn: Turn,
  tools: StepTools,
  log: readonly string[],
): Promise<Plan | undefined> {
  // Asking has a word of its own in a plan.
  const offered = tools.shown.filter((tool) => tool.name !== ASK_USER);
  const names = offered.map((tool) => tool.name);
  const system = planPrompt(turn, offered, (name) => changes(tools, name));
  const request = planRequest(turn, log);
  let content = request;
  for (let attempt = 0; attempt < 2; attempt++) {
    const reply = await generateReply(
      turn,
      {
        system,
        messages: [{ role: 'user', content }],
        tools: [],
        facts: turn.facts,
        constraint: { kind: 'json', schema: planSchema(names) },
        maxTokens: Math.min(MAX_PLAN_TOKENS, turn.limits.maxReplyTokens),
      },
      tools,
      { dialect: 'json', show: 'nothing' },
    );
    const plan = readPlan(reply.raw, names);
    if (plan !== undefined) {
      if (plan.why !== '') {
        turn.emit({ type: 'text', step: turn.step, channel: 'thinking', text: plan.why });
      }
      return plan.plan;
    }
    const problem = `That was no plan. "tool" must be one of: ${names.join(', ')}, none.`;
    turn.emit({ type: 'reply-problems', step: turn.step, errors: [problem] });
    content = `${request}\n${problem}`;
  }
  return undefined;
}

/** What the plan's prompt takes beside its tools, in tokens: the largest prompt of a step. */
export const planCosts = (turn: Turn, log: readonly string[]) => ({
  instructions: promptTokens(
    turn,
    planPrompt(turn, [], () => false),
    [],
  ),
  history: promptTokens(turn, '', [{ role: 'user', content: planRequest(turn, log) }]),
});

/** Instructions, a line per tool, facts, examples, brief: the same to the letter in every step. */
function planPrompt(
  turn: Turn,
  tools: readonly CompactTool[],
  changes: (name: string) => boolean,
): string {
  const facts = Object.entries(turn.facts).map(([key, value]) => `${key}: ${value}`);
  const { brief } = turn.options.history;
  return [
    RULES,
    `Tools:\n${tools.map((tool) => toolLine(tool, changes(tool.name))).join('\n')}`,
    facts.length === 0 ? '' : `Facts:\n${facts.join('\n')}`,
    EXAMPLES,
    brief === '' ? '' : `Earlier in this conversation: ${brief}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function toolLine(tool: CompactTool, changes: boolean): string {
  const [requires = ''] = /^Use [^.]+ first\. /.exec(tool.description) ?? [];
  const about = firstSentence(tool.description.slice(requires.length), MAX_SENTENCE);
  const mark = changes ? ' (changes something)' : '';
  return `- ${tool.name}${mark}: ${requires}${about}`;
}

function changes(tools: StepTools, name: string): boolean {
  const offered = tools.find(name);
  if (offered === undefined) return false;
  return offered.kind === 'own' ? offered.tool.writes === true : !isReadOnly(offered.tool);
}

function planRequest(turn: Turn, log: readonly string[]): string {
  const done = log.length === 0 ? ' nothing' : log.map((l, at) => `\n${at + 1}. ${l}`).join('');
  const left = turn.limits.maxSteps - turn.step;
  const hurry = left <= 1 ? '\nFinish now: answer or give up.' : '';
  return `Done so far:${done}\nSteps left: ${left}${hurry}\nRequest: ${turn.options.ask}`;
}

function planSchema(names: readonly string[]): JsonSchema {
  const properties: JsonObject = {
    why: { type: 'string', maxLength: 160 },
    do: { type: 'string', enum: ['tool', 'answer', 'ask', 'give up'] },
    tool: { type: 'string', enum: [...names, 'none'] },
    brief: { type: 'string', maxLength: MAX_BRIEF },
  };
  return {
    type: 'object',
    properties,
    required: ['why', 'do', 'tool', 'brief'],
    additionalProperties: false,
  };
}

/** Reads a plan out of a reply that may have words around it. */
export function readPlan(
  raw: string,
  names: readonly string[],
): { plan: Plan; why: string } | undefined {
  const value = readObject(raw);
  if (value === undefined) return undefined;
  const why = ownString(value, 'why')?.slice(0, MAX_BRIEF) ?? '';
  const brief = (ownString(value, 'brief') ?? '').trim().slice(0, MAX_BRIEF);
  const tool = ownString(value, 'tool') ?? 'none';
  switch (
    ownString(value, 'do')
      ?.toLowerCase()
      .replace(/[\s_-]+/g, ' ')
  ) {
    case 'tool':
      return names.includes(tool) ? { plan: { kind: 'tool', tool, brief }, why } : undefined;
    case 'answer':
      return { plan: { kind: 'answer', brief }, why };
    case 'ask':
      return brief === '' ? undefined : { plan: { kind: 'ask', brief }, why };
    case 'give up':
      return { plan: { kind: 'give-up', brief }, why };
    default:
      return undefined;
  }
}
