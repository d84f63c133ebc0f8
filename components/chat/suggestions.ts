import { isReadOnly } from '../../lib/agent/approval';
import type { ListedTool } from '../../lib/messages/host-api';
import { isObject } from '../form/field';
import { toolTitle } from '../tool-title';

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
      text: toolTitle(tool),
      complete: needs === 0,
    }))
    .filter(({ text }) => text !== '' && !seen.has(text) && seen.add(text))
    .slice(0, most);
}

function requiredCount(schema: ListedTool['tool']['inputSchema']): number {
  const required = isObject(schema) ? schema['required'] : undefined;
  return Array.isArray(required) ? required.length : 0;
}
