import type { CountTokens } from '../budget';
import { type Listing, renderTool } from '../render/listing';
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
    count(renderTool(listing, { name, description: tool.description, parameters: schema })),
  );
}
