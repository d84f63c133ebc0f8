import { checkArguments } from '../agent/arguments/check';
import { problemOf } from '../agent/events';
import type { AgentPage, CallOutcome } from '../agent/ports';
import type { RunToolResult } from '../messages/host-api';
import { say } from '../said/say';
import type { JsonObject, PageTool } from '../tools/tool';

/**
 * Runs a tool because the user said so in a form: checked against the schema the page declared, not
 * asked for approval again. Nothing runs while there are problems.
 */
export async function runByHand(
  page: AgentPage,
  key: string,
  args: JsonObject,
  signal: AbortSignal,
  now: () => number,
  /** Tells of the call what there is to tell, and runs it. */
  told: (
    tool: PageTool,
    run: (signal: AbortSignal) => Promise<CallOutcome>,
  ) => Promise<CallOutcome>,
): Promise<RunToolResult> {
  const { tools } = await page.collect(signal);
  const tool = tools.find((candidate) => candidate.key === key);
  if (!tool) {
    return { problems: [problemOf('', say('tool-not-offered'))], outcome: null, ms: 0 };
  }
  const { problems } = checkArguments(tool.inputSchema, args);
  if (problems.length > 0) return { problems, outcome: null, ms: 0 };
  const start = now();
  const outcome = await told(tool, (stop) =>
    page.call(tool, args, AbortSignal.any([signal, stop])),
  );
  return { problems: [], outcome, ms: now() - start };
}
