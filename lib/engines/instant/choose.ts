import type { CompactTool } from '../../tools/tool';
import { askOf, isStatement } from './asks';
import type { Clock } from './dates';
import { type Filled, fill } from './fill';
import type { Known } from './known';
import { type Action, isNear, isReading, sameThing } from './meanings';
import { almostSame, isStopWord, stem, type Word, wordsOf } from './words';

export interface Scored {
  known: Known;
  filled: Filled;
  /** For comparing tools: rare words weigh more. */
  score: number;
  /** How much of the tool the words name, whatever the other tools are. */
  support: number;
}

/** How well a tool's words fit a request, 0 to 1 each; tools left out score 0. The router's seam. */
export type Rank = (tools: readonly CompactTool[], query: string) => ReadonlyMap<string, number>;

/** What a verb tells by itself of the subject is little: "show" stands in many descriptions. */
const VERB_WEIGHT = 0.35;
/** What it speaks for a tool that it changes things in the way that was asked. */
const SAME_DEED = 0.3;
const ONLY_VERB = 1;
const COMPLETE = 0.5;
/** A verb of its own in a tool's name ("forward", "freeze") says more than "get" or "set". */
const EXACT_VERB = 1.5;
/** Of a word from the request before, where this one points back to it. */
const CONTEXT = 0.6;
/** "my appointments" asks for what a page calls `my_…`. */
const OWN = 1.5;
/** Of the router's own ranking, beside the words, the deed and the arguments. */
const ROUTER_WEIGHT = 3;
/** What a search is worth that takes any words, for words that no tool knows. */
const SEARCH_ALL = 1.2;
const COMMON_VERB =
  /^(?:find|search|show|list|view|get|set|add|creat|mak|do|updat|chang|need|giv|tak)$/;

/** Tools for one clause, best first. Support near 0 means nothing of the tool was asked for. */
export function chooseTools(
  tools: readonly Known[],
  text: string,
  clock: Clock | undefined,
  rank?: Rank,
  context = '',
): Scored[] {
  const { verb, actions: asked, question } = askOf(text);
  const words = contentOf(text, verb);
  const around = contentOf(context, []).filter((w) => !words.some((x) => x.stem === w.stem));
  const weight = weights(tools, words);
  const ranked = rank?.(
    tools.map((k) => k.tool),
    text,
  );
  const unknown = words.filter(
    (w) => !/\d/.test(w.text) && tools.every((k) => wordFit(k, w) === 0),
  );
  const searches = question
    ? SEARCHING_QUESTION.test(text)
    : asked.has('find') ||
      (asked.has('show') && !asked.has('open')) ||
      (asked.size === 0 && !isStatement(text) && wordsOf(text).length <= FRAGMENT_WORDS);
  const fragment = asked.size === 0 && !question && !isStatement(text);
  const canSearch = tools.some(takesAnyWords);
  const owned = /\b(?:my|mine|our|do i have|i have|have i|am i)\b/i.test(text);
  const scored = tools.map((known) => {
    const filled = fill(known, text, clock);
    let score = 0;
    let support = 0;
    for (const w of words) {
      const fit = wordFit(known, w);
      score += (weight.get(w) ?? 0) * fit;
      support += fit;
    }
    for (const w of around) {
      score += CONTEXT * wordFit(known, w);
      support += CONTEXT * wordFit(known, w);
    }
    for (const w of verb) {
      const common = COMMON_VERB.test(w.stem);
      score += VERB_WEIGHT * wordFit(known, w);
      if (!common) support += VERB_WEIGHT * wordFit(known, w);
      const place = known.nameStems.indexOf(w.stem);
      if (!common && (place === 0 || (place > 0 && !known.reads))) {
        score += EXACT_VERB;
        support += EXACT_VERB;
      }
    }
    if (owned && known.reads && known.nameStems[0] === 'my') {
      score += OWN;
      support += OWN;
    }
    if (owned && isOwnList(known) && words.some((w) => known.nameStems.includes(w.stem))) {
      score += OWN / 2;
    }
    if (unknown.length > 0 && searches && takesAnyWords(known)) {
      score += SEARCH_ALL;
      support += SEARCH_ALL;
    }
    score += ROUTER_WEIGHT * (ranked?.get(known.tool.name) ?? 0);
    let does = actionFit(known, asked, verb);
    // A few words without a verb ask to see something rather than to change it.
    if (fragment && !known.reads && canSearch) does *= 0.6;
    if (does > 1.5 && !known.reads) support += SAME_DEED;
    if (isComplete(filled)) support += COMPLETE;
    // One word that is the whole request: "checkout".
    if (does > 1.5 && words.length === 0) {
      score += ONLY_VERB;
      support += ONLY_VERB;
    }
    // Values prove nothing for a tool that does another thing than was asked.
    const evidence = does < 0.5 && known.reads ? 0.3 * filled.evidence : filled.evidence;
    score = (score * does + evidence) * fillFit(known, filled);
    return { known, filled, score, support: support * does + evidence };
  });
  return scored.sort((a, b) => b.score - a.score);
}

