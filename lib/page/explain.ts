import type { CallOutcome } from '../agent/ports';
import { saidIn, type Words } from '../said/said';
import { say } from '../said/say';
import { shownName } from '../tools/text/untrusted';
import type { PageTool } from '../tools/tool';
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
  const words = said ? { text: said } : inWords(tool, message);
  return {
    kind: 'error',
    message: words.text.slice(0, MAX_ERROR).toWellFormed(),
    ...saidIn(words),
    mayHaveRun,
  };
}

function inWords(tool: PageTool, message: string): Words {
  const name = shownName(tool.name);
  if (/^Tool was executed but the invocation failed/.test(message))
    return say('call-failed-silently', name);
  if (message === 'lost') return say('call-answer-lost', name);
  if (message === 'gone' || /unknown transient reason/.test(message))
    return say('call-withdrawn', name);
  if (/^Target frame is detached/.test(message)) return say('call-frame-gone', name);
  if (/disallowed by permissions policy/.test(message)) return say('call-not-allowed', name);
  // Chromium 156 forgets a form along with any other form of its name.
  if (/^Failed to execute 'executeTool'/.test(message)) return say('call-form-lost', name);
  if (/^The site has a programming error/.test(message)) return say('call-form-stopped', name);
  return message ? { text: message } : say('call-no-reason', name);
}
