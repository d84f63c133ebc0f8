import { cutText } from './cut';

/**
 * Text of a page on its way into a prompt. It stays readable, but it can no longer start a new line
 * of the prompt, hide from a reader, or spell the markers by which a model's template tells
 * instructions, turns and tool calls apart.
 */

/** Control characters, separators of lines, bidirectional overrides, invisible spaces, tag characters. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
const SPACES = /\s+/g;
/** `<tag`, `</tag`, `<|token|>`, `<!--`: anything a template or a parser could take for markup. */
const OPENING = /<(?=[/|!?\p{L}_\uff5c])/gu;
const TOKEN_END = /\|>/g;
/** `[INST]`, `[/INST]`, `[TOOL_CALLS]`: capital words in brackets are markers of some templates. */
const BRACKETED = /\[(\/?[A-Z][A-Z_]{2,})\]/g;
const FENCE = /`{3,}/g;

/** One line of harmless text. What it replaces is replaced by characters that look alike. */
export function safeLine(text: string): string {
  return text
    .replace(INVISIBLE, ' ')
    .replace(SPACES, ' ')
    .replace(OPENING, '‹')
    .replace(TOKEN_END, '| ›')
    .replace(BRACKETED, '($1)')
    .replace(FENCE, "'''")
    .trim();
}

const MARKUP_IN_JSON = /<(?=[/|!?\p{L}_\uff5c])|(?<=\|)>|\[(?=\/?[A-Z][A-Z_]{2,}\])|`(?=``)/gu;
const INVISIBLE_IN_JSON =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * JSON text that reads back to the same value but spells no marker: the same rule as
 * {@link safeLine} by means of JSON's own escapes. `json` must be JSON text, so that brackets before
 * capital words stand inside strings only.
 */
export function safeJson(json: string): string {
  return json.replace(MARKUP_IN_JSON, escaped).replace(INVISIBLE_IN_JSON, escaped);
}

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Markdown's code block around any text: its marks are longer than any run of backticks inside. */
export function fencedCode(text: string, language = ''): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}`;
}

/** Blanks of any width or none, those among them that count as letters (fillers) included. */
const BLANKS = /[\s\u115f\u1160\u2800\u3164\uffa0]+/g;
const UNSEEN = /\p{C}/gu;
const MAX_SHOWN_NAME = 60;

/**
 * A name that a page chose, for people to read: one line, without what cannot be seen or turns the
 * line around, cut with a mark. It may still say anything; it is set apart from Pagehand's own words
 * where it is shown.
 */
export function shownName(name: string): string {
  const flat = cutText(name, 2000).replace(BLANKS, ' ').replace(UNSEEN, '').trim();
  return flat.length > MAX_SHOWN_NAME ? `${cutText(flat, MAX_SHOWN_NAME)}${ELLIPSIS}` : flat;
}

const SENTENCE_END = /[.!?](?=\s|$)|[。！？]/u;
const ELLIPSIS = '…';
/** A first sentence is looked for in this many characters: descriptions may be megabytes. */
const MAX_READ = 1_000;

/**
 * The first sentence of a description, at most `max` characters with `…` where it was cut, without
 * its final mark. A full stop inside a word (`v1.2`) ends nothing.
 */
export function firstSentence(text: string, max: number): string {
  const line = safeLine(cutText(text, MAX_READ));
  const end = SENTENCE_END.exec(line);
  const sentence = end === null ? line : line.slice(0, end.index);
  const characters = [...sentence];
  if (characters.length <= max) return sentence;
  return (
    characters
      .slice(0, Math.max(0, max - 1))
      .join('')
      .trimEnd() + ELLIPSIS
  );
}