/** All of several required arguments are given, and in words that fit them. */
const isComplete = ({ values, missing, evidence }: Filled): boolean =>
  missing.length === 0 &&
  evidence >= 0.8 &&
  [...values.keys()].filter((s) => s.required).length > 1;

/** A list without conditions: what a person calls theirs. */
const isOwnList = (known: Known): boolean =>
  known.reads && known.nameStems[0] === 'list' && known.slots.every((s) => !s.required);

/** A tool whose required arguments the words give is likelier than one that leaves words unused. */
function fillFit(known: Known, filled: Filled): number {
  const lacking = filled.missing.filter((s) => s.kind !== 'ref').length;
  const unused = filled.phrase !== '' && known.slots.length === 0 ? 1 : 0;
  return 1 + 0.04 * Math.min(filled.values.size, 4) - 0.15 * lacking - 0.1 * unused;
}

const SEARCHING_QUESTION =
  /^(?:where (?:is|are|can)|(?:what (?:else )?|which \w+ )?do you (?:have|sell|stock|carry|offer)|what have you got|(?:is|are) there|any|have you got|got any|what can i|can i (?:find|get|buy)|how much (?:is|are|does|do|for|would)|what(?:['’]?s| is| are) the (?:price|cost))\b/i;
/** A few words without a verb are looked for: "cheapest boots?". */
const FRAGMENT_WORDS = 12;

/** The words of the subject; two that make one name ("check out") also as one. */
function contentOf(text: string, verb: readonly Word[]): Word[] {
  const words = wordsOf(text);
  const out = words.filter((w) => !isStopWord(w.text) && !verb.some((v) => v.start === w.start));
  for (const [i, w] of words.entries()) {
    const next = words[i + 1];
    if (!next || next.start - w.end > 1 || w.text.length + next.text.length > 24) continue;
    const joined = w.text + next.text;
    if (verb.length === 2 && verb[0]?.start === w.start) {
      out.push({ ...w, text: joined, stem: stem(joined) });
    }
    // "stop following" is what a page calls "unfollow".
    if (/^(?:stop|quit|cease|longer)$/.test(w.text) && next.text.endsWith('ing')) {
      out.push({ ...next, text: `un${next.text}`, stem: stem(`un${next.text}`) });
    }
  }
  return out;
}

const SEARCH_SLOT =
  /^(?:query|q|search|keywords?|terms?|text|phrase|what|dish|search_?term|search_?query)$/i;
const SEARCH_ABOUT =
  /\b(?:words? to (?:look|search) for|key ?words?|what to (?:look|search) for|kind of (?:place|thing)|search (?:term|text|words))\b/;

/** A search by free words. */
const takesAnyWords = (known: Known): boolean =>
  known.reads &&
  known.actions.has('find') &&
  known.slots.some(
    (s) => s.kind === 'text' && (SEARCH_SLOT.test(s.name) || SEARCH_ABOUT.test(s.about)),
  );

/** Words that few tools know tell more than words that all of them know. */
function weights(tools: readonly Known[], words: readonly Word[]): Map<Word, number> {
  const out = new Map<Word, number>();
  for (const w of words) {
    const n = tools.filter((k) => wordFit(k, w) > 0).length;
    out.set(w, Math.log(1 + (tools.length + 1) / (n + 0.5)));
  }
  return out;
}

function wordFit(known: Known, word: Word): number {
  const s = word.stem;
  if (known.nameStems.includes(s)) return 2;
  if (s.startsWith('un') && s.length > 5 && known.nameStems.includes(s.slice(2))) return 1.6;
  let best = 0;
  if (known.nameStems.some((n) => sameThing(n, s))) best = 1.4;
  else if (known.nameStems.some((n) => almostSame(n, s))) best = 1.5;
  if (known.choiceStems.has(s)) best = Math.max(best, 0.5);
  if (known.aboutStems.has(s)) best = Math.max(best, 1);
  if (known.slotStems.has(s)) best = Math.max(best, 0.7);
  if (best === 0 && [...known.aboutStems].some((n) => sameThing(n, s))) best = 0.6;
  if (best === 0 && [...known.slotStems].some((n) => sameThing(n, s))) best = 0.3;
  return best;
}

/** Doing is not showing: a tool that changes things is not what a question asks for. */
function actionFit(known: Known, asked: ReadonlySet<Action>, verb: readonly Word[]): number {
  if (asked.size === 0) return 1;
  if (known.actions.size === 0) return known.reads || ![...asked].some(isReading) ? 1 : 0.5;
  for (const a of asked) if (known.actions.has(a)) return 1.6;
  if ([...asked].some((a) => [...known.actions].some((b) => isNear(a, b)))) return 1.2;
  // "… 0 removes it": the description says that it does this too.
  if (!known.reads && verb.some((w) => known.aboutStems.has(w.stem))) return 1.2;
  const wantsReading = [...asked].some(isReading);
  if (wantsReading) return known.reads ? 1.2 : 0.35;
  return known.reads ? 0.4 : 0.35;
}
