/** A word of a text with the place it stands at, so that what a rule has used can be taken out. */
export interface Word {
  /** Lower-cased. */
  text: string;
  stem: string;
  start: number;
  end: number;
}

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu;
const STOP = new Set(
  (
    'a an the and or but if of to in on at by for with from into onto off up out over under about as is are was were be ' +
    'been am do does did can could would will shall should may might must have has had i me my mine we us our you your ' +
    'he him his she her it its they them their this that these those there here what which who whom whose when where ' +
    'why how please kindly just now so then than too very really some any all no not don dont doesn didn t s ll re ve d ' +
    'want wants need needs like love let lets hey hi hello thanks thank ok okay gonna wanna id im ill ive also again ' +
    'one ones something anything everything thing things get got go whats hows wheres pls plz cheers actually maybe ' +
    'currently currently right away'
  ).split(' '),
);

/** Words that carry no subject of their own. */
export const isStopWord = (word: string): boolean => STOP.has(word.replace(/['’]/g, ''));

/** Light English suffix stripping: enough to make `orders`, `ordering`, `ordered` one word. */
export function stem(word: string): string {
  let w = word.replace(/['’]s?$/, '').replace(/['’]/g, '');
  if (w.length > 4 && w.endsWith('ies')) w = w.slice(0, -2);
  else if (w.length > 4 && /(?:s|x|z|ch|sh)es$/.test(w)) w = w.slice(0, -2);
  else if (w.length > 3 && w.endsWith('s') && !/(?:ss|us|is)$/.test(w)) w = w.slice(0, -1);
  if (w.length > 5 && w.endsWith('ing')) w = undouble(w.slice(0, -3));
  else if (w.length > 4 && w.endsWith('ed') && !w.endsWith('eed')) w = undouble(w.slice(0, -2));
  if (w.length > 4 && w.endsWith('ee')) w = w.slice(0, -2);
  if (w.length > 6 && w.endsWith('ive')) w = w.slice(0, -3);
  if (w.length > 7 && w.endsWith('ation')) w = w.slice(0, -5);
  else if (w.length > 6 && /[st]ion$/.test(w)) w = w.slice(0, -3);
  else if (w.length > 6 && w.endsWith('ment') && !/^[cm]om/.test(w)) w = w.slice(0, -4);
  if (w.length > 3 && w.endsWith('e')) w = w.slice(0, -1);
  if (w.length > 2 && w.endsWith('y')) w = `${w.slice(0, -1)}i`;
  return w;
}

const undouble = (w: string): string =>
  /([bdgmnprt])\1$/.test(w) && w.length > 3 ? w.slice(0, -1) : w;

/** The words of running text, with their places. */
export function wordsOf(text: string): Word[] {
  const out: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const word = match[0].toLowerCase();
    out.push({ text: word, stem: stem(word), start: match.index, end: match.index + word.length });
  }
  return out;
}

/** The words of an identifier: `addToCart`, `add_to_cart` and `cart.add-to` are split alike. */
export function identifierWords(name: string): string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((w) => w !== '')
    .map((w) => w.toLowerCase());
}

/** `add_to_cart` → `add to cart`: how a name is said to a person. */
export const sayName = (name: string): string => identifierWords(name).join(' ') || name;

/** True when the two words are the same up to a typing slip, two in long words; short words must match. */
export function almostSame(a: string, b: string): boolean {
  if (a === b) return true;
  const shorter = Math.min(a.length, b.length);
  if (shorter < 5 || shorter > 40 || a[0] !== b[0]) return false;
  return slips(a, b) <= (shorter >= 8 ? 2 : 1);
}

/** Letters added, left out, exchanged or swapped with their neighbour; stops counting above 2. */
function slips(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      }
      next.push(best);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 3;
}

/** True for two long words of one root: `dermatologist` and `dermatology`. */
export function sameRoot(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  if (shorter < 7) return false;
  let i = 0;
  while (i < shorter && a[i] === b[i]) i++;
  return i >= 6 && i >= Math.max(a.length, b.length) - 4;
}

const UNITS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen'
).split(' ');
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const NUMBER_WORDS = new Map<string, number>([
  ...UNITS.map((w, i): [string, number] => [w, i]),
  ...TENS.map((w, i): [string, number] => [w, 20 + 10 * i]),
  ['hundred', 100],
  ['thousand', 1000],
  ['dozen', 12],
  ['couple', 2],
  ['pair', 2],
]);
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** The value of one number word, `undefined` where it is none. */
export const numberWord = (word: string): number | undefined => NUMBER_WORDS.get(word);

/** 1 for `first` and `1st`, -1 for `last`; `undefined` where the word is no ordinal. */
export function ordinal(word: string): number | undefined {
  const at = ORDINALS.indexOf(word);
  if (at >= 0) return at + 1;
  if (word === 'last') return -1;
  const digits = /^(\d{1,3})(?:st|nd|rd|th)$/.exec(word);
  return digits ? Number(digits[1]) : undefined;
}
