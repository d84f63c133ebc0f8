import type { CompactTool } from '../../tools/tool';
import { type Action, actionsOf, isReading, sameThing } from './meanings';
import { type Slot, slotsOf } from './slots';
import { ASK_USER } from './turn';
import { almostSame, identifierWords, isStopWord, stem, type Word, wordsOf } from './words';

/** A tool with what choosing and filling need of it, worked out once per reply. */
export interface Known {
  tool: CompactTool;
  slots: Slot[];
  nameStems: string[];
  aboutStems: Set<string>;
  slotStems: Set<string>;
  choiceStems: Set<string>;
  /** What it does, by its name, else by the first word of its description. */
  actions: Set<Action>;
  reads: boolean;
}

export interface Scored {
  known: Known;
  /** For comparing tools: rare words weigh more. */
  score: number;
  /** How much of the tool the words name, whatever the other tools are. */
  support: number;
}

/** How well a tool's words fit a request, 0 to 1 each; tools left out score 0. The router's seam. */
export type Rank = (tools: readonly CompactTool[], query: string) => ReadonlyMap<string, number>;

export const knownOf = (tools: readonly CompactTool[]): Known[] =>
  tools.filter((t) => t.name !== ASK_USER && t.name !== 'tool_search').map(know);

function know(tool: CompactTool): Known {
  const slots = slotsOf(tool);
  const nameStems = identifierWords(tool.name).map(stem);
  const about = wordsOf(tool.description);
  const actions = new Set<Action>();
  const [verb, ...rest] = nameStems;
  for (const a of actionsOf(verb ?? '')) actions.add(a);
  if (actions.size === 0) for (const s of rest) for (const a of actionsOf(s)) actions.add(a);
  const first = about[0];
  if (first)
    for (const a of actionsOf(first.stem)) if (actions.size === 0 || !isReading(a)) actions.add(a);
  const choices = slots.flatMap((s) => s.choices.flatMap((c) => identifierWords(String(c))));
  const firstActions = [...actionsOf(verb ?? ''), ...(first ? actionsOf(first.stem) : [])];
  return {
    tool,
    slots,
    nameStems,
    aboutStems: new Set(about.filter((w) => !isStopWord(w.text)).map((w) => w.stem)),
    slotStems: new Set(slots.flatMap((s) => [...s.stems, ...s.aboutStems])),
    choiceStems: new Set(choices.map(stem)),
    actions,
    reads: firstActions.length === 0 ? false : firstActions.some(isReading),
  };
}

/** The actions the request names: those of its first verb, else none. */
export function askedActions(text: string): Set<Action> {
  if (isQuestion(text)) return new Set<Action>(['show', 'find', 'compare', 'open']);
  return new Set(verbOf(text)?.actions ?? []);
}

const isQuestion = (text: string): boolean =>
  /^(?:what|which|who|when|where|how|is|are|do|does|did|has|have|any|whats|what['’]s|am)\b/i.test(
    text,
  );

/** The verb a request begins with, two words where they are one verb: "check out". */
function verbOf(text: string): { words: Word[]; actions: ReadonlySet<Action> } | undefined {
  const words = wordsOf(text);
  for (const [i, w] of words.slice(0, 3).entries()) {
    const next = words[i + 1];
    const joined = next ? actionsOf(stem(w.text + next.text)) : new Set<Action>();
    if (next && joined.size > 0) return { words: [w, next], actions: joined };
    const actions = actionsOf(w.stem);
    if (actions.size > 0) return { words: [w], actions };
    if (!isStopWord(w.text)) return undefined;
  }
  return undefined;
}

/** What a verb tells by itself of the subject is little: "show" stands in many descriptions. */
const VERB_WEIGHT = 0.35;
/** What a search is worth that takes any words, for words that no tool knows. */
const SEARCH_ALL = 2.6;

/** Tools for one clause, best first. Scores near 0 mean nothing of the tool was asked for. */
export function chooseTools(tools: readonly Known[], text: string, rank?: Rank): Scored[] {
  const verb = verbOf(text);
  const words = contentOf(text, verb?.words ?? []);
  const asked = askedActions(text);
  const weight = weights(tools, words);
  const ranked = rank?.(
    tools.map((k) => k.tool),
    text,
  );
  const unknown = words.filter((w) => tools.every((k) => wordFit(k, w) === 0));
  const scored = tools.map((known) => {
    let score = 0;
    let support = 0;
    for (const w of words) {
      const fit = wordFit(known, w);
      score += (weight.get(w) ?? 0) * fit;
      support += fit;
    }
    for (const w of verb?.words ?? []) score += VERB_WEIGHT * wordFit(known, w);
    const searches = asked.has('find') || asked.has('show');
    if (unknown.length > 0 && searches && !isQuestion(text) && takesAnyWords(known)) {
      score += SEARCH_ALL;
      support += SEARCH_ALL;
    }
    score += 2 * (ranked?.get(known.tool.name) ?? 0);
    const does = actionFit(known, asked);
    return { known, score: score * does, support: support * does };
  });
  return scored.sort((a, b) => b.score - a.score);
}

/** The words of the subject; two that make one name ("check out") also as one. */
function contentOf(text: string, verb: readonly Word[]): Word[] {
  const words = wordsOf(text);
  const out = words.filter((w) => !isStopWord(w.text) && !verb.some((v) => v.start === w.start));
  for (const [i, w] of words.entries()) {
    const next = words[i + 1];
    if (!next || next.start - w.end > 1 || w.text.length + next.text.length > 24) continue;
    const joined = w.text + next.text;
    if (verb.length === 2 && verb[0]?.start === w.start)
      out.push({ ...w, text: joined, stem: stem(joined) });
  }
  return out;
}

/** A search by free words. */
const takesAnyWords = (known: Known): boolean =>
  known.reads &&
  known.actions.has('find') &&
  known.slots.some(
    (s) =>
      s.kind === 'text' &&
      s.words.some((w) => /^(?:query|q|search|keyword|keywords|term|terms|text|phrase)$/.test(w)),
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
  let best = 0;
  if (known.nameStems.some((n) => sameThing(n, s))) best = 1.4;
  else if (known.nameStems.some((n) => almostSame(n, s))) best = 1.5;
  if (known.choiceStems.has(s)) best = Math.max(best, 1.1);
  if (known.aboutStems.has(s)) best = Math.max(best, 1);
  if (known.slotStems.has(s)) best = Math.max(best, 0.7);
  if (best === 0 && [...known.aboutStems].some((n) => sameThing(n, s))) best = 0.6;
  if (best === 0 && [...known.slotStems].some((n) => sameThing(n, s))) best = 0.3;
  return best;
}

/** Doing is not showing: a tool that changes things is not what a question asks for. */
function actionFit(known: Known, asked: ReadonlySet<Action>): number {
  if (asked.size === 0 || known.actions.size === 0) return 1;
  for (const a of asked) if (known.actions.has(a)) return 1.6;
  const wantsReading = [...asked].some(isReading);
  if (wantsReading) return known.reads ? 1.2 : 0.35;
  return known.reads ? 0.4 : 0.35;
}
