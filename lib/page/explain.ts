import type { CallOutcome } from '../agent/ports';
import type { PageTool } from '../tools/tool';
import { label } from './check';
import { MAX_ERROR } from './wire';

type Failure = Extract<CallOutcome, { kind: 'error' }>;

/** Raised while the browser reads the arguments or finds the tool: nothing of the page has run. */
const BEFORE_RUN =
  /^Failed to parse input|there is no such parameter for the tool|^Invalid value |^JSON input arguments|^Form validation failed|^No submit button was found|^Target frame is detached|disallowed by permissions policy|^Failed to execute 'executeTool'/;

/**
 * What went wrong with a call, in words for the model and the user: the tool's own where they came
 * through, else what the browser's stock phrases mean.
 */
export function explainFailure(
  tool: PageTool,
  failure: { message: string; said?: string; ran?: boolean },
): Failure {
  const { message, said } = failure;
  const mayHaveRun = failure.ran ?? !(said === undefined && BEFORE_RUN.test(message));
  const words = said || inWords(tool, message);
  return { kind: 'error', message: words.slice(0, MAX_ERROR).toWellFormed(), mayHaveRun };
}

function inWords(tool: PageTool, message: string): string {
  const name = label(tool.name);
  if (/^Tool was executed but the invocation failed/.test(message))
    return `${name} failed, and the browser does not pass on why. The page's console has the error.`;
  if (message === 'gone' || /unknown transient reason/.test(message))
    return `${name} was withdrawn, or its frame went away, while it was being called.`;
  if (/^Target frame is detached/.test(message)) return `The frame that offered ${name} is gone.`;
  if (/disallowed by permissions policy/.test(message))
    return `The page does not allow tools in the frame that offered ${name}.`;
  // Chromium 156 forgets a form along with any other form of its name.
  if (/^Failed to execute 'executeTool'/.test(message))
    return `${name} is on the page, but the browser no longer offers it. Reload the page to get it back.`;
  if (/^The site has a programming error/.test(message))
    return `The page stopped its own form from being sent and gave no answer; ${name} may or may not have done its work.`;
  return message || `${name} failed without saying why.`;
}
