import { readUnmarkedJson } from './json-calls';
import { MESSAGE_START } from './message-mode';
import { closestNames } from './names';
import { readPFormat } from './p-format';
import { readPythonic } from './pythonic';
import { isOffered, type ReadContext, type Reading } from './raw-call';

/**
 * Reads text that no marker announced, `undefined` when it is anything but calls and messages.
 * `wholeReply`: nothing else was said, so a name that is not offered is a mistake worth reporting
 * rather than data.
 */
export function readUnmarked(
  text: string,
  context: ReadContext,
  wholeReply: boolean,
): Reading | undefined {
  if (/^\s*(?:\[[[\s]*)?\{/.test(text)) return readUnmarkedJson(text, context, !wholeReply);
  const reading = readPythonic(text, context) ?? readPFormat(text, context);
  if (!reading || reading.unread.length > 0 || reading.calls.length === 0) return undefined;
  const meant = (name: string): boolean =>
    isOffered(context, name) ||
    (wholeReply &&
      context.toolNames !== undefined &&
      closestNames(name, context.toolNames).length > 0);
  return reading.calls.every((call) => meant(call.name)) ? reading : undefined;
}

export const beginsMessage = (text: string): boolean =>
  text.length <= 96 && MESSAGE_START.test(text);
