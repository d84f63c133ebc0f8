import type { Finding } from './finding';

/** What one finding of a kind takes off its tool, of 100. */
const COST = { error: 50, warning: 15, hint: 5 } as const;

/**
 * How ready a page's tools are for a small model, from 0 to 100: the mean of its tools, each at 100
 * less 50 for an error, 15 for a warning and 5 for a hint, never below 0; what concerns the page as a
 * whole is taken off the mean. `undefined` where there are no tools.
 */
export function readinessScore(
  toolNames: readonly string[],
  findings: readonly Finding[],
): number | undefined {
  if (toolNames.length === 0) return undefined;
  const lost = new Map<string, number>();
  for (const { tool, severity } of findings) {
    lost.set(tool, (lost.get(tool) ?? 0) + COST[severity]);
  }
  const sum = toolNames.reduce((n, name) => n + Math.max(0, 100 - (lost.get(name) ?? 0)), 0);
  return Math.max(0, Math.round(sum / toolNames.length - (lost.get('') ?? 0)));
}
