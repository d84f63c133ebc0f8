import type { CountTokens } from '../budget';
import { type Listing, renderTool } from '../render/listing';
import { cutText } from '../text/cut';
import type { ToolEntry } from './entry';
import { estimateSum } from './sample';

/**
 * Tokens that advertising every tool that is not hidden would cost, each with the schema its page
 * declared. For large catalogs an estimate.
 */
export function allToolsTokens(
  entries: readonly ToolEntry[],
  listing: Listing,
  count: CountTokens,
): number {
  const all = entries.filter((entry) => entry.exposure !== 'hidden');
  return estimateSum(all, ({ name, tool, schema }) =>
    countLong(
      renderTool(listing, {
        name,
        description: cutText(tool.description, MAX_COUNTED),
        parameters: schema,
      }),
      count,
    ),
  );
}

/** Characters of one tool that are counted; a longer one is taken to go on alike. */
const MAX_COUNTED = 20_000;

function countLong(text: string, count: CountTokens): number {
  if (text.length <= MAX_COUNTED) return count(text);
  return (count(cutText(text, MAX_COUNTED)) * text.length) / MAX_COUNTED;
}
