import type { Reading, ToolReading } from '../../reader/read';
import type { ReadableTool } from '../../reader/text';
import type { Clock } from './dates';
import type { Filled } from './fill';
import { fillRead } from './fill-read';
import type { Known } from './known';
import type { Intent } from './plan';
import { isStopWord, numberWord, ordinal, wordsOf } from './words';

/** Reads a request held against some tools; `earlier` is what was said before it, nearest first. */
export type Read = (
  request: string,
  earlier: readonly string[],
  tools: readonly ReadableTool[],
  signal: AbortSignal,
) => Promise<Reading>;

/** Log-odds within which two tools that both serve are too close to choose between. */
const CLOSE = 0.7;

/** Log-odds down to which a tool may be meant: the user is asked, nothing is done. */
const UNSURE = -0.6;

/** What the request asks for, in order: a part of it for each deed, with the tool and its arguments. */
export async function understand(
  read: Read,
  ask: string,
  earlier: readonly string[],
  tools: readonly Known[],
  clock: Clock | undefined,
  signal: AbortSignal,
): Promise<Intent[]> {
  const readable = tools.map(({ tool }) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.parameters,
  }));
  const whole = await read(ask, earlier, readable, signal);
  const parts = partsOf(ask, whole.cuts);
  if (parts.length < 2) return [intentOf(whole, ask, [ask, ...earlier], tools, clock)];
  const intents: Intent[] = [];
  for (const [i, part] of parts.entries()) {
    const before = parts.slice(0, i).join(' ');
    const texts = i > 0 ? [part, before, ...earlier] : [part, ...earlier];
    const reading = await read(part, texts.slice(1), readable, signal);
    intents.push(intentOf(reading, part, texts, tools, clock));
  }
  // Parts of one tool that fill different arguments of it are one deed: "from 500, and not above 900".
  const [first, ...others] = intents;
  const tool = first?.best;
  if (tool && others.every((i) => i.best === tool)) {
    const slots = intents.map((i) => [...(i.filled?.values.keys() ?? [])]);
    const all = slots.flat();
    if (slots.every((of) => of.length > 0) && new Set(all).size === all.length)
      return [intentOf(whole, ask, [ask, ...earlier], tools, clock)];
  }
  // A part that nothing serves is no deed of its own where the whole names one tool.
  if (intents.filter((i) => i.best).length < 2) {
    const one = intentOf(whole, ask, [ask, ...earlier], tools, clock);
    if (one.best) return [one];
  }
  return intents;
}

const LINK =
  /^[\s,;.!?]*(?:(?:and|then|also|plus|und)\b[\s,]*)*|[\s,;.]*(?:\b(?:and|then))?[\s,;.]*$/gi;

function partsOf(ask: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts, ask.length];
  return places
    .slice(1)
    .map((end, i) => ask.slice(places[i], end).replace(LINK, '').trim())
    .filter((part) => part !== '');
}

function intentOf(
  reading: Reading,
  text: string,
  texts: readonly string[],
  tools: readonly Known[],
  clock: Clock | undefined,
): Intent {
  const serving = numbered(
    text,
    reading.tools.filter((t) => t.score > 0),
    reading.tools,
  );
  const [top, ...rest] = serving;
  const best = top && tools.find((k) => k.tool.name === top.name);
  const fillOf = (known: Known): Filled => {
    const told = reading.tools.find((t) => t.name === known.tool.name);
    return fillRead(
      known,
      told ?? { name: known.tool.name, score: 0, slots: [], left: [] },
      texts,
      clock,
    );
  };
  const oddsOf = (known: Known): number =>
    reading.tools.find((t) => t.name === known.tool.name)?.score ?? Number.NEGATIVE_INFINITY;
  if (!top || !best) {
    const maybe = reading.tools.filter((t) => t.score > UNSURE).slice(0, 2);
    return {
      text,
      rivals: maybe.flatMap((t) => tools.find((k) => k.tool.name === t.name) ?? []),
      fillOf,
      oddsOf,
    };
  }
  const filled = fillOf(best);
  const rivals = best.reads
    ? []
    : rest
        .filter((t) => top.score - t.score < CLOSE)
        .flatMap((t) => tools.find((k) => k.tool.name === t.name) ?? []);
  return { text, best, filled, rivals: rivals.slice(0, 3), fillOf, oddsOf };
}

