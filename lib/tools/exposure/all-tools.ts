import type { CountTokens } from '../budget';
import { type Listing, renderTool } from '../render/listing';
import type { ToolEntry } from './entry';

/** Up to here every tool is counted; beyond, the rest is taken to be like those. */
const MAX_COUNTED = 64;

/**
 * Tokens that advertising every tool that is not hidden would cost, each with the schema its page
 * declared. For large catalogs an estimate from an even sample.
 */
export function allToolsTokens(
  entries: readonly ToolEntry[],
  listing: Listing,
  count: CountTokens,
): number {
  const all = entries.filter((entry) => entry.exposure !== 'hidden');
  const stride = Math.max(1, Math.ceil(all.length / MAX_COUNTED));
  const sample = all.filter((_, index) => index % stride === 0);
  const tokens = sample
    .map((entry) =>
      count(
        renderTool(listing, {
          name: entry.name,
          description: entry.tool.description,
          parameters: entry.schema,
        }),
      ),
    )
    .reduce((sum, each) => sum + each, 0);
  return sample.length === 0 ? 0 : Math.round((tokens * all.length) / sample.length);
}
