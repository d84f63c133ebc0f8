import { sameThing } from './meanings';
import { freeText, freeWords, type Scan, take } from './scan';
import type { Slot } from './slots';
import { isStopWord, stem, type Word } from './words';

const EMPTY =
  /^(?:is|has|have|include|included|includes|only|with|enable|enabled|allow|allowed|use|want|show|value|flag|require|required|needs?)$/;
const SWITCH = /^(?:on|enabled?|active|activated|state|power|powered|switch|value)$/;
const NO = /^(?:no|not|without|non|don['’]?t|dont|exclude|excluding|never|isn['’]?t)$/;
const ON = /^(?:on|enable|activate|start|true|yes)$/;
const OFF = /^(?:off|disable|deactivate|stop|out|false|no)$/;

const TRUE_MEANS = /\btrue (?:to|for|is|=|means|if)\s+(\p{L}+)/u;

/** What the text says of a yes/no argument; `undefined` when it says nothing of it. */
export function takeBoolean(scan: Scan, slot: Slot): boolean | undefined {
  const words = freeWords(scan);
  const names = slot.words.filter((w) => !EMPTY.test(w) && !isStopWord(w) && !SWITCH.test(w));
  if (names.length === 0 && slot.words.some((w) => SWITCH.test(w))) return switched(scan, words);
  // "true to lock": the description says which word switches it on.
  const means = TRUE_MEANS.exec(slot.about)?.[1];
  if (means && !SWITCH.test(means) && !names.includes(means)) names.push(means);
  const stems = names.map(stem);
  for (const [i, w] of words.entries()) {
    const opposite = opposes(w.text, names);
    const same =
      stems.some((s) => s === w.stem || sameThing(s, w.stem) || alike(s, w.stem)) &&
      !(w.text.endsWith('ing') && !names.includes(w.text));
    if (!same && !opposite) continue;
    take(scan, w.start, w.end);
    for (const other of words) if (stems.includes(other.stem)) take(scan, other.start, other.end);
    const before = words.slice(Math.max(0, i - 3), i);
    const denied = before.some((b) => NO.test(b.text));
    for (const b of before) if (NO.test(b.text)) take(scan, b.start, b.end);
    return opposite ? false : !denied;
  }
  return undefined;
}

/** Words that say the same of a yes/no choice. */
const ALIKE = [
  'nonstop direct',
  'stop layover',
  'pet dog',
  'wifi wi internet',
  'urgent asap',
  'gift present',
  'wrap wrapped',
].map((l) => l.split(' ').map(stem));
const alike = (a: string, b: string): boolean => ALIKE.some((g) => g.includes(a) && g.includes(b));

const opposes = (word: string, names: string[]): boolean =>
  names.some(
    (n) =>
      word === `un${n}` ||
      (n.endsWith('ed') && word === `un${n.slice(0, -2)}`) ||
      word === `non${n}`,
  );

function switched(scan: Scan, words: Word[]): boolean | undefined {
  for (const w of words) {
    if (!ON.test(w.text) && !OFF.test(w.text)) continue;
    // "on" is more often a preposition: it switches only after a verb, or at the end.
    if (
      w.text === 'on' &&
      !/\b(?:turn|turned|switch|put|leave|keep|get)\b[^.]*\bon\b|\bon\s*$/i.test(freeText(scan))
    )
      continue;
    take(scan, w.start, w.end);
    return ON.test(w.text);
  }
  return undefined;
}
