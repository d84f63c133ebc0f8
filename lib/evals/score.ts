import * as z from 'zod';
import type { JsonObject, JsonValue } from '../tools/tool';
import { factsOfScript, scriptOf } from './drive';
import { type EvalCase, type EvalTurn, type ExpectedCall, Matcher } from './format';
import { droppedConditions, inventedValues, isFalseDone, onlyReads } from './measures';

/** What happened in one turn, as the scorer needs it. */
export interface TurnTrace {
  /** Calls that were made of the page, in order; questions to the user are not among them. */
  calls: {
    name: string;
    arguments: JsonObject;
    /** It ran and came back without an error. */
    done: boolean;
    /** What came back, as text; `null` where nothing did. */
    result: string | null;
  }[];
  /** Calls that were refused before they ran. */
  invalid: string[];
  asked: { question: string; missing: string[]; callsBefore: number }[];
  text: string;
  /** Why the turn ended. */
  end: string;
  steps: number;
  tokens: number;
  ms: number;
}

/** One thing that is not as it was expected. */
export const Difference = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('calls'), expected: z.array(z.string()), got: z.array(z.string()) }),
  z.object({
    kind: z.enum(['missing', 'unexpected']),
    tool: z.string(),
    argument: z.string(),
  }),
  z.object({
    kind: z.literal('value'),
    tool: z.string(),
    argument: z.string(),
    expected: Matcher,
    got: z.json(),
  }),
  /** A call that was refused before it ran. */
  z.object({ kind: z.literal('refused'), message: z.string() }),
  z.object({ kind: z.literal('not-asked'), argument: z.string() }),
  z.object({ kind: z.literal('asked'), question: z.string() }),
  z.object({ kind: z.literal('not-said'), words: z.string() }),
  z.object({ kind: z.enum(['silent', 'not-run']) }),
  z.object({ kind: z.literal('forbidden'), tool: z.string() }),
]);
export type Difference = z.infer<typeof Difference>;

/** What came of one request; without differences where everything is right. */
export const TurnScore = z.object({
  ask: z.string(),
  calls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) })),
  text: z.string(),
  differences: z.array(Difference),
});
export type TurnScore = z.infer<typeof TurnScore>;

export interface CaseScore {
  id: string;
  site: string;
  heldOut: boolean;
  tags: readonly string[];
  /** One turn with exactly one call, nothing looked up and nothing asked. */
  single: boolean;
  kind: 'call' | 'refusal' | 'ask';
  toolRight: boolean;
  argumentsRight: boolean;
  /** Everything: tools, arguments, questions, words. */
  right: boolean;
  /** Calls of tools that must not be called. */
  forbidden: string[];
  /** Conditions of a request that no call takes up and no word tells, see `droppedConditions`. */
  dropped: string[];
  /** Arguments that are not as expected and whose value stands nowhere, see `inventedValues`. */
  invented: string[];
  /** Asks of the turns that tell a deed as done which was not, see `isFalseDone`. */
  falseDone: string[];
  steps: number;
  tokens: number;
  ms: number;
  turns: TurnScore[];
}

const plain = (text: string): string =>
  text.toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ').trim();

const same = (a: JsonValue | undefined, b: JsonValue): boolean => {
  if (typeof a === 'string' && typeof b === 'string') return plain(a) === plain(b);
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((x, i) => same(x, b[i] ?? null));
  }
  return JSON.stringify(a) === JSON.stringify(b);
};

export function matches(matcher: Matcher, value: JsonValue | undefined): boolean {
  if (typeof matcher !== 'object' || matcher === null) return same(value, matcher);
  if ('equals' in matcher) return same(value, matcher.equals);
  if ('oneOf' in matcher) return matcher.oneOf.some((one) => same(value, one));
  if ('contains' in matcher) {
    const text = plain(Array.isArray(value) ? value.join(' | ') : String(value ?? ''));
    return matcher.contains.every((part) => text.includes(plain(part)));
  }
  if ('min' in matcher) {
    return typeof value === 'number' && value >= matcher.min && value <= matcher.max;
  }
  if (typeof value !== 'string') return false;
  if ('date' in matcher) return value.startsWith(matcher.date);
  return new RegExp(`(?:^|T| )${matcher.time}`).test(value);
}

