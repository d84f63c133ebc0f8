import { freeText, freeWords, type Scan } from './scan';
import { numberWord, type Word } from './words';

/** A number read from a request, with what stands around it. */
export interface NumberFound {
  value: number;
  start: number;
  end: number;
  /** Which bound the words before it make of it: "under 120" is a `max`. */
  bound?: 'min' | 'max';
  money: boolean;
  percent: boolean;
  /** Stem of the word right after it: `night` in "3 nights". */
  unit?: string;
  /** Stems of up to two words right before it: `quantity` in "quantity 3". */
  before: string[];
  /** Read from "a" or "an": the weakest kind. */
  article: boolean;
}

const DIGITS =
  /(?<![\p{L}\p{N}#-])([$€£¥]\s?)?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)(k\b|\s?(?:thousand|million|mio)\b)?(\s?(?:[$€£¥]|%|°\s?[CF]?\b|(?:percent|dollars?|euros?|pounds?|bucks|usd|eur|gbp|quid)\b))?(?![\p{N}])/giu;
const MAX =
  /(?:under|below|less than|lower than|up to|at most|no more than|not more than|not over|cheaper than|maximum(?: of)?|max(?: of)?|max price|within|until|no later than|budget(?: of| is)?|fewer than|<=?|for less than|not exceeding|as much as)\s*(?:about|around)?\s*$/i;
const MIN =
  /(?:over|above|more than|at least|no less than|not less than|minimum(?: of)?|min(?: of)?|starting (?:at|from)|from|higher than|greater than|>=?|upwards of)\s*$/i;

const scaleOf = (unit: string | undefined): number =>
  unit === undefined ? 1 : /^\s?mi/i.test(unit) ? 1_000_000 : 1000;

/** "Nothing below 50", "not above 90": the bound is turned round. */
const NOT_UNDER =
  /\b(?:nothing|not|no|never|none)\s+(?:below|under|less than|lower than|cheaper than|fewer than)\s*$/i;
const NOT_OVER =
  /\b(?:nothing|not|no|never|none)\s+(?:above|over|more than|higher than|greater than|beyond|dearer than)\s*$/i;

/** Every free number of the text in order: digits, number words, "a couple of", "between 3 and 5". */
export function numbersIn(scan: Scan): NumberFound[] {
  const text = freeText(scan);
  const words = freeWords(scan);
  const found: NumberFound[] = [];
  for (const match of text.matchAll(DIGITS)) {
    const after = match[4]?.trim().toLowerCase() ?? '';
    const value = Number((match[2] ?? '').replaceAll(',', '')) * scaleOf(match[3]);
    found.push(
      around(text, words, {
        value,
        start: match.index,
        end: match.index + match[0].trimEnd().length,
        money:
          match[1] !== undefined || /[$€£¥]|dollar|euro|pound|bucks|usd|eur|gbp|quid/.test(after),
        percent: after === '%' || after === 'percent',
        article: false,
      }),
    );
  }
  for (const n of spelled(words)) {
    if (found.some((f) => f.start < n.end && n.start < f.end)) continue;
    const money = /^\s*(?:dollars?|euros?|pounds?|bucks|quid)\b/i.test(text.slice(n.end));
    const percent = /^\s*(?:%|percent)/i.test(text.slice(n.end));
    found.push(around(text, words, { ...n, money, percent }));
  }
  found.sort((a, b) => a.start - b.start);
  pairBounds(text, found);
  return found;
}

type Bare = Omit<NumberFound, 'before' | 'unit' | 'bound'>;

function around(text: string, words: Word[], n: Bare): NumberFound {
  const lead = text.slice(0, n.start);
  const next = words.find((w) => w.start >= n.end);
  const gap = next ? text.slice(n.end, next.start) : '';
  const previous = words.filter((w) => w.end <= n.start).slice(-2);
  let unit = next && /^[\s-]*$/.test(gap) ? next : undefined;
  if (unit && /^(?:of|more|other|new|whole|full|extra|additional)$/.test(unit.text)) {
    unit = words[words.indexOf(unit) + 1];
  }
  const result: NumberFound = { ...n, before: previous.map((w) => w.stem) };
  if (unit) result.unit = /^(?:us|them|you)$/.test(unit.text) ? 'person' : unit.stem;
  if (NOT_UNDER.test(lead)) result.bound = 'min';
  else if (NOT_OVER.test(lead)) result.bound = 'max';
  else if (MAX.test(lead)) result.bound = 'max';
  else if (MIN.test(lead)) result.bound = 'min';
  else if (
    /^\s*(?:or less|or under|or cheaper|or fewer|max\b|maximum|tops|at most)/i.test(
      text.slice(n.end),
    )
  ) {
    result.bound = 'max';
  } else if (
    /^\s*(?:\p{L}+\s)?(?:or more|or above|or better|or higher|and up|plus\b|\+|minimum|at least)/iu.test(
      text.slice(n.end),
    )
  ) {
    result.bound = 'min';
  }
  return result;
}

/** "between 50 and 100", "50 to 100", "50-100": a lower and an upper bound. */
function pairBounds(text: string, found: NumberFound[]): void {
  for (let i = 0; i + 1 < found.length; i++) {
    const a = found[i];
    const b = found[i + 1];
    if (!a || !b) continue;
    const gap = text.slice(a.end, b.start);
    const lead = text.slice(0, a.start);
    const between = /\bbetween\s+$/i.test(lead) && /^\s*(?:and|to|-|–)\s*$/i.test(gap);
    const range =
      /^\s*(?:-|–|to)\s*$/i.test(gap) && (/\bfrom\s+$/i.test(lead) || a.money || b.money);
    if (!between && !range) continue;
    a.bound = 'min';
    b.bound = 'max';
    const money = a.money || b.money;
    a.money = money;
    b.money = money;
  }
}

/** Runs of number words: "twenty five", "two hundred and ten", "a dozen", "a couple of". */
function spelled(words: Word[]): Bare[] {
  const out: Bare[] = [];
  for (let i = 0; i < words.length; i++) {
    const first = words[i];
    if (!first) continue;
    const article = first.text === 'a' || first.text === 'an' || first.text === 'another';
    let value = article ? 1 : numberWord(first.text);
    if (value === undefined) continue;
    let last = first;
    let j = i + 1;
    let current = value;
    for (; j < words.length; j++) {
      const w = words[j];
      if (!w) break;
      const n = numberWord(w.text);
      if (n === undefined) {
        const next = words[j + 1];
        if (w.text === 'and' && current >= 100 && next && (numberWord(next.text) ?? 100) < 100)
          continue;
        break;
      }
      if (n === 100 || n === 1000 || (n === 12 && w.text === 'dozen')) current *= n;
      else if (w.text === 'couple' || w.text === 'pair') current = 2;
      else if (
        n < current &&
        (current % 100 === 0 || (current >= 20 && current % 10 === 0 && n < 10))
      )
        current += n;
      else break;
      last = w;
    }
    const bare = article && last === first;
    // "one" alone is more often a pronoun ("the red one") than a number.
    if (first.text === 'one' && last === first) {
      const next = words[i + 1];
      if (!next || /^(?:that|which|with|in|from|is|of|to|and|for|please)$/.test(next.text))
        continue;
      if (
        /^(?:the|this|that|which|another|red|blue|first|second|last)$/.test(
          words[i - 1]?.text ?? '',
        )
      )
        continue;
    }
    value = current;
    out.push({
      value,
      start: first.start,
      end: last.end,
      money: false,
      percent: false,
      article: bare,
    });
    i = Math.max(i, j - 1);
  }
  return out;
}
