import { sameThing } from './meanings';
import { type NumberFound, numbersIn } from './numbers';
import { type Scan, take } from './scan';
import type { Slot } from './slots';

const UPPER =
  /^(?:max|maximum|upto|below|under|to|until|budget|ceiling|most|high|upper|limit|lte)$/;
const LOWER = /^(?:min|minimum|atleast|above|over|from|least|low|lower|gte)$/;
const COUNT =
  /^(?:limit|qty|quantity|quantities|count|number|num|amount|copies|units|items|people|guests|size|adults|seats|tickets|pax|servings|portions|nights)$/;
/** Counts of the very thing the sentence names: "a mug" is one mug, "a table" is not one guest. */
const QUANTITY = /^(?:qty|quantity|count|copies|units)$/;
const MONEY =
  /\b(?:price|cost|amount|budget|fare|usd|eur|gbp|dollars?|euros?|pounds?|money|sum|total|\$|€|£)|[$€£]/;
const PERCENT = /percent|%|brightness|volume|level|humidity|0\s?(?:-|–|to)\s?100/;

const ZERO_REMOVES = /\b0 (?:to )?(?:removes?|deletes?|clears?|takes? (?:it )?out)\b/;

/** A tool that says "0 removes it" removes with 0. */
export function zeroRemoves(tool: string, slots: readonly Slot[]): Slot | undefined {
  const counts = slots.filter((s) => s.kind === 'number' && s.words.some((w) => COUNT.test(w)));
  return counts.find((s) => ZERO_REMOVES.test(s.about) || ZERO_REMOVES.test(tool.toLowerCase()));
}

/** Gives each free number to the argument it fits best; a number that fits none stays in the text. */
export function assignNumbers(
  scan: Scan,
  slots: readonly Slot[],
  give: (slot: Slot, value: number, evidence: number) => void,
  /** What else speaks for giving a number to an argument, on the scale of `fitOf`. */
  hint: (slot: Slot, n: NumberFound) => number = () => 0,
): void {
  const numbers = numbersIn(scan);
  const pairs: { slot: Slot; n: NumberFound; score: number }[] = [];
  for (const n of numbers) {
    for (const slot of slots) {
      const fit = fitOf(
        slot,
        n,
        slots.length === 1,
        numbers.filter((x) => !x.article).length === 1,
      );
      const score = fit + hint(slot, n);
      if (score >= 2) pairs.push({ slot, n, score });
    }
  }
  pairs.sort((a, b) => b.score - a.score || a.n.start - b.n.start);
  const done = new Set<Slot | NumberFound>();
  for (const { slot, n, score } of pairs) {
    if (done.has(slot) || done.has(n)) continue;
    done.add(slot);
    done.add(n);
    give(slot, n.value, score >= 4 ? 0.7 : 0.2);
    takeNumber(scan, n, slot);
  }
}

const isUpper = (slot: Slot): boolean =>
  slot.words.some((w) => UPPER.test(w)) ||
  /\b(?:at most|maximum|upper|up to|no more than|highest)\b/.test(slot.about);
const isLower = (slot: Slot): boolean =>
  slot.words.some((w) => LOWER.test(w)) ||
  /\b(?:at least|minimum|lower bound|lowest)\b/.test(slot.about);

function fitOf(slot: Slot, n: NumberFound, onlySlot: boolean, onlyNumber: boolean): number {
  if (slot.integer && !Number.isInteger(n.value)) return 0;
  const upper = isUpper(slot);
  const lower = isLower(slot);
  const counts = slot.words.some((w) => COUNT.test(w));
  const money = MONEY.test(slot.words.join(' ')) || MONEY.test(slot.about);
  let score = 0;
  if (n.unit && names(slot, n.unit)) score += 4;
  else if (n.unit && slot.aboutStems.has(n.unit)) score += 2.5;
  if (n.before.some((s) => slot.stems.includes(s))) score += 4;
  else if (n.before.some((s) => slot.stems.some((x) => sameThing(x, s)))) score += 2;
  if (n.bound === 'max') score += upper && !lower ? 3 : lower && !upper ? -9 : -1;
  else if (n.bound === 'min') score += lower && !upper ? 3 : upper && !lower ? -9 : -1;
  else if (upper !== lower) score -= 0.5;
  if (n.money) score += money ? 3 : -6;
  else if (money && n.bound) score += 2;
  const hundred = slot.minimum === 0 && slot.maximum === 100;
  if (n.percent) {
    score += hundred || PERCENT.test(`${slot.name.toLowerCase()} ${slot.about}`) ? 3 : -3;
  }
  if (counts && !n.money && !n.bound) score += n.unit ? 2 : 1.5;
  if (slot.required) score += 1;
  if (onlySlot && (onlyNumber || n.article)) score += n.article ? 0 : 1.5;
  if (n.article) score -= slot.required && slot.words.some((w) => QUANTITY.test(w)) ? 1 : 9;
  if (slot.minimum !== undefined && n.value < slot.minimum) score -= 1;
  if (slot.maximum !== undefined && n.value > slot.maximum) score -= 1;
  return score;
}

const names = (slot: Slot, unit: string): boolean =>
  slot.stems.some(
    (s) => s === unit || sameThing(s, unit) || (s.length === 1 && unit.startsWith(s)),
  );

const BOUND_BEFORE =
  /\b(?:(?:for |costs? |(?:that|which) (?:is|are|costs?|takes?|lasts?) |priced |costing |taking |with a )?(?:under|below|less than|lower than|up to|at most|no more than|not more than|cheaper than|max(?:imum)?(?: of)?|fewer than|over|above|more than|at least|no less than|min(?:imum)?(?: of)?|from|between|and|to|within|a budget of|budget of)|for|at|by|of)\s*(?:about\s*|around\s*)?$/i;

function takeNumber(scan: Scan, n: NumberFound, slot: Slot): void {
  const before = BOUND_BEFORE.exec(scan.text.slice(0, n.start));
  const start = before && (n.bound || /for|at|by|of|to/i.test(before[0])) ? before.index : n.start;
  let end = n.end;
  const unit = /^[\s-]*(?:of\s+)?([\p{L}°]+)/u.exec(scan.text.slice(n.end));
  if (
    unit &&
    n.unit &&
    (names(slot, n.unit) || /^(?:percent|degrees?|stars?|times|x)$/i.test(unit[1] ?? ''))
  )
    end += unit[0].length;
  const tail =
    /^\s*(?:or less|or under|or more|or fewer|or cheaper|max\b|at most|each\b|times\b|x\b|%)/i.exec(
      scan.text.slice(end),
    );
  if (tail) end += tail[0].length;
  take(scan, start, end);
}
