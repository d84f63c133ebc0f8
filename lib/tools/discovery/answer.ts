import { toolJson } from '../render/listing';
import { compactToFit } from '../schema/compaction';
import { textBytes } from '../schema/size';
import { cutText } from '../text/cut';
import { safeJson } from '../text/untrusted';
import type { CompactTool } from '../tool';

const MAX_DESCRIPTION = 500;

/**
 * What a search says to the model: the matches as `{name, description, parameters}`, or a note that
 * nothing matched. Where the whole does not fit `maxBytes`, the best match keeps its schema, the next
 * ones as far as there is room, and the others have a name and a few words (the next step declares
 * what was found in full, as far as it fits); then the last matches go.
 */
export function answerText(
  matches: readonly CompactTool[],
  searchable: number,
  maxBytes = Number.POSITIVE_INFINITY,
): string {
  if (matches.length === 0) {
    const tools = searchable === 1 ? '1 tool' : `${searchable} tools`;
    return `No match among the ${tools} that can be searched. Say it in other words, or go on without.`;
  }
  const clipped = matches.map((tool) => ({
    ...tool,
    description: cutText(tool.description, MAX_DESCRIPTION),
  }));
  const whole = list(clipped.map(toolJson));
  if (textBytes(whole) <= maxBytes) return whole;
  const [best, ...others] = clipped;
  if (best === undefined) return list([]);
  const rest = others.map(brief);
  const named = Math.min(textBytes(list(rest)), Math.floor(maxBytes * NAMED_PART));
  const written = [fitting(best, maxBytes - named - 2, true) ?? brief(best), ...rest];
  while (written.length > 1 && textBytes(list(written)) > maxBytes) written.pop();
  for (const [at, tool] of others.slice(0, written.length - 1).entries()) {
    const taken = textBytes(list(written)) - textBytes(written[at + 1] ?? '');
    const fuller = fitting(tool, maxBytes - taken, false);
    if (fuller !== undefined) written[at + 1] = fuller;
  }
  return list(written);
}

/** Part of the answer that names the other matches, whatever the best one would take. */
const NAMED_PART = 0.25;
/** Description of a match whose schema had to go, or is short of room. */
const MAX_BRIEF = 100;

const brief = ({ name, description }: CompactTool): string =>
  safeJson(JSON.stringify({ name, description: cutText(description, MAX_BRIEF) }));

/** The tool with a schema, within so many bytes; one that lost all arguments helps only as the best match. */
function fitting(tool: CompactTool, bytes: number, isBest: boolean): string | undefined {
  const whole = toolJson(tool);
  if (textBytes(whole) <= bytes) return whole;
  const short = { ...tool, description: cutText(tool.description, MAX_BRIEF) };
  const room = bytes - textBytes(toolJson({ ...short, parameters: {} })) + 2;
  const { schema, rung } = compactToFit(tool.parameters, Math.max(0, room));
  if (rung === 'open' && !isBest) return undefined;
  const shrunk = toolJson({ ...short, parameters: schema });
  return textBytes(shrunk) <= bytes ? shrunk : undefined;
}

const list = (items: readonly string[]): string => `[${items.join(',')}]`;
