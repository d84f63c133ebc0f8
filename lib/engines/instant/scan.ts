import { type Word, wordsOf } from './words';

/**
 * A piece of a request while rules read it. What a rule has used is taken out, so that no two
 * rules read the same words; places stay those of the original text.
 */
export interface Scan {
  text: string;
  used: boolean[];
}

export const scanOf = (text: string): Scan => ({
  text,
  used: new Array<boolean>(text.length).fill(false),
});

export function take(scan: Scan, start: number, end: number): void {
  for (let i = start; i < end; i++) scan.used[i] = true;
}

export const isFree = (scan: Scan, start: number, end: number): boolean =>
  !scan.used.slice(start, end).includes(true);

/** The text with what is used blanked out; same length, so places still fit. */
export const freeText = (scan: Scan): string =>
  Array.from({ length: scan.text.length }, (_, i) => (scan.used[i] ? ' ' : scan.text[i])).join('');

/** The words that no rule has used yet. */
export const freeWords = (scan: Scan): Word[] =>
  wordsOf(scan.text).filter((w) => isFree(scan, w.start, w.end));

export interface Span {
  value: string;
  start: number;
  end: number;
}

/** All free matches of a global expression; group 1 where it has one, else the whole. */
export function findAll(scan: Scan, pattern: RegExp): Span[] {
  const out: Span[] = [];
  for (const match of freeText(scan).matchAll(pattern)) {
    out.push({
      value: match[1] ?? match[0],
      start: match.index,
      end: match.index + match[0].length,
    });
  }
  return out;
}

const QUOTED =
  /"([^"\n]{1,500})"|“([^”\n]{1,500})”|«([^»\n]{1,500})»|(?<![\p{L}\p{N}])['‘]([^'’\n]{2,500})['’](?![\p{L}\p{N}])/gu;

/** Quoted strings, without their quotes. */
export function quotedSpans(text: string): Span[] {
  return [...text.matchAll(QUOTED)].map((m) => ({
    value: (m[1] ?? m[2] ?? m[3] ?? m[4] ?? '').trim(),
    start: m.index,
    end: m.index + m[0].length,
  }));
}
