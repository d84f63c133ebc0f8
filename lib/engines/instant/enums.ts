import type { JsonValue } from '../../tools/tool';
import { choiceSynonyms } from './meanings';
import { freeText, type Scan, take } from './scan';
import type { Slot } from './slots';
import { almostSame, identifierWords, sameRoot, stem, wordsOf } from './words';

interface Hit {
  choice: JsonValue;
  start: number;
  end: number;
  weight: number;
}

const NOT =
  /\b(?:not|no|non|without|except|excluding|instead of|rather than|isn['’]?t)\s+(?:the\s+|a\s+|an\s+|any\s+)?$/i;
const SORTING =
  /\b(?:most|popular|trending|sort(?:ed)?|order(?:ed)?|rank(?:ed)?|by|first|top|cheapest|newest|latest|oldest|nearest|closest|best|fastest|lowest|highest|priciest|quickest|shortest|recent)\b/i;

/** The choices of an enum that the text names, best first; those it rules out are left out. */
export function choicesIn(scan: Scan, slot: Slot): Hit[] {
  const text = freeText(scan);
  const sorting = slot.words.some((w) => /^(?:sort|order|orderby|sortby)$/.test(w));
  if (sorting && !SORTING.test(text)) return [];
  const words = wordsOf(text);
  const hits: Hit[] = [];
  const mine = slot.words.some((w) => /^(?:from|source|origin)$/.test(w))
    ? 'from'
    : slot.words.some((w) => /^(?:to|target|destination)$/.test(w))
      ? 'to'
      : undefined;
  for (const choice of slot.choices) {
    const best = bestHit(choice, words, sorting && !/\bby\b/i.test(text));
    if (!best || NOT.test(text.slice(0, best.start))) continue;
    const side = sideOf(text.slice(0, best.start));
    if (mine && side && side !== mine) continue;
    hits.push(mine && side === mine ? { ...best, weight: best.weight + 5 } : best);
  }
  return hits.sort((a, b) => b.weight - a.weight || a.start - b.start);
}

/** Of two arguments with the same choices, the one the preposition means. */
function sideOf(before: string): 'from' | 'to' | undefined {
  const lead = /\b(from|out of|to|into|onto)\s+(?:my\s+|the\s+|our\s+)?$/i.exec(before)?.[1];
  if (!lead) return undefined;
  return /^(?:from|out of)$/i.test(lead) ? 'from' : 'to';
}

type Words = ReturnType<typeof wordsOf>;

function bestHit(choice: JsonValue, words: Words, superlativeOnly: boolean): Hit | undefined {
  if (typeof choice !== 'string' && typeof choice !== 'number') return undefined;
  const value = String(choice);
  const parts = identifierWords(value);
  if (parts.length === 0) return undefined;
  const plain =
    superlativeOnly && parts.length === 1 && !/est$|popular|recent|trend|relevan/.test(value);
  const exact = plain ? undefined : sequence(parts, words);
  let best: Hit | undefined = exact && { choice, ...exact, weight: 10 + value.length };
  for (const synonym of choiceSynonyms(value)) {
    const at = sequence(identifierWords(synonym), words);
    if (at && (!best || best.weight < 5)) best = { choice, ...at, weight: 5 + synonym.length / 10 };
  }
  if (!best && parts.length === 2 && superlativeOnly) {
    // `price_asc` is also said "lowest price": each half may be said in its own words.
    const joint = parts.every((p) => words.some((w) => sameChoice(p, w.text)));
    const first = words.find((w) => parts.some((p) => sameChoice(p, w.text)));
    if (joint && first) best = { choice, start: first.start, end: first.end, weight: 4 };
  }
  return best;
}

const sameChoice = (a: string, b: string): boolean => a === b || choiceSynonyms(a).has(b);

function sequence(parts: string[], words: Words): { start: number; end: number } | undefined {
  const stems = parts.map(stem);
  for (let i = 0; i + parts.length <= words.length; i++) {
    const fits = parts.every((part, j) => {
      const w = words[i + j];
      if (!w) return false;
      if (w.text === part) return true;
      if (part.length < 3) return false;
      return w.stem === stems[j] || almostSame(part, w.text) || sameRoot(part, w.text);
    });
    const first = words[i];
    const last = words[i + parts.length - 1];
    if (first && !fits && parts.length === 1) {
      const end = joinedAt(parts[0] ?? '', words, i);
      if (end !== undefined) return { start: first.start, end };
    }
    if (fits && first && last) return { start: first.start, end: last.end };
  }
  return undefined;
}

/** "pick up" and "pick it up" say `pickup`. */
function joinedAt(part: string, words: Words, i: number): number | undefined {
  const [a, b, c] = [words[i], words[i + 1], words[i + 2]];
  if (!a || !b || part.length < 5) return undefined;
  if (a.text + b.text === part) return b.end;
  const pronoun = /^(?:it|them|this|that)$/.test(b.text);
  return pronoun && c && a.text + c.text === part ? c.end : undefined;
}

/** One choice, taken out of the text; `undefined` when none or several are named. */
export function takeChoice(
  scan: Scan,
  slot: Slot,
): { choice: JsonValue; evidence: number } | undefined {
  const [first] = choicesIn(scan, slot);
  if (!first) return undefined;
  takeHit(scan, slot, first);
  return { choice: first.choice, evidence: evidenceOf(first) };
}

/** A rare word of the page's own says most. */
const evidenceOf = (hit: Hit): number =>
  hit.weight < 10 ? 0.8 : String(hit.choice).length >= 6 ? 1.2 : 1;

const KIND =
  /^(?:category|section|folder|column|list|board|room|class|mode|type|kind|priority|size|view|lane|account|card|method|delivery|level|people|door|scene|camera)$/;
const BEFORE = /(?:\b(?:in|to|into|at|from|for|with|as|by|of)\s+)?(?:\b(?:the|my|a|an|our)\s+)?$/i;

/** Takes a choice with the words around it that only carry it: "in the … section", "with … priority". */
function takeHit(scan: Scan, slot: Slot, hit: Hit): void {
  const before = BEFORE.exec(scan.text.slice(0, hit.start));
  const after = /^\s+([\p{L}]+)/u.exec(scan.text.slice(hit.end));
  const kind = (after?.[1] ?? '').toLowerCase();
  const swallow = after !== null && (KIND.test(kind) || slot.words.includes(kind));
  take(scan, hit.start, swallow ? hit.end + after[0].length : hit.end);
  if (before && before[0] !== '') take(scan, before.index, hit.start);
}

export function takeChoices(scan: Scan, slot: Slot): JsonValue[] {
  const hits = choicesIn(scan, slot);
  for (const hit of hits) takeHit(scan, slot, hit);
  return hits.sort((a, b) => a.start - b.start).map((h) => h.choice);
}

/** Choices that the text names in their own words, taken out of it; those it rules out are left out. */
export function takeExactChoices(scan: Scan, slot: Slot): JsonValue[] {
  const hits = choicesIn(scan, slot).filter((h) => h.weight >= 10 && String(h.choice).length > 2);
  const taken = slot.many ? hits : hits.slice(0, 1);
  for (const hit of taken) takeHit(scan, slot, hit);
  return taken.sort((a, b) => a.start - b.start).map((h) => h.choice);
}
