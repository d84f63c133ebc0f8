/**
 * English stemming after M. F. Porter, "An algorithm for suffix stripping" (Program 14(3), 1980), so
 * that `creates`, `creating` and `creation` meet. Words of other alphabets and words with digits
 * come back as they are.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let s = withoutPlural(word);
  s = withoutPast(s);
  if (s.length > 2 && s.endsWith('y') && hasVowel(s.slice(0, -1))) s = `${s.slice(0, -1)}i`;
  s = replaceSuffix(s, DOUBLE_SUFFIXES, 0);
  s = replaceSuffix(s, LATE_SUFFIXES, 0);
  s = withoutEnding(s);
  return withoutFinalE(s);
}

type Rule = readonly [suffix: string, replacement: string];

const DOUBLE_SUFFIXES: readonly Rule[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['eli', 'e'],
];
const LATE_SUFFIXES: readonly Rule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];
const ENDINGS = [
  ...['ement', 'ance', 'ence', 'able', 'ible', 'ment', 'ant', 'ent', 'ism', 'ate', 'iti', 'ous'],
  ...['ive', 'ize', 'ion', 'al', 'er', 'ic', 'ou'],
];

function withoutPlural(s: string): string {
  if (s.endsWith('sses') || s.endsWith('ies')) return s.slice(0, -2);
  return s.endsWith('s') && !s.endsWith('ss') ? s.slice(0, -1) : s;
}

function withoutPast(s: string): string {
  if (s.endsWith('eed')) return measure(s.slice(0, -3)) > 0 ? s.slice(0, -1) : s;
  const suffix = s.endsWith('ed') ? 2 : s.endsWith('ing') ? 3 : 0;
  const base = s.slice(0, s.length - suffix);
  if (suffix === 0 || !hasVowel(base)) return s;
  if (base.endsWith('at') || base.endsWith('bl') || base.endsWith('iz')) return `${base}e`;
  if (endsDouble(base) && !/[lsz]$/.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && endsShort(base) ? `${base}e` : base;
}

function replaceSuffix(s: string, rules: readonly Rule[], least: number): string {
  const rule = rules.find(([suffix]) => s.endsWith(suffix));
  if (rule === undefined) return s;
  const base = s.slice(0, s.length - rule[0].length);
  return measure(base) > least ? base + rule[1] : s;
}

function withoutEnding(s: string): string {
  const ending = ENDINGS.find((candidate) => s.endsWith(candidate));
  if (ending === undefined) return s;
  const base = s.slice(0, s.length - ending.length);
  if (ending === 'ion' && !/[st]$/.test(base)) return s;
  return measure(base) > 1 ? base : s;
}

function withoutFinalE(s: string): string {
  let base = s;
  if (s.endsWith('e')) {
    const rest = s.slice(0, -1);
    const length = measure(rest);
    if (length > 1 || (length === 1 && !endsShort(rest))) base = rest;
  }
  return base.endsWith('ll') && measure(base) > 1 ? base.slice(0, -1) : base;
}

function isConsonant(s: string, at: number): boolean {
  const letter = s.charAt(at);
  if (letter === 'y') return at === 0 || !isConsonant(s, at - 1);
  return !'aeiou'.includes(letter);
}

/** How many vowel-consonant sequences `s` holds: Porter's m. */
function measure(s: string): number {
  let count = 0;
  let vowelBefore = false;
  for (let at = 0; at < s.length; at++) {
    const consonant = isConsonant(s, at);
    if (consonant && vowelBefore) count++;
    vowelBefore = !consonant;
  }
  return count;
}

function hasVowel(s: string): boolean {
  for (let at = 0; at < s.length; at++) if (!isConsonant(s, at)) return true;
  return false;
}

const endsDouble = (s: string): boolean =>
  s.length > 1 && s.at(-1) === s.at(-2) && isConsonant(s, s.length - 1);

/** Consonant, vowel, consonant other than w, x, y: a short syllable that keeps its final e. */
const endsShort = (s: string): boolean =>
  s.length > 2 &&
  isConsonant(s, s.length - 1) &&
  !isConsonant(s, s.length - 2) &&
  isConsonant(s, s.length - 3) &&
  !/[wxy]$/.test(s);
