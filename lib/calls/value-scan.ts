/**
 * Where a JSON-like value ends, told without parsing it. A quote opens a string only after
 * structure, so an apostrophe or a stray quote in the middle of a word does not hide the rest.
 */
export interface ValueScan {
  /** Index after the value, or the text's length when it is not complete. */
  end: number;
  complete: boolean;
  /** Deepest nesting met. */
  depth: number;
  /** Quotes that stand where none should: what makes lenient reading expensive. */
  odd: number;
  /** Where to cut an incomplete value so that no key is left without its value. */
  keep: number;
}

const OPENERS = '{[';
const CLOSERS = '}]';
/** After one of these a quote opens a string. */
const BEFORE_STRING = '{[(,:=';
const AFTER_STRING = ',:}])=;';
export const isSpace = (c: string): boolean =>
  c === ' ' || c === '\n' || c === '\r' || c === '\t' || c === '\u00a0' || c === '\ufeff';
export const opensString = (c: string, before: string): boolean =>
  (c === '"' || c === "'") && (before === '' || BEFORE_STRING.includes(before));

interface Frame {
  object: boolean;
  /** End of the last complete member. */
  safe: number;
  colon: boolean;
  value: boolean;
}

/** Scans the value whose opening bracket is at `start`. */
export function scanValue(text: string, start: number): ValueScan {
  const frames: Frame[] = [];
  let depth = 0;
  let odd = 0;
  let quote = '';
  let before = '';
  let valueStart = start;
  for (let i = start; i < text.length; i++) {
    const c = text.charAt(i);
    if (quote !== '') {
      if (c === '\\') i++;
      else if (c === quote) {
        quote = '';
        before = c;
        if (!endsWell(text, i + 1)) odd++;
      }
      continue;
    }
    if (isSpace(c)) continue;
    const top = frames[frames.length - 1];
    if (top?.colon && !top.value) {
      top.value = true;
      valueStart = i;
    }
    if (opensString(c, before)) quote = c;
    else if ('"\'`“”‘’'.includes(c)) odd++;
    else if (OPENERS.includes(c)) {
      frames.push({ object: c === '{', safe: i + 1, colon: false, value: false });
      depth = Math.max(depth, frames.length);
    } else if (CLOSERS.includes(c)) {
      frames.pop();
      if (frames.length === 0) return { end: i + 1, complete: true, depth, odd, keep: i + 1 };
    } else if (top && c === ',') {
      top.safe = i;
      top.colon = false;
      top.value = false;
    } else if (top && (c === ':' || c === '=')) {
      top.colon = true;
    }
    before = c;
  }
  const top = frames[frames.length - 1];
  const dangling = top?.object && (!top.value || isPartOfLiteral(text.slice(valueStart)));
  return {
    end: text.length,
    complete: false,
    depth,
    odd,
    keep: top && dangling ? top.safe : text.length,
  };
}

function endsWell(text: string, from: number): boolean {
  for (let i = from; i < text.length && i < from + 64; i++) {
    const c = text.charAt(i);
    if (!isSpace(c)) return AFTER_STRING.includes(c);
  }
  return true;
}

/** `tru`, `Fal`, `-`: a value cut in its middle, of which nothing can be kept. */
function isPartOfLiteral(text: string): boolean {
  if (text.length > 5) return false;
  const word = text.trim();
  if (word === '-') return true;
  return ['true', 'false', 'null', 'True', 'False', 'None'].some(
    (whole) => whole.length > word.length && whole.startsWith(word),
  );
}

export interface Segment {
  text: string;
  complete: boolean;
}

/**
 * Cuts text into the JSON-like values it holds, in order. `noise` is true where anything but
 * whitespace and separators stood between or after them.
 */
export function splitValues(text: string): { values: Segment[]; noise: boolean } {
  const values: Segment[] = [];
  let noise = false;
  let i = 0;
  while (i < text.length) {
    const c = text.charAt(i);
    if (c === '{' || c === '[') {
      const scan = scanValue(text, i);
      values.push({ text: text.slice(i, scan.end), complete: scan.complete });
      i = scan.end;
      continue;
    }
    if (!isSpace(c) && c !== ',' && c !== ';') noise = true;
    i++;
  }
  return { values, noise };
}
