import { type CountTokens, estimateTokens } from '../budget';
import { bridgeTool } from '../discovery/bridge';
import { toolJson } from '../render/listing';
import { type ToolCost, toolCost } from '../render/report';
import { textBytes } from '../schema/size';
import type { Choice } from './choose';
import type { ToolEntry } from './entry';
import { type Presentation, presentEntry } from './presentation';
import { estimateSum } from './sample';

/** The surface a turn starts with, before any budget narrows it. */
export interface Advertised {
  /** Direct tools; the search is not one of them. */
  direct: number;
  deferred: number;
  /** Compact JSON of the direct tools and the search; from a sample where there are hundreds. */
  schemaBytes: number;
}

/** The fields of the `tools-advertised` event, once per turn from its first choice. */
export function advertisedSurface(choice: Choice): Advertised {
  const direct = choice.entries.filter((entry) => entry.exposure === 'direct');
  const deferred = choice.entries.filter((entry) => entry.exposure === 'deferred');
  const canSearch = choice.registry.canSearch && deferred.length > 0;
  const search = canSearch ? [bridgeTool(deferred.map(asListed), choice.policy).tool] : [];
  const bytes =
    estimateSum(direct, (entry) => textBytes(toolJson(choice.present(entry)))) +
    search.reduce((sum, tool) => sum + textBytes(toolJson(tool)), 0);
  // A list's brackets, and a comma between any two.
  const around = 1 + Math.max(1, direct.length + search.length);
  return { direct: direct.length, deferred: deferred.length, schemaBytes: bytes + around };
}

const asListed = ({ name, tool }: ToolEntry): { name: string; description: string } => ({
  name,
  description: tool.description,
});

/** What an entry costs when it is direct: for the list of a site's tools. */
export const entryCost = (
  entry: ToolEntry,
  presentation: Presentation,
  count: CountTokens = estimateTokens,
): ToolCost => toolCost(presentEntry(entry, presentation), presentation.listing, count);

/** Tools that a log names one by one; of more it tells how many and why. */
const MAX_NAMED = 100;

/** `left` as it is logged: bounded, and every tool accounted for. */
export function leftForLog(left: Choice['left']): Choice['left'] {
  if (left.length <= MAX_NAMED) return left;
  const counts = new Map<string, number>();
  for (const { why } of left.slice(MAX_NAMED)) counts.set(why, (counts.get(why) ?? 0) + 1);
  const rest = [...counts].map(([why, count]) => ({ name: `${count} more`, key: '', why }));
  return [...left.slice(0, MAX_NAMED), ...rest];
}
