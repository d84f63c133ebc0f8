import type { Engine } from '../agent/engine';
import type { AgentSettings } from '../agent/options';
import type { PageTool } from '../tools/tool';
import { driveCase } from './drive';
import { casesOf, type EvalSite } from './format';
import { scoreCase, type TurnScore } from './score';

/**
 * Runs the first case of a file through the real loop with an engine that is loaded. The page is
 * the recorded one: its results are what the file says, nothing runs. `tools` stand in for the
 * recorded definitions, to see what a rewrite changes. Rejects with the signal's reason.
 */
export async function replay(
  site: EvalSite,
  engine: Engine,
  options: { tools?: readonly PageTool[]; settings: AgentSettings; signal: AbortSignal },
): Promise<TurnScore[]> {
  const [one] = casesOf(site);
  if (!one) return [];
  const traces = await driveCase(one, engine, options);
  // The loop itself ends a stopped turn in peace.
  options.signal.throwIfAborted();
  return scoreCase(one, traces).turns;
}
