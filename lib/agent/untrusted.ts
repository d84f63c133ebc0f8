/**
 * Text that a page wrote, made fit to stand in a prompt: nothing invisible, none of the marks with
 * which chat templates and tool dialects are built, and a fence around it that the page cannot know.
 */

/**
 * Characters that show nothing or turn the text around: controls but tab and line feed, and all that
 * Unicode calls default-ignorable but joiners and the selectors of text and emoji style.
 */
const INVISIBLE =
  /(?!\n|\t|\u200C|\u200D|\uFE0E|\uFE0F)(?:\p{Cc}|\p{Default_Ignorable_Code_Point}|\uFFF9|\uFFFA|\uFFFB)/gu;
/** A joiner that joins nothing hides something. */
const LOOSE_JOINER =
  /(?<!\p{L}|\p{M}|\p{Extended_Pictographic}|\uFE0F)(?:\u200C|\u200D)|(?:\u200C|\u200D)(?!\p{L}|\p{M}|\p{Extended_Pictographic})/gu;

/** Removes what a reader would not see. Line breaks become line feeds. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(INVISIBLE, '')
    .replace(LOOSE_JOINER, '');
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

const FENCE = /^<data-([0-9a-z]+)>\n([\s\S]*)\n<\/data-\1>/;

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
  return FENCE.exec(text)?.[2] ?? text;
}
