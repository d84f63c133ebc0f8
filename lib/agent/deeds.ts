import { splitWords } from '../tools/text/words';
import type { ToolDescriptor } from '../tools/tool';

/** Verbs of deeds that cannot be taken back or cost money, and are hardly ever nouns. */
const DEEDS = [
  ...['delete', 'remove', 'erase', 'wipe', 'purge', 'destroy', 'discard', 'revoke'],
  ...['buy', 'donate', 'withdraw', 'send', 'cancel', 'publish', 'subscribe', 'unsubscribe'],
];
/** The same, but of two meanings: clear skies, a pay slip. */
const AMBIGUOUS = ['clear', 'pay'];
const BASE = new Map([
  ...DEEDS.map((verb) => [verb, false]),
  ...AMBIGUOUS.map((verb) => [verb, true]),
] as [string, boolean][]);
/** As a sentence about a tool has it: "Deletes …". */
const THIRD = new Set(
  Array.from(BASE.keys(), (verb) => `${verb}${verb.endsWith('sh') ? 'es' : 's'}`),
);

/** Before these a deed is only spoken of: `list_send_dates`, `can_delete`, `items_to_remove`. */
const ABOUT = new Set([
  ...['get', 'list', 'search', 'find', 'show', 'read', 'check', 'view', 'count', 'query', 'lookup'],
  ...['fetch', 'browse', 'describe', 'compare', 'calculate', 'estimate', 'preview', 'explain'],
  ...['can', 'is', 'has', 'was', 'how', 'what', 'which', 'when', 'why', 'to', 'for', 'before'],
]);
/** What a description may say before its verb. */
const LEAD = new Set([
  ...['this', 'tool', 'function', 'action', 'use', 'call', 'it', 'to', 'will', 'lets', 'allows'],
  ...['you', 'users', 'permanently', 'irrevocably', 'immediately', 'instantly', 'completely'],
]);
/** What makes a word before it a verb: "clear the list", "pay with a card". */
const OBJECT = new Set([
  ...[
    'the',
    'a',
    'an',
    'all',
    'any',
    'every',
    'each',
    'one',
    'this',
    'that',
    'these',
    'those',
    'it',
  ],
  ...['them', 'your', 'my', 'everything', 'out', 'for', 'with', 'from', 'by', 'selected', 'now'],
]);

/**
 * Whether a tool says of itself that it does what cannot be taken back or costs money, by the verb of
 * its name or of its description's first sentence. English, as nearly all tools are; a word list, so
 * it only ever makes Pagehand ask more.
 */
export function saysDeed(tool: Pick<ToolDescriptor, 'name' | 'description'>): boolean {
  return (
    namesDeed(splitWords(tool.name.slice(0, 200))) || tellsDeed(tool.description.slice(0, 500))
  );
}

function namesDeed(words: string[]): boolean {
  const spoken = words.findIndex((word) => ABOUT.has(word));
  const before = spoken < 0 ? words : words.slice(0, spoken);
  return before.some((word, at) => {
    const ambiguous = BASE.get(word);
    // `cart_clear`, but not `next_pay_date`.
    return ambiguous === false || (ambiguous && (at === 0 || at === words.length - 1));
  });
}

function tellsDeed(description: string): boolean {
  const [sentence = ''] = description.split(/[.!?;:\n]/, 1);
  const words = splitWords(sentence);
  const at = words.findIndex((word) => !LEAD.has(word));
  if (at < 0) return false;
  return words.some((word, i) => {
    const next = words[i + 1] ?? '';
    if (i === at) {
      const ambiguous = BASE.get(word);
      return THIRD.has(word) || ambiguous === false || (ambiguous && OBJECT.has(next));
    }
    const joined = words[i - 1] === 'and' || words[i - 1] === 'then';
    return i > at && joined && (THIRD.has(word) || (BASE.has(word) && /^(it|them)$/.test(next)));
  });
}
