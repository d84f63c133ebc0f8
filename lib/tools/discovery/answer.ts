import { toolJson } from '../render/listing';
import { compactToFit } from '../schema/compaction';
import { textBytes } from '../schema/size';
import { cutText } from '../text/cut';
import { safeJson } from '../text/untrusted';
import type { CompactTool } from '../tool';

const MAX_DESCRIPTION = 500;

/**
 * What a search says to the model: the matches as `{name, description, parameters}`, or a note that
 * nothing matched. Where the whole does not fit `maxBytes`, schemas are shrunk to equal parts, then
 * left out (what was found is declared in full in the next step's tools anyway), then the last matches.
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
  const part = Math.floor(maxBytes / matches.length);
  const shrunk = list(clipped.map((tool) => shrink(tool, part)).map(toolJson));
  if (textBytes(shrunk) <= maxBytes) return shrunk;
  const brief = clipped.map(({ name, description }) =>
    safeJson(JSON.stringify({ name, description: cutText(description, MAX_BRIEF) })),
  );
  while (brief.length > 1 && textBytes(list(brief)) > maxBytes) brief.pop();
  return list(brief);
}

/** Description of a match whose schema had to go. */
const MAX_BRIEF = 100;

function shrink(tool: CompactTool, bytes: number): CompactTool {
  const rest = textBytes(toolJson({ ...tool, parameters: {} }));
  const { schema } = compactToFit(tool.parameters, Math.max(0, bytes - rest));
  return { ...tool, parameters: schema };
}

const list = (items: readonly string[]): string => `[${items.join(',')}]`;
