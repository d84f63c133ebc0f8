import { type CountTokens, estimateTokens } from '../budget';
import { textBytes } from '../schema/size';
import type { CompactTool } from '../tool';
import { LISTINGS, type Listing, renderTool, renderTools, toolJson } from './listing';

/** What one tool costs in one listing. */
export interface ToolCost {
  /** Bytes of its compact JSON, whatever the listing. */
  bytes: number;
  /** Tokens of its lines in the prompt. */
  tokens: number;
}

/** What a tool costs in a listing, by default in estimated tokens. */
export function toolCost(
  tool: CompactTool,
  listing: Listing,
  count: CountTokens = estimateTokens,
): ToolCost {
  return { bytes: textBytes(toolJson(tool)), tokens: count(renderTool(listing, tool)) };
}

/** The wire size of a set of tools: compact JSON of the list they would be sent as. */
export function wireBytes(tools: readonly CompactTool[]): number {
  return textBytes(`[${tools.map(toolJson).join(',')}]`);
}

export interface ListingCost {
  listing: Listing;
  bytes: number;
  tokens: number;
}

/** What the same tools cost in every listing, cheapest first. */
export function compareListings(
  tools: readonly CompactTool[],
  count: CountTokens = estimateTokens,
): ListingCost[] {
  return LISTINGS.map((listing) => {
    const text = renderTools(listing, tools);
    return { listing, bytes: textBytes(text), tokens: count(text) };
  }).sort((a, b) => a.tokens - b.tokens);
}

/** Up to here a window is small: every schema written out in JSON is felt. */
const SMALL_WINDOW = 8_192;

/**
 * How tools are listed unless a dialect needs otherwise: signatures with named and typed arguments
 * where the window is small (P-Format takes as much once the notes say its types, and a model has to
 * count places), JSON
 * Schema, which more models were trained on, where there is room.
 */
export const listingFor = (window: number): Listing =>
  window <= SMALL_WINDOW ? 'typescript' : 'json';
