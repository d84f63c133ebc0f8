import { factsOfScript } from '../../../lib/evals/drive';
import {
  droppedConditions,
  type Heard,
  inventedValues,
  isFalseDone,
  isTold,
  type Missing,
  onlyReads,
} from '../../../lib/evals/measures';
import type { TurnTrace } from '../../../lib/evals/score';
import type { JsonValue } from '../../../lib/tools/tool';
import type { FolderCase, Wanted, WantedCall } from './case';
import { matchesValue, provesValue, wordsOfExpected } from './matchers';

type Call = TurnTrace['calls'][number];

/** What came of one request of a folder. */
export interface Verdict {
  id: string;
  site: string;
  kind: string;
  request: string;
  /** The right tools in the right order and no other; or no call, or a question, where that is right. */
  toolRight: boolean;
  /** Also every argument, and told what had to be told. */
  fullyRight: boolean;
  /** What is not as expected, in words. */
  differences: string[];
  askedNeedlessly: boolean;
  /** Neither called nor asked, though there was something to do. */
  refusedNeedlessly: boolean;
  dropped: string[];
  invented: string[];
  falseDone: boolean;
  calls: { name: string; arguments: Call['arguments'] }[];
  asked: TurnTrace['asked'];
  refused: string[];
  text: string;
  end: string;
}

interface Judged {
  toolRight: boolean;
  differences: string[];
  /** Which expected call each call was held against. */
  pairs: Map<Call, WantedCall>;
}

const json = (value: JsonValue | undefined): string => JSON.stringify(value);

/** Look-ups on the way to what was asked are no fault, by the tool's name. */
const LOOKS_UP = /^(?:get|list|search|view|find|look|query|display)/i;

/** Holds what happened in the turn of a case against what was expected. */
export function judgeCase(one: FolderCase, trace: TurnTrace): Verdict {
  const { expected } = one;
  const now = new Date(one.script.now);
  const asked = trace.asked.length > 0 || trace.end === 'asked';
  const quiet = trace.calls.length === 0;
  let judged: Judged;
  let fullyRight: boolean;
  if (expected.type === 'calls') {
    judged = bestOf(expected, trace.calls, now);
    fullyRight = judged.toolRight && judged.differences.length === 0;
  } else if (expected.type === 'none') {
    judged = {
      toolRight: quiet,
      differences: quiet ? [] : ['called although nothing fits'],
      pairs: new Map(),
    };
    if (quiet && trace.asked.length > 0)
      judged.differences.push('asked instead of saying that it cannot');
    fullyRight = judged.differences.length === 0;
  } else {
    const toolRight = quiet && asked;
    const unnamed = expected.missing.filter(
      (name) => !trace.asked.some((a) => a.missing.includes(name)) && !isTold(name, trace),
    );
    const differences = toolRight
      ? unnamed.map((name) => `did not ask for ${name}`)
      : ['did not ask'];
    judged = { toolRight, differences, pairs: new Map() };
    fullyRight = differences.length === 0;
  }
  for (const words of one.conditions ?? []) {
    if (expected.type !== 'calls' || isTold(words, trace)) continue;
    judged.differences.push(`not told: ${words}`);
    fullyRight = false;
  }
  return {
    id: one.id,
    site: one.site,
    kind: one.kind,
    request: one.request,
    toolRight: judged.toolRight,
    fullyRight,
    differences: judged.differences,
    askedNeedlessly: asked && expected.type !== 'ask',
    refusedNeedlessly: quiet && !asked && expected.type !== 'none',
    ...measuresOf(one, trace, judged, now),
    calls: trace.calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
    asked: trace.asked,
    refused: trace.invalid,
    text: trace.text,
    end: trace.end,
  };
}

