import type { ListedTool } from '../../lib/messages/host-api';

export type SortBy = 'page' | 'name' | 'bytes' | 'tokens';

/** Tools in the wanted order; `page` is per frame, the page's own first, as they were collected. */
export function sortTools(listed: readonly ListedTool[], by: SortBy): ListedTool[] {
  const compare: Record<SortBy, (a: ListedTool, b: ListedTool) => number> = {
    page: (a, b) => a.tool.frameId - b.tool.frameId,
    name: (a, b) => (a.tool.name < b.tool.name ? -1 : a.tool.name > b.tool.name ? 1 : 0),
    bytes: (a, b) => b.bytes - a.bytes,
    tokens: (a, b) => b.tokens - a.tokens,
  };
  return listed.toSorted(compare[by]);
}
