import type { Give } from './fill';
import type { Known } from './known';
import { bareText, leadsOf, nameIn, type Phrase, POSITION, phrasesOf } from './phrases';
import { freeText, type Scan } from './scan';
import type { Slot } from './slots';

const MAIN =
  /^(?:query|q|search|keyword|keywords|term|terms|title|name|item|task|product|text|message|body|content|note|what|question|summary|subject|description|topic|dish|phrase)$/;

/**
 * Gives what is left of the words to free-text arguments: by preposition ("from Oslo"), by name
 * ("note window seat"), and the object of the sentence to the one that takes it. Returns the words
 * that describe the thing meant.
 */
export function assignPhrases(
  scan: Scan,
  known: Known,
  slots: readonly Slot[],
  give: Give,
): string {
  const open = new Set(
    slots.filter((s) => s.kind === 'text' || s.kind === 'body' || s.kind === 'list'),
  );
  const refs = slots.filter((s) => s.kind === 'ref');
  const phrases = phrasesOf(scan, [...open]);
  const used = new Set<Phrase>();
  const put: Put = (slot, text, evidence, ...from) => {
    const clean = nameIn(slot, text.trim());
    if (clean === '') return;
    give(slot, slot.kind === 'list' ? listed(clean) : clean, evidence);
    open.delete(slot);
    for (const p of from) used.add(p);
  };
  byName(scan, phrases, open, put, known);
  byLead(phrases, open, used, put, known);
  const rest = phrases.filter((p) => !used.has(p));
  const object = objectOf(rest, scan, known);
  const named = !/\b(?:my|our|the|a|an|this|that)\s+$/i.test(
    scan.text.slice(0, rest[0]?.start ?? 0),
  );
  const other = named && known.slots.some((s) => s.words.some((w) => ENDS.test(w)) && !open.has(s));
  const main = listSlot(open, object) ?? mainSlot(open, refs, other);
  if (main && object !== '') {
    const whole =
      main.kind === 'body'
        ? wholeOf(rest, scan, known)
        : main.words.some((w) => LOOKS.test(w))
          ? plainOf(object)
          : object;
    put(main, whole, main.required ? 0.2 : 0, ...rest);
    return object;
  }
  return object;
}

const listed = (text: string): string[] =>
  text
    .split(/\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*/i)
    .map((s) => s.replace(/^(?:the|a|an|some)\s+/i, '').trim())
    .filter((s) => s !== '');

type Put = (slot: Slot, text: string, evidence: number, ...from: Phrase[]) => void;

function byName(scan: Scan, phrases: Phrase[], open: Set<Slot>, put: Put, known: Known): void {
  for (const slot of [...open]) {
    const name = slot.words.join(' ');
    if (name.length < 3 || known.nameStems.some((s) => slot.stems.includes(s))) continue;
    for (const p of phrases) {
      const at = p.text.toLowerCase().indexOf(`${name} `);
      if (at < 0 || (at > 0 && /[\p{L}\p{N}]/u.test(p.text[at - 1] ?? ''))) continue;
      const value = p.text.slice(at + name.length + 1);
      if (/^(?:in|at|of|for|on|and|to)\b/i.test(value)) continue;
      put(slot, value, 0.4);
      for (let i = p.start + at; i < p.end; i++) scan.used[i] = true;
      p.text = p.text.slice(0, at).trim();
      p.end = p.start + at;
      break;
    }
  }
}

function byLead(
  phrases: Phrase[],
  open: Set<Slot>,
  used: Set<Phrase>,
  put: Put,
  known: Known,
): void {
  const pairs: { slot: Slot; phrase: Phrase; rank: number }[] = [];
  for (const slot of open) {
    const leads = leadsOf(slot);
    for (const phrase of phrases) {
      const rank = leads.indexOf(phrase.lead);
      if (rank >= 0 && phrase.lead !== '')
        pairs.push({ slot, phrase, rank: rank - (slot.required ? 0.5 : 0) });
    }
  }
  pairs.sort((a, b) => a.rank - b.rank);
  for (const { slot, phrase } of pairs) {
    if (!open.has(slot) || used.has(phrase)) continue;
    // A list of arguments goes on after a comma; a query or a list of things may hold one.
    const one = MAIN.test(slot.name) || slot.kind !== 'text' ? phrase.text : upToComma(phrase.text);
    const text = bareText(one, known);
    if (text !== '') put(slot, text, slot.required ? 0.3 : 0.2, phrase);
  }
}

const upToComma = (text: string): string => /^[^,;]*/.exec(text)?.[0].trim() ?? text;

const LOOKS = /^(?:query|q|search|keywords?|terms?|what)$/;
/** "Cheapest boots" are found among boots. */
const plainOf = (text: string): string => text.replace(POSITION, ' ').replace(/\s+/g, ' ').trim();

/** The object of the sentence with the phrases that hang on it, without the tool's own words. */
function objectOf(rest: Phrase[], scan: Scan, known: Known): string {
  const parts: { text: string; lead: string; start: number; end: number }[] = [];
  for (const p of rest) {
    const text = bareText(p.text, known);
    if (text === '') continue;
    parts.push({ text, lead: p.lead, start: p.start, end: p.end });
  }
  const [first, ...others] = parts;
  if (!first) return '';
  let out = first.text;
  let end = first.end;
  for (const p of others) {
    const gap = freeText(scan).slice(end, p.start);
    if (gap.trim() === '' && p.lead === '') break;
    out += p.lead === '' ? `, ${p.text}` : ` ${p.lead} ${p.text}`;
    end = p.end;
  }
  return out;
}

/** For a message or a note, all the words that are left, as they stand. */
function wholeOf(rest: Phrase[], scan: Scan, known: Known): string {
  const [first] = rest;
  const last = rest.at(-1);
  if (!first || !last) return '';
  const text = freeText(scan).slice(first.start, last.end).replace(/\s+/g, ' ');
  return bareText(text, known) === '' ? '' : text.trim();
}

/** Several things go to an argument that takes several, unless a required one waits for them. */
function listSlot(open: Set<Slot>, object: string): Slot | undefined {
  if (!/,|\sand\s/.test(object) || [...open].some((s) => s.required && s.kind !== 'list'))
    return undefined;
  const lists = [...open].filter(
    (s) => s.kind === 'list' && !s.words.some((w) => EXCLUDES.test(w)),
  );
  return lists.length === 1 ? lists[0] : undefined;
}
const EXCLUDES = /^(?:exclude|without|avoid|excluding|except|excluded|allergens?|not)$/;

/** The ends of a way are said with a preposition, but for "Oslo to Rome". */
const ENDS = /^(?:from|origin|source|departure|destination|dest)$/;

function mainSlot(open: Set<Slot>, refs: Slot[], other: boolean): Slot | undefined {
  const all = [...open];
  const required = all.filter((s) => s.required);
  // Where a key of the page is needed, the words are about that thing.
  if (refs.some((r) => r.required) && required.length === 0) return undefined;
  const named = (list: Slot[]) =>
    list.find((s) => MAIN.test(s.words.at(-1) ?? '') || MAIN.test(s.words[0] ?? ''));
  if (refs.some((r) => r.required)) return undefined;
  return (
    named(required) ??
    (required.length === 1 && (other || !required[0]?.words.some((w) => ENDS.test(w)))
      ? required[0]
      : undefined) ??
    named(all) ??
    undefined
  );
}