/** The right answer that the calls come closest to. */
function bestOf(
  { calls, alts }: { calls: Wanted; alts: readonly Wanted[] },
  made: readonly Call[],
  now: Date,
): Judged {
  const wanted = new Set(calls.flat().map((call) => call.tool));
  const trimmed = made.filter(({ name }) => wanted.has(name) || !LOOKS_UP.test(name));
  const counted =
    trimmed.length > 0 && trimmed.length < made.length && judgeCalls(calls, trimmed, now).toolRight
      ? trimmed
      : made;
  const [first, ...others] = [calls, ...alts].map((one) => judgeCalls(one, counted, now));
  if (!first) throw new Error('a case expects calls');
  const worth = (one: Judged) =>
    Number(one.toolRight && one.differences.length === 0) * 2e6 +
    Number(one.toolRight) * 1e6 -
    one.differences.length;
  return others.reduce((best, one) => (worth(one) > worth(best) ? one : best), first);
}

function judgeCalls(wanted: Wanted, made: readonly Call[], now: Date): Judged {
  const judged: Judged = { toolRight: true, differences: [], pairs: new Map() };
  const fail = (difference: string) => {
    judged.toolRight = false;
    judged.differences.push(difference);
  };
  let at = 0;
  for (const group of wanted) {
    const rest = [...group];
    while (rest.length > 0) {
      const optional = rest.every((call) => call.optional);
      const needed = rest.filter((call) => !call.optional).map((call) => call.tool);
      const call = made[at];
      if (!call) {
        if (!optional) fail(`not called: ${needed.join(', ')}`);
        break;
      }
      const [best] = rest
        .filter(({ tool }) => tool === call.name)
        .map((one) => ({ one, differences: argumentDifferences(one, call, now) }))
        .sort((a, b) => a.differences.length - b.differences.length);
      if (best) {
        judged.differences.push(...best.differences);
        judged.pairs.set(call, best.one);
        rest.splice(rest.indexOf(best.one), 1);
      } else {
        if (optional) break;
        fail(`called ${call.name} instead of ${rest.map(({ tool }) => tool).join('/')}`);
        rest.shift();
      }
      at++;
    }
  }
  const extra = made.slice(at).map(({ name }) => name);
  if (extra.length > 0) fail(`extra calls: ${extra.join(', ')}`);
  return judged;
}

function argumentDifferences({ args }: WantedCall, call: Call, now: Date): string[] {
  const got = call.arguments;
  const wanted = Object.entries(args).flatMap(([name, value]) => {
    if (!Object.hasOwn(got, name)) return [`missing ${name}=${json(value)}`];
    if (matchesValue(value, got[name], now)) return [];
    return [`${name}: want ${json(value)} got ${json(got[name])}`];
  });
  const extra = Object.keys(got)
    .filter((name) => !Object.hasOwn(args, name))
    .map((name) => `extra ${name}=${json(got[name])}`);
  return [...wanted, ...extra];
}

function measuresOf(
  one: FolderCase,
  trace: TurnTrace,
  { pairs }: Judged,
  now: Date,
): Pick<Verdict, 'dropped' | 'invented' | 'falseDone'> {
  const { script, request, before, expected } = one;
  const heard: Heard = {
    request,
    before,
    answers: [],
    facts: factsOfScript(script),
    tools: script.tools,
  };
  const missing = [...pairs].flatMap(([call, { args, words }]): Missing[] =>
    Object.entries(args)
      .filter(([name]) => !Object.hasOwn(call.arguments, name))
      .map(([argument, value]) => {
        const read = words?.[argument];
        return {
          argument,
          words: [...(read === undefined ? [] : [read]), ...wordsOfExpected(value)],
        };
      }),
  );
  const isExpected = (call: Call, argument: string): boolean => {
    const value = pairs.get(call)?.args[argument];
    if (value === undefined || !provesValue(value)) return false;
    return matchesValue(value, call.arguments[argument], now);
  };
  const tools = new Map(script.tools.map((tool) => [tool.name, tool]));
  const changing = (expected.type === 'calls' ? expected.calls.flat() : [])
    .filter((call) => !call.optional)
    .map((call) => tools.get(call.tool))
    .flatMap((tool) => (tool && !onlyReads(tool) ? [tool.name] : []));
  return {
    dropped: droppedConditions(heard, trace, missing, one.conditions),
    invented: inventedValues(heard, trace, isExpected),
    falseDone: isFalseDone(trace, changing),
  };
}
