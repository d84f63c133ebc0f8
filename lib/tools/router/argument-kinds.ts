/**
 * Values a request may name and the words by which tools call the arguments that take them. A request
 * with a date in it more likely means the tool that wants one.
 */
const KINDS = {
  date: {
    names: 'date day start end year month datetime departure checkin',
    pattern:
      /\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b|\b\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|ember|tember|ober)?\b\.?\s\d|\d(?:st|nd|rd|th)?\s(?:of\s)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:today|tomorrow|tonight|yesterday|weekend|(?:next|last|this)\s(?:week|month|year)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i,
  },
  time: {
    names: 'time hour datetime start duration',
    pattern:
      /\b\d{1,2}:\d{2}\b|\b\d{1,2}\s?(?:am|pm|a\.m|p\.m|o'clock)\b|\b\d{1,4}\s?(?:minutes?|hours?|seconds?|mins?|hrs?)\b/i,
  },
  money: {
    names: 'amount price cost budget currency value',
    pattern: /[$€£¥]\s?\d|\b\d[\d,.]{0,20}\s?(?:dollars?|euros?|usd|eur|gbp|bucks|pounds?)\b/i,
  },
  number: {
    names: 'number amount count quantity limit size value',
    pattern: /(?<![\w$€£¥.:/-])\d{1,20}(?:[.,]\d{1,20})?(?![\w:/-])/,
  },
  url: {
    names: 'url link website site domain uri page',
    pattern: /https?:\/\/|\bwww\.|\w\.(?:com|org|net|io|ai|dev|edu|gov)\b/i,
  },
  email: { names: 'email recipient to', pattern: /\w@\w[\w-]{0,63}\.\w/ },
  id: {
    names: 'id identifier key code',
    pattern: /\bid\b|\bidentifier\b|\b(?=[a-z]{0,64}\d)(?=\d{0,64}[a-z])[a-z\d]{5,64}\b/i,
  },
  place: {
    names: 'location city address place country destination origin state region',
    pattern: /\b(?:in|at|near|from|to|around|of)\s(?:the\s)?(?:\p{Lu}\p{Ll}|\p{Lu}{2,3}\b)/u,
  },
} as const;

export type ArgumentKind = keyof typeof KINDS;
export const ARGUMENT_KINDS: readonly ArgumentKind[] = [
  'date',
  'time',
  'money',
  'number',
  'url',
  'email',
  'id',
  'place',
];

/** The kinds of value that stand in a request. Linear in its length. */
export const findArgumentKinds = (request: string): ArgumentKind[] =>
  ARGUMENT_KINDS.filter((kind) => KINDS[kind].pattern.test(request));

/** Words that name an argument of a kind, the most telling first. */
export const namesOfKind = (kind: ArgumentKind): string[] => KINDS[kind].names.split(' ');
