import type { JsonValue } from '../../tools/tool';
import { choiceSynonyms } from './meanings';
import { freeText, type Scan, take } from './scan';
import type { Slot } from './slots';
import { almostSame, identifierWords, stem, wordsOf } from './words';

interface Hit {
  choice: JsonValue;
  start: number;
  end: number;
  weight: number;
}

const NOT =
  /\b(?:not|no|non|without|except|excluding|instead of|rather than|isn['’]?t)\s+(?:the\s+|a\s+|an\s+|any\s+)?$/i;
const SORTING =
  /\b(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?|by|first|top|cheapest|newest|latest|oldest|nearest|closest|best|fastest|lowest|highest|priciest|quickest|shortest|recent)\b/i;

/** The choices of an enum that the text names, best first; those it rules out are left out. */
export function choicesIn(scan: Scan, slot: Slot): Hit[] {
  const text = freeText(scan);
  const sorting = slot.words.some((w) => /^(?:sort|order|orderby|sortby)$/.test(w));
  if (sorting && !SORTING.test(text)) return [];
  const words = wordsOf(text);
  const hits: Hit[] = [];
  for (const choice of slot.choices) {
    const best = bestHit(choice, words, sorting && !/\bby\b/i.test(text));
    if (best && !NOT.test(text.slice(0, best.start))) hits.push(best);
  }
  return hits.sort((a, b) => b.weight - a.weight || a.start - b.start);
}

type Words = ReturnType<typeof wordsOf>;

function bestHit(choice: JsonValue, words: Words, superlativeOnly: boolean): Hit | undefined {
  if (typeof choice !== 'string' && typeof choice !== 'number') return undefined;
  const value = String(choice);
  const parts = identifierWords(value);
  if (parts.length === 0) return undefined;
  const exact = superlativeOnly && parts.length === 1 ? undefined : sequence(parts, words);
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
      return w.stem === stems[j] || almostSame(part, w.text);
    });
    const first = words[i];
    const last = words[i + parts.length - 1];
    if (fits && first && last) return { start: first.start, end: last.end };
  }
  return undefined;
}

/** One choice, taken out of the text; `undefined` when none or several are named. */
export function takeChoice(scan: Scan, slot: Slot): JsonValue | undefined {
  const [first] = choicesIn(scan, slot);
  if (!first) return undefined;
  take(scan, first.start, first.end);
  return first.choice;
}

export function takeChoices(scan: Scan, slot: Slot): JsonValue[] {
  const hits = choicesIn(scan, slot);
  for (const hit of hits) take(scan, hit.start, hit.end);
  return hits.sort((a, b) => a.start - b.start).map((h) => h.choice);
}
