import type { JsonObject } from '../../tools/tool';
import { askedActions, isWish } from './asks';
import { chooseTools, type Rank, type Scored } from './choose';
import type { Clause } from './clauses';
import type { Clock } from './dates';
import type { Filled } from './fill';
import type { Known } from './known';
import { isReading } from './meanings';

/** Under this, a tool shares too little with the words to be what they ask for. */
const FITS = 1.2;
/** Reading on slighter grounds does no harm. */
const FITS_READING = 0.8;
/** Two tools within this share of each other are too close to choose between. */
const CLOSE = 0.93;
const CLOSE_READING = 0.995;
const READY = 0.8;
const READY_TO_ACT = 0.75;

/** Words for a thing named before. */
const POINTS_BACK = /\b(?:it|its|them|those|these|that one|this one|one of)\b/i;

/** One thing to do, with the tools that could do it; none fits where `best` is absent. */
export interface Intent {
  text: string;
  best?: Known;
  filled?: Filled;
  /** Tools about as good as the best one; without a best one, those that may be meant. */
  rivals: Known[];
  /** The arguments the words give one of the rivals; by rules where absent. */
  fillOf?: (known: Known) => Filled;
  /** Log-odds that a tool serves the words, by the reader. */
  oddsOf?: (known: Known) => number;
}

/** What the request asks for, in order. Clauses that only add to the one before are joined to it. */
export function intentsOf(
  clauses: readonly Clause[],
  tools: readonly Known[],
  clock: Clock | undefined,
  rank?: Rank,
  earlier = '',
): Intent[] {
  const out: Intent[] = [];
  /** The request with more words; its tool stays, where it has one. */
  const joined = (before: Intent, text: string): Intent => {
    const next = intentOf(`${before.text}, ${text}`, tools, clock, rank);
    return next.best && (!before.best || next.best === before.best)
      ? next
      : { ...before, text: next.text };
  };
  let pending = '';
  for (const [i, clause] of clauses.entries()) {
    if (clause.negated) continue;
    const before = out.at(-1);
    const more = clauses.slice(i + 1).some((c) => !c.negated && askedActions(c.text).size > 0);
    const asks = askedActions(clause.text).size > 0 && !(isWish(clause.text) && more);
    if (!asks && before) {
      // A statement after a request only adds to it: "I prefer the window".
      out[out.length - 1] = joined(before, clause.text);
      continue;
    }
    const text = pending === '' ? clause.text : `${pending}, ${clause.text}`;
    if (!asks) {
      pending = text;
      continue;
    }
    pending = '';
    const context = POINTS_BACK.test(clause.text) ? (before?.text ?? earlier) : '';
    const intent = intentOf(text, tools, clock, rank, context);
    const acts = [...askedActions(clause.text)].some((a) => !isReading(a));
    const whole = before && joined(before, clause.text);
    if (whole && !intent.best && !acts) out[out.length - 1] = whole;
    else if (
      whole &&
      before?.best &&
      intent.best === before.best &&
      !startsAfresh(clause.text, before.best)
    ) {
      out[out.length - 1] = whole;
    } else out.push(intent);
  }
  if (out.length === 0 && pending !== '') {
    const context = POINTS_BACK.test(pending) ? earlier : '';
    out.push(intentOf(pending, tools, clock, rank, context));
  }
  return out;
}

const startsAfresh = (text: string, known: Known): boolean => {
  const asked = askedActions(text);
  return [...asked].some((a) => known.actions.has(a)) && !known.reads;
};

export function intentOf(
  text: string,
  tools: readonly Known[],
  clock: Clock | undefined,
  rank?: Rank,
  context = '',
): Intent {
  const fitting = chooseTools(tools, text, clock, rank, context).filter(
    (s) => s.support >= (s.known.reads ? FITS_READING : FITS),
  );
  const top = fitting[0];
  if (!top) return { text, rivals: [] };
  // Of tools about as good, the one that lacks least.
  const close = top.known.reads ? CLOSE_READING : CLOSE;
  const enough = (top.known.reads ? READY : READY_TO_ACT) * top.score;
  const lacks = (s: Scored): number =>
    s.filled.missing.filter((slot) => slot.kind !== 'ref').length;
  const able = fitting.filter((s) => s.score >= enough && s.known.reads === top.known.reads);
  const best = able.reduce((a, b) => (lacks(b) < lacks(a) ? b : a), top);
  const rivals = fitting
    .slice(0, 4)
    .filter((s) => s !== best && s.score >= close * best.score && lacks(s) <= lacks(best));
  return { text, best: best.known, filled: best.filled, rivals: rivals.map((r) => r.known) };
}

/** True where a call with these very arguments was made already. */
export function sameArguments(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((k) => Object.hasOwn(b, k) && JSON.stringify(a[k]) === JSON.stringify(b[k]))
  );
}