function argumentDifferences(expected: ExpectedCall, args: JsonObject): Difference[] {
  const { tool } = expected;
  const wanted = { ...expected.optional, ...expected.args };
  const absent = Object.keys(expected.args)
    .filter((argument) => !Object.hasOwn(args, argument))
    .map((argument): Difference => ({ kind: 'missing', tool, argument }));
  const given = Object.entries(args).flatMap(([argument, got]): Difference[] => {
    if (!Object.hasOwn(wanted, argument)) return [{ kind: 'unexpected', tool, argument }];
    const matcher = wanted[argument] ?? null;
    if (matches(matcher, got)) return [];
    return [{ kind: 'value', tool, argument, expected: matcher, got }];
  });
  return [...absent, ...given];
}

/** Holds what happened against what was expected. */
export function scoreCase(one: EvalCase, traces: readonly TurnTrace[]): CaseScore {
  const first = one.turns[0];
  const turns = one.turns.map((turn, i) => scoreTurn(one, turn, traces[i]));
  const differences = turns.flatMap((turn) => turn.differences);
  const no = (...kinds: Difference['kind'][]) =>
    differences.every(({ kind }) => !kinds.includes(kind));
  const measures = one.turns.map((_, i) => measuresOf(one, traces, i));
  const toolRight = no('calls', 'forbidden', 'not-run');
  return {
    id: one.id,
    site: one.site.site,
    heldOut: one.heldOut,
    tags: one.tags,
    single:
      one.turns.length === 1 &&
      first?.calls.length === 1 &&
      first.asks === undefined &&
      (first.lookups ?? []).length === 0,
    kind: first?.refusal ? 'refusal' : first?.asks ? 'ask' : 'call',
    toolRight,
    argumentsRight: toolRight && no('missing', 'unexpected', 'value', 'refused'),
    right: differences.length === 0,
    forbidden: differences.flatMap((one) => (one.kind === 'forbidden' ? [one.tool] : [])),
    dropped: measures.flatMap((m) => m.dropped),
    invented: measures.flatMap((m) => m.invented),
    falseDone: measures.flatMap((m) => m.falseDone),
    steps: sum(traces, (t) => t.steps),
    tokens: sum(traces, (t) => t.tokens),
    ms: sum(traces, (t) => t.ms),
    turns,
  };
}

const sum = (traces: readonly TurnTrace[], of: (t: TurnTrace) => number): number =>
  traces.reduce((n, t) => n + of(t), 0);

/** The calls that count, each with the expected call it is held against. */
function madeIn(turn: EvalTurn, trace: TurnTrace) {
  const made = trace.calls.filter(
    (c) => !turn.lookups?.includes(c.name) || turn.calls.some((e) => e.tool === c.name),
  );
  return made.map((call, i) => ({
    call,
    expected: turn.calls.find(
      (e, j) => e.tool === call.name && (j === i || made.length !== turn.calls.length),
    ),
  }));
}

const NOTHING = { dropped: [], invented: [], falseDone: [] };

