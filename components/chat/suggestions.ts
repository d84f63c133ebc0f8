import { isReadOnly } from '../../lib/agent/approval';
import type { ListedTool } from '../../lib/messages/host-api';
import { isObject } from '../form/field';

export interface Suggestion {
  text: string;
  /** Whether it can be sent as it is; else the user completes it in the composer. */
  complete: boolean;
}

/**
 * Things to ask, made from the page's own tools: those that only read come first, as they are safe to
 * try; those that need values are left for the user to complete.
 */
export function suggestionsFor(listed: readonly ListedTool[], most = 4): Suggestion[] {
  const seen = new Set<string>();
  return listed
    .filter(({ exposure }) => exposure !== 'hidden')
    .map(({ tool }) => ({ tool, needs: requiredCount(tool.inputSchema) }))
    .sort((a, b) => Number(isReadOnly(b.tool)) - Number(isReadOnly(a.tool)) || a.needs - b.needs)
    .map(({ tool, needs }) => ({
      text: (tool.title || humanName(tool.name)).slice(0, 60),
      complete: needs === 0,
    }))
    .filter(({ text }) => text !== '' && !seen.has(text) && seen.add(text))
    .slice(0, most);
}

/** `search_products` and `searchProducts` as people write them: "Search products". */
export function humanName(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function requiredCount(schema: ListedTool['tool']['inputSchema']): number {
  const required = isObject(schema) ? schema['required'] : undefined;
  return Array.isArray(required) ? required.length : 0;
}
