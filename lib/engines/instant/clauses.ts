import { actionsOf, meantVerb } from './meanings';
import { quotedSpans } from './scan';
import { wordsOf } from './words';

/** One thing that a request asks for. */
export interface Clause {
  text: string;
  /** "don't book it yet": something not to do. */
  negated: boolean;
}

const JOINT =
  /(?:,|;|\.(?=\s)|!|\?)?\s+(?:and then|and after that|after that|afterwards|then also|and also|then|and|but|plus)\s+|[;.!?]\s+|,\s+|\n+/gi;
const NEGATED =
  /^(?:but |and |please |so |just )*(?:do not|don['’]?t|dont|never|no need to|you (?:must|should) ?n[o']t|without (?=\w+ing\b)|not to|i don['’]?t want (?:you )?to|avoid (?=\w+ing\b))/i;
const LEAD =
  /^(?:please|always|pls|plz|kindly|also|then|just|now|ok(?:ay)?|so|hey|hi|hello|could you|can you|would you|will you|can i|could i|may i|i(?:['’]d| would) like (?:you )?to|i(?:['’]d| would) like|i(?:['’]d| would) rather|i want (?:you )?to|i wanna|i need (?:you )?to|let['’]?s|let us|help me(?: to)?|go ahead and|try to|make sure to|remember to|we need to|we want to|i have to|i['’]?m (?:trying|looking) to|thanks|thank you)[,!]?\s+/i;

const IDIOMS: [RegExp, string][] = [
  [
    /\b(?:check|see|find out|look) (?:whether|if) (?:there(?: is|['’]s| are)|you have) (?:any )?/gi,
    'find ',
  ],
  [/\b(?:take|bring|guide|lead) me (?=from\b|to\b|home\b)/gi, 'show the route '],
  [/^what(?:['’]?s| is) on (?=tonight|tomorrow|today|this|next|on|in|at)/gi, 'show events '],
  [
    /\bmake (?:it|that|this|them) (?=\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|a dozen)\b)/gi,
    'change it to ',
  ],
  [/\bgive (?=[^.,]{1,60}\baccess\b)/gi, 'share with '],
  [/\blet me know (?:when|if|once|as soon as)\b/gi, 'notify me when'],
  [/\bkeep me (?:posted|updated|informed) (?:on|about)\b/gi, 'follow'],
  [/\b(?:get rid of|throw out)\b/gi, 'remove'],
  [/\btake (?=[^.,]{1,60}\b(?:out of|off)\b)/gi, 'remove '],
];

/** Sayings whose verb is not what they ask for, in plain words. */
export function plainWords(text: string): string {
  let out = text;
  for (const [saying, plain] of IDIOMS) out = out.replace(saying, plain);
  const first = wordsOf(stripLead(out))[0];
  const verb = first && meantVerb(first.text);
  if (first && verb) out = out.replace(new RegExp(`\\b${first.text}\\b`, 'i'), verb);
  return out;
}

/** Text without "could you please" and the like in front of it. */
export function stripLead(text: string): string {
  let out = text.trim();
  for (let i = 0; i < 6; i++) {
    const next = out.replace(LEAD, '').trim();
    if (next === out || next === '') break;
    out = next;
  }
  return out;
}

const TAIL =
  /\b(?:saying|that says|which says|and say|with the (?:message|text|body|words|comment|note)|telling (?:him|her|them|everyone|us)|that reads|message is|text is|body is)\b/i;

/** Where quoted text or "saying …" stands: nothing in it is a request of its own. */
function isInside(text: string, at: number): boolean {
  const tail = TAIL.exec(text);
  if (tail && at > tail.index) return true;
  return quotedSpans(text).some((q) => at > q.start && at < q.end);
}

const SHORT = /(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|Nr|vs|e\.g|i\.e|approx|\p{Lu})|[Ss]tr)$/u;

/** "Dr. Weiss", "Torstr. 5": a full stop that ends no sentence. */
function isAbbreviation(ask: string, stop: RegExpMatchArray): boolean {
  const at = stop.index ?? 0;
  if (!stop[0].startsWith('.')) return false;
  return SHORT.test(ask.slice(0, at)) || /\d/.test(ask[at + stop[0].length] ?? '');
}

/** More than anyone asks at once; the rest stays with the last one. */
const MAX_CLAUSES = 8;

/** Splits a request where a new verb begins: "find the cap and add two to the cart" is two. */
export function clausesOf(ask: string): Clause[] {
  const cuts: { start: number; end: number }[] = [];
  for (const match of ask.matchAll(JOINT)) {
    if (cuts.length >= MAX_CLAUSES - 1) break;
    const end = match.index + match[0].length;
    if (isInside(ask, match.index) || isAbbreviation(ask, match)) continue;
    if (startsRequest(ask.slice(end), /^[;.!?\n]/.test(match[0])))
      cuts.push({ start: match.index, end });
  }
  const out: Clause[] = [];
  let from = 0;
  for (const cut of [...cuts, { start: ask.length, end: ask.length }]) {
    push(out, ask.slice(from, cut.start));
    from = cut.end;
  }
  return out;
}

function push(out: Clause[], text: string): void {
  const bare = stripLead(text.trim().replace(/[.!?,;\s]+$/, ''));
  if (bare === '') return;
  out.push({ text: bare, negated: NEGATED.test(bare) });
}

function startsRequest(rest: string, sentence: boolean): boolean {
  if (NEGATED.test(rest)) return true;
  // "message: …" names an argument.
  if (/^\p{L}+(?: \p{L}+)?\s*:/u.test(rest)) return false;
  const bare = stripLead(rest);
  const first = wordsOf(bare)[0];
  if (!first) return false;
  if (sentence) return true;
  if (first.text === 'it' || first.text === 'a') return false;
  const actions = actionsOf(first.stem);
  if (actions.size === 0) return false;
  // "salt and pepper mail" names things; a request goes on with an object.
  const second = wordsOf(bare)[1];
  return second !== undefined || bare !== rest.trim();
}

/** True where the whole request only says what not to do. */
export const isOnlyNegated = (clauses: readonly Clause[]): boolean =>
  clauses.length > 0 && clauses.every((c) => c.negated);
