import { stripLead } from './clauses';
import { type Action, actionsOf, isReading } from './meanings';
import { isStopWord, stem, type Word, wordsOf } from './words';

/** The actions the request names; empty for one that only tells something. */
export const askedActions = (text: string): ReadonlySet<Action> => askOf(text).actions;

const QUESTION =
  /^(?:what|which|who|when|where|how|is|are|do|does|did|has|have|any|whats|what['’]s|am)\b/i;
/** "I am planning to travel" tells, it does not ask; "I need a refill" does. */
const TELLS =
  /^(?:\p{L}+ #?\d+ (?:is|was|has|needs)|i['’]?m|i am|i was|i have(?! to)|i['’]ve|i['’]ll|i will|i saw|i lost|i really|i like|i prefer|we are|we['’]re|we plan|my|it['’]?s|it is|there|he|she|they|this|that|the)\b/iu;
const TO_READ: ReadonlySet<Action> = new Set(['show', 'find', 'compare', 'open']);

/** "We need milk, put it on the list": the wish is only the reason for what is asked then. */
const WISH = /^(?:i|we) (?:need|want|have)\b(?! to\b)/i;

/** "I am planning to travel": told, not asked. */
export const isStatement = (text: string): boolean => TELLS.test(text);

/** Something that is only told, or only the reason for what is asked next. */
export const isWish = (text: string): boolean => WISH.test(text);

export interface Ask {
  /** The words of the verb; none for a question. */
  verb: Word[];
  actions: ReadonlySet<Action>;
  question: boolean;
}

/** What a request asks for: by the first of its parts that asks at all ("it is cold, raise the heat"). */
export function askOf(text: string): Ask {
  let from = 0;
  let wish: Ask | undefined;
  for (const part of text.split(/[,;.!?]\s+/).slice(0, 5)) {
    const bare = stripLead(part);
    const at = text.indexOf(bare, from);
    from = at + bare.length;
    if (QUESTION.test(bare)) return { verb: [], actions: TO_READ, question: true };
    if (TELLS.test(bare)) continue;
    const words = wordsOf(bare).map((w) => ({ ...w, start: w.start + at, end: w.end + at }));
    const verb = verbAt(words);
    if (!verb) continue;
    const ask = { verb: verb.words, actions: verb.actions, question: false };
    if (!WISH.test(bare)) return ask;
    wish ??= ask;
  }
  return wish ?? { verb: [], actions: new Set(), question: false };
}

interface Verb {
  words: Word[];
  actions: ReadonlySet<Action>;
}

/** Two words where they are one verb: "check out". */
function verbAt(words: Word[]): Verb | undefined {
  for (const [i, w] of words.slice(0, 3).entries()) {
    const next = words[i + 1];
    const joined = next ? actionsOf(stem(w.text + next.text)) : new Set<Action>();
    if (next && joined.size > 0) return { words: [w, next], actions: joined };
    const actions = actionsOf(w.stem);
    // "Give me" shows, "give it to her" hands over; so with "tell".
    if (/^(?:give|tell)$/.test(w.text)) {
      const mine = /^(?:me|us)$/.test(next?.text ?? '');
      return { words: [w], actions: new Set([...actions].filter((a) => isReading(a) === mine)) };
    }
    // One opens "a thread" that is new, "the thread" that is there.
    if (w.text === 'open' && /^(?:the|my|this|that|it|its)$/.test(next?.text ?? '')) {
      return { words: [w], actions: new Set([...actions].filter((a) => a !== 'create')) };
    }
    if (actions.size > 0) return { words: [w], actions };
    if (!isStopWord(w.text)) return undefined;
  }
  return undefined;
}
