import { byCodeUnit } from '../render/p-format';
import { cutText } from '../text/cut';
import { editDistance } from '../text/edit-distance';
import { safeJson, safeLine } from '../text/untrusted';
import { splitWords } from '../text/words';
import type { JsonValue } from '../tool';

/** Most names an answer suggests. */
const MAX_SIMILAR = 3;
/** The whole answer stays below this many characters; the bounds of what it echoes leave room for it. */
const MAX_ANSWER = 400;
const MAX_ECHO = 48;
const MAX_ARGUMENTS = 60;

export interface UnknownTool {
  /** For the model: what was wrong and what to do instead. Under 400 characters. */
  message: string;
  /** The names it suggests, at most three. */
  similar: string[];
}

export interface UnknownRequest {
  name: string;
  arguments?: JsonValue;
  /** Every name the model may call; never a hidden one. */
  callable: Iterable<string>;
  /** Whether `tool_search` is offered and is Pagehand's own. */
  canSearch: boolean;
}

/** The answer to a call of a tool that is not there. */
export function unknownToolAnswer(request: UnknownRequest): UnknownTool {
  const similar = similarNames(request.name, request.callable);
  const name = cutText(safeLine(cutText(request.name, 2 * MAX_ECHO)), MAX_ECHO);
  const missing = `There is no tool "${name}"${echo(request.arguments)}; calling it again fails the same way.`;
  const advice = request.canSearch
    ? 'To find a tool, call tool_search and say what you want to do.'
    : 'Use only the tools in your list.';
  for (;;) {
    const close = similar.length > 0 ? `Close matches: ${similar.join(', ')}. ` : '';
    const message = `${missing} ${close}${advice}`;
    if (message.length < MAX_ANSWER || similar.length === 0) return { message, similar };
    similar.pop();
  }
}

function echo(args: JsonValue | undefined): string {
  if (args === undefined) return '';
  const text = safeJson(JSON.stringify(args));
  const shown = text.length > MAX_ARGUMENTS ? `${cutText(text, MAX_ARGUMENTS - 1)}…` : text;
  return ` (arguments ${shown})`;
}

/** Words that say nothing about what a tool does. */
const GENERIC = new Set(['tool', 'tools', 'mcp', 'get', 'set', 'run']);
/** Letters that may differ in a mistyped name. */
const MAX_TYPOS = 2;
/** As much of an asked name is compared as a name can have. */
const MAX_NAME = 64;
const SHORTEST_TYPO = 5;

interface Similarity {
  name: string;
  typos: number;
  shared: number;
  prefix: number;
}

/**
 * The names a caller may have meant, at most three, best first: mistyped ones, then those that share
 * most words, the longer common start, the shorter name. Never the name asked for.
 */
export function similarNames(asked: string, names: Iterable<string>): string[] {
  const wanted = cutText(asked, MAX_NAME);
  const words = new Set(wordsOf(wanted));
  const squashed = squash(wanted);
  const found: Similarity[] = [];
  for (const name of names) {
    if (name === asked) continue;
    const shared = [...new Set(wordsOf(name))].filter((word) => words.has(word)).length;
    const typos =
      squashed.length < SHORTEST_TYPO
        ? MAX_TYPOS + 1
        : editDistance(squashed, squash(name), MAX_TYPOS);
    if (shared > 0 || typos <= MAX_TYPOS) {
      found.push({ name, typos, shared, prefix: commonPrefix(wanted, name) });
    }
  }
  return found
    .sort(closest)
    .slice(0, MAX_SIMILAR)
    .map(({ name }) => name);
}

const wordsOf = (name: string): string[] =>
  splitWords(name).filter((word) => word.length > 1 && !GENERIC.has(word));
const squash = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function closest(a: Similarity, b: Similarity): number {
  return (
    a.typos - b.typos ||
    b.shared - a.shared ||
    b.prefix - a.prefix ||
    a.name.length - b.name.length ||
    byCodeUnit(a.name, b.name)
  );
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
