import { getOwn, isRecord } from './json';
import { readJsonArguments } from './json-calls';
import { isOffered, type ReadContext, type Reading } from './raw-call';

const HEAD =
  /^\s*(?:function\s{0,8}(?=<))?(?:<[|｜]tool[▁_]sep[|｜]>)?\s{0,8}(\w[\w./:-]{0,255})\s{0,8}(\[CALL_ID\][^[{]{0,64})?(\[ARGS\]|<[|｜]tool[▁_]sep[|｜]>|<\|tool_call_argument_begin\|>|(?:<\|constrain\|>\s{0,8}\w{1,16}\s{0,8})?<\|message\|>)?\s{0,8}(?:```(?:json)?)?\s{0,8}(?=\{)/i;

/** `functions.search:0` is how some families number their calls. */
const plainName = (name: string): string => name.replace(/^functions\./, '').replace(/:\d+$/, '');

/**
 * Reads a name with its arguments behind it: `NAME[ARGS]{…}`, `function<｜tool▁sep｜>NAME {…}`,
 * `NAME<｜tool▁sep｜>{…}`, `functions.NAME <|constrain|>json<|message|>{…}`, and plain `NAME {…}`, which small models write in any tag.
 */
export function readHeaded(text: string, context: ReadContext): Reading | undefined {
  const head = HEAD.exec(text);
  const written = head?.[1];
  if (!head || written === undefined) return undefined;
  const name = isOffered(context, written) ? written : plainName(written);
  const reading = readJsonArguments(name, text.slice(head[0].length), context);
  const explicit = head[3] !== undefined || /sep[|｜]>/.test(head[0]);
  if (explicit || isOffered(context, name)) return reading;
  // `json {"name":…}`: the word is a label and the call stands in the braces.
  const args = reading?.calls[0]?.arguments;
  return isRecord(args) && getOwn(args, 'name') !== undefined ? undefined : reading;
}
