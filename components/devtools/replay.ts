import * as z from 'zod';
import type { Preview } from '../../lib/messages/host-api';
import type { JsonValue } from '../../lib/tools/tool';

const Json = z.json();
const ExpectedCall = z.object({
  tool: z.string(),
  args: z.record(z.string(), Json).default({}),
  optional: z.record(z.string(), Json).optional(),
});
const Turn = z.object({
  ask: z.string().min(1).max(20_000),
  calls: z.array(ExpectedCall).default([]),
});
const Case = z.union([
  z.object({ id: z.string().default(''), turns: z.array(Turn).min(1) }),
  Turn.extend({ id: z.string().default('') }),
]);
const EvalFile = z.object({ cases: z.array(Case).min(1).max(1000) });

/** One request of a recorded case and the call it should lead to first. */
export interface RecordedAsk {
  caseId: string;
  ask: string;
  expected: { tool: string; args: Record<string, JsonValue>; optional: string[] } | null;
}

export interface ReplayedAsk extends RecordedAsk {
  got: { name: string; arguments: JsonValue } | null;
  engine: string;
  /** In the order of the arguments; empty when the call is the expected one. */
  differences: Difference[];
}

export type Difference =
  | { kind: 'tool'; expected: string; got: string }
  | { kind: 'missing' | 'unexpected'; argument: string }
  | { kind: 'value'; argument: string; expected: string; got: string };

/** Reads a file of eval cases (`tests/evals`), or one case. Throws what does not fit, in zod's words. */
export function readEvalFile(text: string): RecordedAsk[] {
  const raw: unknown = JSON.parse(text);
  const file = EvalFile.safeParse(raw);
  const cases = file.success ? file.data.cases : [Case.parse(raw)];
  return cases.flatMap((one) => {
    const turns = 'turns' in one ? one.turns : [one];
    return turns.map((turn): RecordedAsk => {
      const first = turn.calls[0];
      return {
        caseId: one.id,
        ask: turn.ask,
        expected: first
          ? { tool: first.tool, args: first.args, optional: Object.keys(first.optional ?? {}) }
          : null,
      };
    });
  });
}

/** Holds the call of the newest engine that gave one against the recorded call. */
export function compareReplay(recorded: RecordedAsk, calls: Preview['calls']): ReplayedAsk {
  const chosen = calls.findLast((answer) => answer.call) ?? calls.at(-1);
  const got = chosen?.call ?? null;
  return {
    ...recorded,
    got,
    engine: chosen?.engine ?? '',
    differences: differencesOf(recorded.expected, got),
  };
}

function differencesOf(expected: RecordedAsk['expected'], got: ReplayedAsk['got']): Difference[] {
  if (!expected || !got || expected.tool !== got.name) {
    const names = { expected: expected?.tool ?? '', got: got?.name ?? '' };
    return names.expected === names.got ? [] : [{ kind: 'tool', ...names }];
  }
  const args = isRecord(got.arguments) ? got.arguments : {};
  const wanted = Object.entries(expected.args).flatMap(([argument, matcher]): Difference[] => {
    if (!Object.hasOwn(args, argument)) return [{ kind: 'missing', argument }];
    const value = args[argument] ?? null;
    if (matches(matcher, value)) return [];
    return [
      { kind: 'value', argument, expected: JSON.stringify(matcher), got: JSON.stringify(value) },
    ];
  });
  const extra = Object.keys(args)
    .filter((name) => !Object.hasOwn(expected.args, name) && !expected.optional.includes(name))
    .map((argument): Difference => ({ kind: 'unexpected', argument }));
  return [...wanted, ...extra];
}

/** A recorded argument: a plain value, or one of the matchers that `docs/evals.md` describes. */
function matches(matcher: JsonValue, value: JsonValue): boolean {
  if (isRecord(matcher)) {
    const { equals, oneOf, contains, min, max, date, time } = matcher;
    if (equals !== undefined) return same(equals, value);
    if (Array.isArray(oneOf)) return oneOf.some((choice) => same(choice, value));
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (Array.isArray(contains)) {
      return contains.every((part) => text.toLowerCase().includes(String(part).toLowerCase()));
    }
    if (typeof min === 'number' && typeof max === 'number') {
      return typeof value === 'number' && value >= min && value <= max;
    }
    if (typeof date === 'string') return text.startsWith(date);
    if (typeof time === 'string') return text.includes(time);
  }
  return same(matcher, value);
}

function same(a: JsonValue, b: JsonValue): boolean {
  if (typeof a === 'string' && typeof b === 'string') {
    return a.trim().toLowerCase() === b.trim().toLowerCase();
  }
  return JSON.stringify(a) === JSON.stringify(b);
}

function isRecord(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
