import type { JsonObject } from '../../tools/tool';
import { askedActions, chooseTools, type Known, type Rank, type Scored } from './choose';
import type { Clause } from './clauses';
import type { Clock } from './dates';
import { type Filled, fill } from './fill';
import { isReading } from './meanings';

/** Under this, a tool shares too little with the words to be what they ask for. */
const FITS = 1.3;
/** Two tools within this share of each other are too close to choose between. */
const CLOSE = 0.93;

/** One thing to do, with the tools that could do it; none fits where `best` is absent. */
export interface Intent {
  text: string;
  best?: Known;
  filled?: Filled;
  /** Tools about as good as the best one. */
  rivals: Known[];
}

/** What the request asks for, in order. Clauses that only add to the one before are joined to it. */
export function intentsOf(
  clauses: readonly Clause[],
  tools: readonly Known[],
  clock: Clock | undefined,
  rank?: Rank,
): Intent[] {
  const out: Intent[] = [];
  let pending = '';
  for (const clause of clauses) {
    if (clause.negated) continue;
    const text = pending === '' ? clause.text : `${pending}, ${clause.text}`;
    const intent = intentOf(text, tools, clock, rank);
    const before = out.at(-1);
    const acts = [...askedActions(clause.text)].some((a) => !isReading(a));
    if (!intent.best && !acts && before) {
      replaceLast(out, intentOf(`${before.text}, ${clause.text}`, tools, clock, rank), before);
    } else if (!intent.best && !acts && out.length === 0) {
      pending = text;
    } else if (
      before?.best &&
      intent.best === before.best &&
      !startsAfresh(clause.text, before.best)
    ) {
      replaceLast(out, intentOf(`${before.text}, ${clause.text}`, tools, clock, rank), before);
    } else {
      pending = '';
      out.push(intent);
    }
  }
  if (out.length === 0 && pending !== '') out.push(intentOf(pending, tools, clock, rank));
  return out;
}

const startsAfresh = (text: string, known: Known): boolean => {
  const asked = askedActions(text);
  return [...asked].some((a) => known.actions.has(a)) && !known.reads;
};

function replaceLast(out: Intent[], next: Intent, before: Intent): void {
  out[out.length - 1] =
    next.best && (!before.best || next.best === before.best)
      ? next
      : { ...before, text: next.text };
}

export function intentOf(
  text: string,
  tools: readonly Known[],
  clock: Clock | undefined,
  rank?: Rank,
): Intent {
  const scored = chooseTools(tools, text, rank);
  const fitting = scored.filter((s) => s.support >= FITS);
  const top = fitting[0];
  if (!top) return { text, rivals: [] };
  const near = fitting.filter((s) => s.score >= 0.6 * top.score).slice(0, 4);
  const weighed = near
    .map((s) => ({ ...s, filled: fill(s.known, text, clock) }))
    .map((s) => ({ ...s, score: s.score * fillFit(s, s.filled) }))
    .sort((a, b) => b.score - a.score);
  const best = weighed[0];
  if (!best) return { text, rivals: [] };
  const rivals = weighed.slice(1).filter((s) => s.score >= CLOSE * best.score);
  return { text, best: best.known, filled: best.filled, rivals: rivals.map((r) => r.known) };
}

/** A tool whose arguments the words give is likelier than one that leaves them unused. */
function fillFit(scored: Scored, filled: Filled): number {
  const given = [...filled.values.keys()].length;
  const lacking = filled.missing.filter((s) => s.kind !== 'ref').length;
  const unused = filled.phrase !== '' && scored.known.slots.length === 0 ? 1 : 0;
  return 1 + 0.08 * Math.min(given, 4) - 0.1 * lacking - 0.12 * unused;
}

/** True where a call with these very arguments was made already. */
export function sameArguments(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((k) => Object.hasOwn(b, k) && JSON.stringify(a[k]) === JSON.stringify(b[k]))
  );
}
