import type { JsonObject, JsonValue } from '../../lib/tools/tool';
import type { EvalCase, EvalTurn, ExpectedCall, Matcher } from './format';

/** What happened in one turn, as the scorer needs it. */
export interface TurnTrace {
  /** Calls that were made of the page, in order; questions to the user are not among them. */
  calls: { name: string; arguments: JsonObject; unsourced: string[] }[];
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
  /** Arguments that nobody asked for and whose value stands nowhere. */
  invented: string[];
  /** Words on the first thing that is wrong. */
  why: string;
  steps: number;
  tokens: number;
  ms: number;
  calls: { name: string; arguments: JsonObject }[];
  text: string;
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

function wrongArguments(expected: ExpectedCall, args: JsonObject): string[] {
  const wrong: string[] = [];
  for (const [name, matcher] of Object.entries(expected.args)) {
    if (!matches(matcher, args[name])) wrong.push(name);
  }
  for (const [name, value] of Object.entries(args)) {
    if (Object.hasOwn(expected.args, name)) continue;
    const matcher = expected.optional?.[name];
    if (matcher === undefined || !matches(matcher, value)) wrong.push(name);
  }
  return wrong;
}

/** Holds what happened against what was expected. */
export function scoreCase(one: EvalCase, traces: readonly TurnTrace[]): CaseScore {
  const first = one.turns[0];
  const all = traces.flatMap((t) => t.calls);
  const score: CaseScore = {
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
    toolRight: true,
    argumentsRight: true,
    right: true,
    forbidden: all.map((c) => c.name).filter((name) => one.mustNotCall.includes(name)),
    invented: [],
    why: '',
    steps: sum(traces, (t) => t.steps),
    tokens: sum(traces, (t) => t.tokens),
    ms: sum(traces, (t) => t.ms),
    calls: all.map(({ name, arguments: args }) => ({ name, arguments: args })),
    text: traces.at(-1)?.text ?? '',
  };
  for (const [i, turn] of one.turns.entries()) scoreTurn(score, turn, traces[i]);
  if (score.forbidden.length > 0) fail(score, 'tool', `called ${score.forbidden.join(', ')}`);
  return score;
}

const sum = (traces: readonly TurnTrace[], of: (t: TurnTrace) => number): number =>
  traces.reduce((n, t) => n + of(t), 0);

function fail(score: CaseScore, what: 'tool' | 'arguments' | 'rest', why: string): void {
  if (what === 'tool') score.toolRight = false;
  if (what !== 'rest') score.argumentsRight = false;
  score.right = false;
  if (score.why === '') score.why = why;
}

function scoreTurn(score: CaseScore, turn: EvalTurn, trace: TurnTrace | undefined): void {
  if (!trace) {
    fail(score, 'tool', 'the turn did not run');
    return;
  }
  const expected = turn.calls;
  const made = trace.calls.filter(
    (c) => !turn.lookups?.includes(c.name) || expected.some((e) => e.tool === c.name),
  );
  const names = made.map((c) => c.name);
  const wanted = expected.map((c) => c.tool);
  if (names.join() !== wanted.join()) {
    fail(
      score,
      'tool',
      `called ${names.join(', ') || 'nothing'}, not ${wanted.join(', ') || 'nothing'}`,
    );
  }
  for (const [i, call] of made.entries()) {
    const want = expected.find(
      (e, j) => e.tool === call.name && (j === i || names.length !== wanted.length),
    );
    const wrong = want ? wrongArguments(want, call.arguments) : [];
    score.invented.push(
      ...call.unsourced.filter((u) => !want || wrong.some((w) => u.startsWith(w))),
    );
    if (wrong.length > 0) {
      const shown = wrong.map((w) => `${w} = ${JSON.stringify(call.arguments[w])}`);
      fail(score, 'arguments', `${call.name}: ${shown.join(', ')}`);
    }
  }
  if (trace.invalid.length > 0) fail(score, 'arguments', `refused: ${trace.invalid.join('; ')}`);
  scoreAsking(score, turn, trace);
  if (turn.refusal && trace.text.trim() === '') fail(score, 'rest', 'said nothing');
  const said = plain(trace.text);
  for (const part of turn.says ?? []) {
    if (!said.includes(plain(part))) fail(score, 'rest', `did not say "${part}"`);
  }
}

function scoreAsking(score: CaseScore, turn: EvalTurn, trace: TurnTrace): void {
  const need = turn.asks?.missing ?? [];
  const asked = (name: string): boolean => {
    const words = plain(name.replaceAll('_', ' '));
    return (
      trace.asked.some((a) => a.missing.includes(name) || plain(a.question).includes(words)) ||
      plain(trace.text).includes(words)
    );
  };
  const missed = need.filter((name) => !asked(name));
  if (missed.length > 0) fail(score, 'rest', `did not ask for ${missed.join(', ')}`);
  if (need.length === 0 && trace.asked.length > 0) {
    fail(score, 'rest', `asked: ${trace.asked[0]?.question ?? ''}`);
  }
}
