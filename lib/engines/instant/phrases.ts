import type { Known } from './known';
import { actionsOf, sameThing } from './meanings';
import { isFree, type Scan } from './scan';
import type { Slot } from './slots';
import { isStopWord, type Word, wordsOf } from './words';

/** A stretch of words that no rule has used, with the preposition in front of it. */
export interface Phrase {
  lead: string;
  text: string;
  start: number;
  end: number;
}

const LEADS = new Set(
  'from to in into at near for with by about regarding on onto under of called named titled labelled labeled as without because around via using except excluding towards toward between concerning inside that'.split(
    ' ',
  ),
);
/** Leads that join names more often than they part arguments: "glass of milk". */
const GLUE = new Set(['of', 'as', 'by', 'that', 'on', 'with']);

/** Phrases of a request: its object first (lead `''`), then one per preposition. */
export function phrasesOf(scan: Scan, slots: readonly Slot[]): Phrase[] {
  const words = wordsOf(scan.text);
  const out: Phrase[] = [];
  let current: Phrase | undefined;
  let lead = '';
  let began = false;
  for (const w of words) {
    if (!isFree(scan, w.start, w.end)) {
      current = undefined;
      continue;
    }
    if (!began && (actionsOf(w.stem).size > 0 || isStopWord(w.text))) {
      // The verb and what stands before it belong to no argument.
      if (!LEADS.has(w.text) || w.text === 'that') {
        if (actionsOf(w.stem).size > 0) began = true;
        continue;
      }
    }
    began = true;
    const parts =
      LEADS.has(w.text) && !(GLUE.has(w.text) && !slots.some((s) => leadsOf(s).includes(w.text)));
    if (parts) {
      lead = w.text;
      current = undefined;
      continue;
    }
    const gap = current ? scan.text.slice(current.end, w.start) : '';
    if ((current && !/[,;:](?!\d)/.test(gap)) || (current && /^,\s*$/.test(gap))) {
      current.end = w.end;
    } else {
      current = { lead, text: '', start: w.start, end: w.end };
      out.push(current);
      lead = '';
    }
  }
  for (const p of out) p.text = scan.text.slice(p.start, p.end);
  return out;
}

const ROLES: [RegExp, string][] = [
  [/^(?:from|origin|source|departure|depart|sender)$/, 'from'],
  [
    /^(?:to|destination|dest|target|recipient|recipients|payee|beneficiary|arrival|assignee)$/,
    'to into towards for',
  ],
  [
    /^(?:folder|list|column|board|project|category|section|label|tag|channel|forum|album|playlist|lane)$/,
    'to into in on onto from under',
  ],
  [/^(?:room|device|zone|area)$/, 'in for of on at'],
  [
    /^(?:city|location|place|near|where|address|town|country|region|venue|around|station|neighborhood|neighbourhood)$/,
    'in at near around of to',
  ],
  [/^(?:subject|topic|about)$/, 'about regarding concerning titled called'],
  [/^(?:name|title|label)$/, 'called named titled labelled labeled as for'],
  [
    /^(?:person|patient|guest|passenger|doctor|attendee|contact|user|author|provider|specialist|friend|customer|assignee|artist)$/,
    'for with by to from',
  ],
  [/^(?:reason|purpose|symptom|symptoms|why)$/, 'because about for with'],
  [/^(?:exclude|without|avoid|excluding|except|excluded|allergens?)$/, 'without except excluding'],
  [/^(?:ingredient|ingredients|include|including)$/, 'with using from'],
  [
    /^(?:query|q|search|keyword|keywords|term|terms|what|dish|thing)$/,
    'for about with on by called named at',
  ],
];

/** Prepositions that introduce an argument of that name. */
export function leadsOf(slot: Slot): string[] {
  const out: string[] = [];
  for (const [pattern, leads] of ROLES)
    if (slot.words.some((w) => pattern.test(w))) out.push(...leads.split(' '));
  return out;
}

/** Words that say where in a list a thing stands; no thing is called so. */
export const POSITION =
  /\b(?:the\s+)?(?:first|second|third|fourth|fifth|last|next|cheapest|most expensive|newest|latest|earliest|nearest|closest|best|top|other|same)(?:\s+ones?)?\b/gi;

const PRONOUN = /^(?:it|them|that|this|those|these|one|ones)$/;
const ARTICLE =
  /^(?:the|a|an|my|our|some|any|that|this|those|these|me|us|all|every|new|please|for|your|another|one)$/;

/**
 * A phrase without articles and without the tool's own words at its ends: of "the mugs from your
 * catalogue", a search of the catalogue needs "mugs". `''` when nothing else is in it.
 */
export function bareText(
  phrase: string,
  known: Known,
  keep: ReadonlySet<string> = new Set(),
): string {
  const words = wordsOf(phrase);
  let from = 0;
  let to = words.length;
  const own = (w: Word): boolean =>
    !keep.has(w.stem) &&
    (known.nameStems.some((n) => n === w.stem || n === `un${w.stem}` || sameThing(n, w.stem)) ||
      isFiller(w));
  const isArticle = (w: Word): boolean => ARTICLE.test(w.text);
  const skips = (w: Word | undefined): boolean =>
    w !== undefined &&
    (own(w) || (isArticle(w) && !isName(phrase, w)) || (from > 0 && LEADS.has(w.text)));
  while (from < to && skips(words[from])) from++;
  while (
    to > from &&
    words[to - 1] &&
    (own(words[to - 1] as Word) || isTrailing(words[to - 1] as Word))
  )
    to--;
  const rest = words.slice(from, to);
  if (rest.every((w) => PRONOUN.test(w.text))) return '';
  const first = words[from];
  const last = words[to - 1];
  return first && last && from < to ? phrase.slice(first.start, last.end) : '';
}

/** "New" in "New York" belongs to the name. */
const isName = (phrase: string, w: Word): boolean => w.text === 'new' && phrase[w.start] === 'N';

const PERSON =
  /^(?:artist|person|payee|doctor|assignee|author|user|guest|recipient|contact|patient|passenger|friend|beneficiary)$/;
const OF_PERSON =
  /\b(?:full name|name of the (?:recipient|guest|person|customer|owner|passenger|patient)|your name)\b/;
const PROPER = /\p{Lu}[\p{L}\p{N}.'’-]*(?:\s+\p{Lu}[\p{L}\p{N}.'’-]*)*/gu;

/** For an argument that takes a name: the name in the phrase, where there is exactly one. */
export function nameIn(slot: Slot, text: string): string {
  if (!slot.words.some((w) => PERSON.test(w)) && !OF_PERSON.test(slot.about)) return text;
  const names = [...text.matchAll(PROPER)].map((m) => m[0]);
  return names.length === 1 && names[0] !== undefined && names[0].length > 1 ? names[0] : text;
}

const isFiller = (w: Word): boolean =>
  /^(?:stuff|things?|something|anything|ones?|options?|results?|available|info|information|details?)$/.test(
    w.text,
  );
const isTrailing = (w: Word): boolean =>
  isStopWord(w.text) && !/^(?:up|off|out|it|me|you|us|them|one)$/.test(w.text);