const nameWithoutNumber = (name: string): string => name.replace(/\d+/, '#');

/**
 * Tools that differ by a number alone ("open door 1", "open door 2") are told apart by the number that the
 * request says, in figures or words; where it says none, none of them is likelier.
 */
function numbered(
  text: string,
  serving: readonly ToolReading[],
  all: readonly ToolReading[],
): readonly ToolReading[] {
  const groupOf = (name: string): ToolReading[] =>
    /\d/.test(name) ? all.filter((t) => nameWithoutNumber(t.name) === nameWithoutNumber(name)) : [];
  const words = wordsOf(text);
  const said = words.flatMap(
    (w) => numberWord(w.text) ?? ordinal(w.text) ?? (/^\d+$/.test(w.text) ? Number(w.text) : []),
  );
  const content = words.filter((w) => !isStopWord(w.text));
  // A bare number answers what the page asks.
  const bare = content.length <= 2 && said.length === 1 ? all : [];
  for (const candidate of [...serving.slice(0, 1), ...bare]) {
    const group = groupOf(candidate.name);
    if (group.length < 2) continue;
    const picked = group.find((t) => said.includes(Number(/\d+/.exec(t.name)?.[0])));
    if (picked) return [picked, ...serving.filter((t) => !group.includes(t))];
    if (candidate === serving[0]) {
      const score = candidate.score;
      return [...group.map((t) => ({ ...t, score })), ...serving.filter((t) => !group.includes(t))];
    }
  }
  return serving;
}

/** Log-odds down to which a tool that the words match is believed, though the reader doubts it. */
const DOUBT = -1.5;
/** Log-odds within which the words decide between two tools that the reader holds likely. */
const TIE = 1;

/**
 * The reader and the words that match read the same request: where they mean one tool, what only the words
 * gave is added; where the reader doubts, a tool that the words name is taken if it is not unlikely.
 */
export function agreed(read: readonly Intent[], matched: readonly Intent[]): Intent[] {
  const [own] = read;
  const [other] = matched;
  if (read.length !== 1 || matched.length !== 1 || !own || !other?.best || !other.filled)
    return [...read];
  const odds = own.oddsOf?.(other.best) ?? Number.NEGATIVE_INFINITY;
  if (own.best === other.best) return [merged(own, other)];
  const ownOdds = own.best ? (own.oddsOf?.(own.best) ?? 0) : 0;
  const believed = own.best ? ownOdds - odds < TIE : odds > DOUBT;
  if (!believed || !own.fillOf) return [...read];
  return [merged({ ...own, best: other.best, filled: own.fillOf(other.best), rivals: [] }, other)];
}

/** The reading with the typed values that only the words gave. */
function merged(own: Intent, other: Intent): Intent {
  const filled = own.filled;
  if (!filled || !other.filled) return own;
  const values = new Map(filled.values);
  for (const [slot, value] of other.filled.values)
    if (!values.has(slot) && (slot.required || !FREE.has(slot.kind))) values.set(slot, value);
  const said = [...values.values()].map((v) => String(v).toLowerCase());
  return {
    ...own,
    rivals: [],
    filled: {
      ...filled,
      values,
      missing: filled.missing.filter((s) => !values.has(s)),
      phrase: filled.phrase || other.filled.phrase,
      about: filled.about || other.filled.about,
      left: filled.left.filter((w) => !said.includes(w.toLowerCase())),
    },
  };
}

const FREE: ReadonlySet<string> = new Set(['text', 'body', 'list', 'ref']);