function measuresOf(
  one: EvalCase,
  traces: readonly TurnTrace[],
  at: number,
): Pick<CaseScore, 'dropped' | 'invented' | 'falseDone'> {
  const turn = one.turns[at];
  const trace = traces[at];
  if (!turn || !trace) return NOTHING;
  const script = scriptOf(one);
  const before = one.turns.slice(0, at).map(({ ask }, i) => ({
    ask,
    answer: traces[i]?.text ?? '',
    calls: (traces[i]?.calls ?? []).map((c) => ({ ...c, shown: c.result ?? '' })),
  }));
  const answers = turn.answers ?? [];
  const heard = {
    request: turn.ask,
    before,
    answers,
    facts: factsOfScript(script),
    tools: script.tools,
  };
  const made = madeIn(turn, trace);
  const missing = made.flatMap(({ call, expected }) =>
    Object.entries(expected?.args ?? {})
      .filter(([argument]) => !Object.hasOwn(call.arguments, argument))
      .map(([argument, matcher]) => ({ argument, words: wordsOf(matcher) })),
  );
  const isExpected = (call: TurnTrace['calls'][number], argument: string): boolean => {
    const expected = made.find((m) => m.call === call)?.expected;
    const matcher = { ...expected?.optional, ...expected?.args }[argument];
    return matcher !== undefined && matches(matcher, call.arguments[argument]);
  };
  const tools = new Map(script.tools.map((tool) => [tool.name, tool]));
  const changing = turn.calls
    .map((call) => tools.get(call.tool))
    .flatMap((tool) => (tool && !onlyReads(tool) ? [tool.name] : []));
  return {
    dropped: droppedConditions(heard, trace, missing),
    invented: inventedValues(heard, trace, isExpected),
    falseDone: isFalseDone(trace, changing) ? [turn.ask] : [],
  };
}

/** How words can name what a matcher wants. */
function wordsOf(matcher: Matcher): string[] {
  if (typeof matcher !== 'object' || matcher === null) return [String(matcher)];
  if ('equals' in matcher) return [textOf(matcher.equals)];
  if ('oneOf' in matcher) return matcher.oneOf.map(textOf);
  if ('contains' in matcher) return [matcher.contains.join(' ')];
  if ('min' in matcher) return [String(matcher.min), String(matcher.max)];
  return ['date' in matcher ? matcher.date : matcher.time];
}

const textOf = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function scoreTurn(one: EvalCase, turn: EvalTurn, trace: TurnTrace | undefined): TurnScore {
  const { ask } = turn;
  if (!trace) return { ask, calls: [], text: '', differences: [{ kind: 'not-run' }] };
  const differences: Difference[] = [];
  const made = madeIn(turn, trace);
  const got = made.map(({ call }) => call.name);
  const expected = turn.calls.map((call) => call.tool);
  if (got.join() !== expected.join()) differences.push({ kind: 'calls', expected, got });
  for (const { call, expected: want } of made) {
    if (want) differences.push(...argumentDifferences(want, call.arguments));
  }
  for (const message of trace.invalid) differences.push({ kind: 'refused', message });
  differences.push(...askingDifferences(turn, trace));
  if (turn.refusal && trace.text.trim() === '') differences.push({ kind: 'silent' });
  const said = plain(trace.text);
  for (const words of turn.says ?? []) {
    if (!said.includes(plain(words))) differences.push({ kind: 'not-said', words });
  }
  for (const { name } of trace.calls) {
    if (one.mustNotCall.includes(name)) differences.push({ kind: 'forbidden', tool: name });
  }
  const calls = trace.calls.map(({ name, arguments: args }) => ({ name, arguments: args }));
  return { ask, calls, text: trace.text, differences };
}

function askingDifferences(turn: EvalTurn, trace: TurnTrace): Difference[] {
  const need = turn.asks?.missing ?? [];
  const asked = (name: string): boolean => {
    const words = plain(name.replaceAll('_', ' '));
    return (
      trace.asked.some((a) => a.missing.includes(name) || plain(a.question).includes(words)) ||
      plain(trace.text).includes(words)
    );
  };
  const missed = need
    .filter((argument) => !asked(argument))
    .map((argument): Difference => ({ kind: 'not-asked', argument }));
  const [first] = trace.asked;
  if (need.length > 0 || !first) return missed;
  return [...missed, { kind: 'asked', question: first.question }];
}
