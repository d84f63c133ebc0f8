import { cutText } from './cut';

/**
 * Text that a page wrote on its way into a prompt. It stays readable, but nothing in it is invisible,
 * and it can no longer start a new line of the prompt or spell the marks with which chat templates
 * and tool dialects are built. One line of a listing ({@link safeLine}), JSON ({@link safeJson}) and
 * whole texts ({@link neutralise}, {@link fence}) differ in how marks are broken, not in what is hidden.
 */

/**
 * Characters that show nothing or turn the text around: controls but tab and line feed, and all that
 * Unicode calls default-ignorable but joiners and the selectors of text and emoji style.
 */
const INVISIBLE =
  /(?!\n|\t|\u200C|\u200D|\uFE0E|\uFE0F)(?:\p{Cc}|\p{Default_Ignorable_Code_Point}|\uFFF9|\uFFFA|\uFFFB)/gu;
/** A selector that selects nothing hides something, and so does a joiner that joins nothing. */
const LOOSE_SELECTOR = /(?<!\p{Emoji})(?:\uFE0E|\uFE0F)/gu;
const LOOSE_JOINER =
  /(?<!\p{L}|\p{M}|\p{Extended_Pictographic}|\uFE0F)(?:\u200C|\u200D)|(?:\u200C|\u200D)(?!\p{L}|\p{M}|\p{Extended_Pictographic})/gu;

/** Removes what a reader would not see. Line breaks become line feeds. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(INVISIBLE, '')
    .replace(LOOSE_SELECTOR, '')
    .replace(LOOSE_JOINER, '');
}

const SPACES = /\s+/g;
/** `<tag`, `</tag`, `<|token|>`, `<!--`: anything a template or a parser could take for markup. */
const OPENING = /<(?=[/|!?\p{L}_\uff5c])/gu;
const TOKEN_END = /\|>/g;
/** `[INST]`, `[/INST]`, `[TOOL_CALLS]`: capital words in brackets are markers of some templates. */
const BRACKETED = /\[(\/?[A-Z][A-Z_]{2,})\]/g;
const FENCE = /`{3,}/g;

/** One line of harmless text. What it replaces is replaced by characters that look alike. */
export function safeLine(text: string): string {
  return cleanText(text)
    .replace(SPACES, ' ')
    .replace(OPENING, '‹')
    .replace(TOKEN_END, '| ›')
    .replace(BRACKETED, '($1)')
    .replace(FENCE, "'''")
    .trim();
}

const MARKUP_IN_JSON = /<(?=[/|!?\p{L}_\uff5c])|(?<=\|)>|\[(?=\/?[A-Z][A-Z_]{2,}\])|`(?=``)/gu;
/**
 * JSON text that reads back to the same value but spells no marker: the same rule as
 * {@link safeLine} by means of JSON's own escapes. `json` must be JSON text, so that brackets before
 * capital words stand inside strings only.
 */
export function safeJson(json: string): string {
  return [MARKUP_IN_JSON, /[\u2028\u2029]/g, INVISIBLE, LOOSE_SELECTOR, LOOSE_JOINER].reduce(
    (text, pattern) => text.replace(pattern, escaped),
    json,
  );
}

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

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

/** Names of control tags of the chat templates and dialects in use (see `docs/` on dialects). */
const CONTROL_TAG =
  /<(?=\/?\s*(?:tool_?-?calls?|tool_response|tool_results?|tools?|invoke|function(?:_calls?|=|s\b|_results?)?|parameter|think(?:ing)?|start_of_turn|end_of_turn|(?:start|end)_function_(?:call|response|declaration)|escape|start_of_image|im_start|im_end|bos|eos|pad|unk|s|system|user|assistant|data-[0-9a-z]+)\b)/gi;
const CONTROL_BRACKET =
  /\[(?=\/?(?:INST|SYS|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|TOOL_CONTENT|ARGS|CALL_ID|THINK|SYSTEM_PROMPT)\])/g;

/**
 * Cleans the text and breaks every control mark in it with a space, so that no tokenizer reads it as
 * one. Everything else stays as it was.
 */
export function neutralise(text: string): string {
  return cleanText(text)
    .replace(/<(?=[|｜])/g, '< ')
    .replace(/(?<=\w)([|｜])>/g, '$1 >')
    .replace(/<<(?=\/?SYS>>)/g, '< <')
    .replace(CONTROL_TAG, '< ')
    .replace(CONTROL_BRACKET, '[ ');
}

const FENCED = /^<data-([0-9a-z]+)>\n([\s\S]*)\n<\/data-\1>/;

/**
 * Puts text of a page between marks that hold a word the page cannot guess. The instructions tell the
 * model that what stands between such marks is data.
 *
 * @param marker random per turn, lower-case letters and digits
 */
export function fence(text: string, marker: string): string {
  return `<data-${marker}>\n${neutralise(text)}\n</data-${marker}>`;
}

/** What stands inside the fence, or the text itself where there is none: for engines without a model. */
export function unfence(text: string): string {
  return FENCED.exec(text)?.[2] ?? text;
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
