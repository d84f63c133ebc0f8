import type { Exchange } from '../agent/options';
import { editDistance } from '../tools/text/edit-distance';
import { stem } from '../tools/text/stem';
import { STOP_WORDS } from '../tools/text/stop-words';
import { splitWords } from '../tools/text/words';
import type { JsonObject, JsonValue, ToolDescriptor } from '../tools/tool';
import type { TurnTrace } from './score';

/**
 * Three ways in which a turn can tell less or more than the truth: a condition that is dropped and not
 * told, a value that nobody gave, a deed told as done that was not. They know nothing of how an engine
 * works, so that they measure any: what they read is the request, the calls and the final words.
 */
export interface Heard {
  request: string;
  before: readonly Exchange[];
  /** What the user answered to questions of this turn. */
  answers: readonly (string | JsonObject)[];
  /** See `factsOf`. */
  facts: Readonly<Record<string, string>>;
  tools: readonly ToolDescriptor[];
}

/** An argument that should have been given. */
export interface Missing {
  argument: string;
  /** Ways to name it: the value, or the words of the request that it stands for. */
  words: readonly string[];
}

type Call = TurnTrace['calls'][number];
const toolOf = (heard: Heard, { name }: Call) => heard.tools.find((tool) => tool.name === name);

// ---- Conditions dropped silently ----

/** Everything the user read: the final words, and the questions with the arguments they ask for. */
const toldIn = (trace: TurnTrace): string =>
  [trace.text, ...trace.asked.flatMap((a) => [a.question, ...a.missing])].join(' \n ');

/** Whether a turn's words or questions name all of these words that mean something. */
export function isTold(words: string, trace: TurnTrace): boolean {
  const told = new Set(splitWords(toldIn(trace)).map(stem));
  const all = splitWords(words);
  const weighty = all.filter((word) => !STOP_WORDS.has(word));
  return (weighty.length > 0 ? weighty : all).every((word) => told.has(stem(word)));
}

/**
 * Conditions of the request that a turn passed over without a word: expected arguments that a call
 * lacks, and words of the request that reached no call. Where somebody wrote down which words no
 * argument takes (`conditions`), these count; else words are held against the calls by rules, which
 * err at times: the words are listed so that a person can judge. Of a turn that called nothing,
 * nothing is dropped: it refused or asked.
 */
export function droppedConditions(
  heard: Heard,
  trace: TurnTrace,
  missing: readonly Missing[],
  conditions?: readonly string[],
): string[] {
  if (trace.calls.length === 0) return [];
  const lacking = missing
    .filter((one) => ![one.argument, ...one.words].some((words) => isTold(words, trace)))
    .map((one) => one.words[0] ?? one.argument);
  const left = conditions ?? unusedWords(heard, trace.calls);
  const silent = left.filter((words) => !isTold(words, trace));
  // What an argument lacks is often what words were left: one fault, counted once.
  const known = new Set(missing.flatMap((one) => one.words.flatMap(splitWords)));
  return [...lacking, ...silent.filter((words) => !splitWords(words).some((w) => known.has(w)))];
}

/** What requests are wrapped in, or which deed they want: neither is a condition. */
const WRAPPING = new Set(
  [
    'show see look search check find display view read open list say add put place set make create start',
    'book reserve order buy send change update edit remove delete cancel clear return play take bring go',
    'going come try want able ready love great grateful really actually maybe ok okay yes no well now again',
    'back much many anything something everything nothing thing things stuff one ones item items right guys',
    'kindly cheers ta asap pls plz u ur hey yo gonna wanna lol sorry wondering hoping appreciate available',
    'possible ask answer mine self everyone someone people person there name called id number page site',
  ].flatMap((line) => line.split(' ')),
);

const NUMBER_WORDS = new Set(
  [
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen',
    'seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds',
    'thousand million k m half quarter third double triple single couple pair dozen few several once twice',
    'first second fourth fifth sixth seventh eighth ninth tenth last both another each solo alone myself',
    'zero nil none all every full fully whole',
  ].flatMap((line) => line.split(' ')),
);
/** What stands beside numbers. */
const UNITS = new Set(
  [
    'dollar dollars buck bucks euro euros pound pounds usd eur gbp quid cent cents percent rupees yen mile',
    'miles km metres meters feet ft sq inch inches kg grams g litres liters minutes hours nights days weeks',
    'months years star stars piece pieces times max min least most maximum minimum budget price cost costs',
    'total than up more less under over cheaper below above between',
  ].flatMap((line) => line.split(' ')),
);
const MOMENT_WORDS = new Set(
  [
    'today tonight tomorrow tomorow tomorrows yesterday monday tuesday wednesday thursday friday saturday',
    'sunday mon tue tues wed thu thur thurs fri sat sun january february march april may june july august',
    'september october november december jan feb mar apr jun jul aug sep sept oct nov dec week weeks weekend',
    'weekends month months year years day days fortnight noon midday midnight morning mornings afternoon',
    'evening night lunchtime lunch breakfast dinner am pm oclock clock hour hours minute minutes next last',
    'now asap soon later immediately straight date time then spring summer autumn winter christmas xmas',
    'easter eve holidays ago past quarter half end start beginning following coming birthday',
  ].flatMap((line) => line.split(' ')),
);
const isMoment = (word: string) =>
  MOMENT_WORDS.has(word) || MOMENT_WORDS.has(word.replace(/s$/, '')) || /\d/.test(word);
const isNumber = (word: string) =>
  NUMBER_WORDS.has(word) || /\d|ties$/.test(word) || /^(?:an?|just|me|no|only)$/.test(word);

const DATE_OR_TIME = /\d{4}-\d\d|^\d{1,2}:\d\d|\d\d\.\d\d\.\d{4}|^\d{1,2}\/\d{1,2}\//;

function unusedWords(heard: Heard, calls: readonly Call[]): string[] {
  const used = new Set<string>();
  const use = (text: unknown) => {
    for (const word of splitWords(text)) used.add(stem(word));
  };
  // Where the user is may be said, and need not reach a call; the date that it is must.
  for (const fact of ['page title', 'page address']) use(heard.facts[fact]);
  // "The one with the hood" is taken up by an id that was looked up.
  for (const { result } of calls.slice(0, -1)) use(result);
  for (const shown of heard.before.flatMap((one) => (one.calls ?? []).map((c) => c.shown)))
    use(shown);
  const leaves = calls.flatMap((call) => {
    const tool = toolOf(heard, call);
    for (const text of [call.name, tool?.title, tool?.description]) use(text);
    return leavesOf(call.arguments).map((leaf) => ({ ...leaf, schema: tool?.inputSchema }));
  });
  const digits: string[] = [];
  let moments = false;
  let numbers = false;
  for (const { path, value, schema } of leaves) {
    const [name = ''] = path.split(/[.[]/);
    use(name);
    for (const text of Object.values(propertyOf(schema, name) ?? {})) use(text);
    use(String(value));
    moments ||= typeof value === 'string' && DATE_OR_TIME.test(value);
    numbers ||= /\d/.test(String(value));
    digits.push(String(value).replace(/\D/g, ''));
  }
  const isUsed = (word: string) =>
    used.has(stem(word)) ||
    (moments && isMoment(word)) ||
    (numbers && (NUMBER_WORDS.has(word) || UNITS.has(word))) ||
    (/\d/.test(word) && numbersIn(word).every((n) => digits.some((d) => d.includes(n)))) ||
    (word.length > 3 && [...used].some((u) => u.length > 3 && editDistance(stem(word), u, 1) <= 1));
  const runs = conditionsIn(heard.request, isUsed);
  // A value in other words than the request's ("cuddly" → plush) takes up some of them: no rule tells which.
  const asked = new Set(splitWords(heard.request).map(stem));
  const translated = leaves.filter(
    ({ value }) =>
      typeof value === 'boolean' ||
      (typeof value === 'string' &&
        !DATE_OR_TIME.test(value) &&
        !splitWords(value).some((word) => asked.has(stem(word)))),
  );
  return runs.length > translated.length ? runs : [];
}

/** The digits of a word such as `r2c9`, zeros at the end left out: 3.40 is 3.4 and 600k 600000. */
const numbersIn = (word: string): string[] =>
  (word.match(/\d+/g) ?? []).map((n) => {
    let end = n.length;
    while (end > 1 && n[end - 1] === '0') end--;
    return n.slice(0, end);
  });

/** After these words stands what a wish is narrowed down by. */
const NARROWS = new Set(
  'without but only with than by before after under not if must except unless until near within'.split(
    ' ',
  ),
);

/**
 * Runs of neighbouring words that are neither used nor wrapping, as far as they narrow something down:
 * they hold a number, or a word such as "with" or "only" leads to them. Other words that are left are
 * mostly the same deed said otherwise ("how sound is the pair").
 */
function conditionsIn(request: string, isUsed: (word: string) => boolean): string[] {
  const runs: { words: string[]; narrows: boolean }[] = [];
  let open = false;
  let led: string[] = [];
  for (const piece of request.split(/\s+/)) {
    for (const word of splitWords(piece)) {
      if (STOP_WORDS.has(word)) {
        led.push(word);
        continue;
      }
      if (WRAPPING.has(word) || isUsed(word)) {
        open = false;
      } else {
        if (!open) {
          const narrows = led.slice(-3).some((one) => NARROWS.has(one)) || led.at(-1) === 'no';
          runs.push({ words: [], narrows });
        }
        const run = runs.at(-1);
        run?.words.push(word);
        if (run && /\d/.test(word)) run.narrows = true;
        open = true;
      }
      led = [];
    }
    if (/[,.;:!?]$/.test(piece)) {
      open = false;
      led = [];
    }
  }
  return runs.filter((run) => run.narrows).map((run) => run.words.join(' '));
}

// ---- Invented values ----

/**
 * Arguments whose value stands nowhere: neither in what the user said, in results, in facts, nor among
 * what the tool's own schema says. A date, time or number may be read from words, so it is accepted
 * where the user used words for any. `isExpected` frees values that somebody wrote down as right.
 */
export function inventedValues(
  heard: Heard,
  trace: TurnTrace,
  isExpected: (call: Call, argument: string) => boolean,
): string[] {
  const earlier = heard.before.flatMap((one) => [
    one.ask,
    one.answer,
    ...(one.calls ?? []).flatMap((c) => [c.shown, JSON.stringify(c.arguments)]),
  ]);
  const answers = heard.answers.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  const said = sourceOf([heard.request, ...heard.before.map((one) => one.ask), ...answers]);
  return trace.calls.flatMap((call, at) => {
    const schema = JSON.stringify(toolOf(heard, call)?.inputSchema ?? {});
    const results = trace.calls.slice(0, at).map((before) => before.result ?? '');
    const read = sourceOf([...earlier, ...results, schema]);
    const facts = sourceOf(Object.values(heard.facts));
    return leavesOf(call.arguments)
      .filter(({ path, value }) => {
        const [argument = ''] = path.split(/[.[]/);
        if (isExpected(call, argument)) return false;
        if (value === null || typeof value === 'boolean' || value === '') return false;
        if (typeof value === 'number' || /^[\d.,]+$/.test(value)) {
          return !said.words.some(isNumber) && !said.words.some(isMoment) && !stands(value, read);
        }
        if (DATE_OR_TIME.test(value)) return !said.words.some(isMoment) && !stands(value, read);
        return ![said, read, facts].some((source) => stands(value, source));
      })
      .map(({ path }) => path);
  });
}

interface Source {
  words: readonly string[];
  stems: ReadonlySet<string>;
  digits: string;
}

function sourceOf(texts: readonly string[]): Source {
  const whole = texts.flatMap(splitWords);
  // A row and a seat may both be read from "F14".
  const words = [...whole, ...whole.flatMap((word) => word.match(/\d+|\D+/g) ?? [])];
  const digits = texts.map((text) => text.replace(/\D/g, '')).join(' ');
  return { words, stems: new Set(words.map(stem)), digits };
}

/** Every word of the value stands in the source, or its digits do where it has hardly anything else. */
function stands(value: string | number, source: Source): boolean {
  const text = String(value);
  const words = splitWords(text);
  if (words.length === 0 || words.every((word) => source.stems.has(stem(word)))) return true;
  const digits = text.replace(/\D/g, '');
  return !/\p{L}/u.test(text) && digits.length >= 4 && source.digits.includes(digits);
}

// ---- False "done" ----

const CLAIMS =
  /\bdone\b|\ball set\b|\bsuccess(?:fully)?\b|\b(?:i(?:['’]ve| have| just)?|we(?:['’]ve| have)?|has been|have been|is now|are now|was|were|it['’]?s)\s+(?:\w+ly |now |just |also |been )?(?:\w{2,}ed|sent|set|put|made|bought|paid|taken|given|written)\b/i;
const DENIES =
  /\b(?:no tool|not|cannot|can['’]?t|could ?n['’]?t|did ?n['’]?t|was ?n['’]?t|unable|fail(?:s|ed)?|refused|error|still need|left out)\b/i;

/**
 * Whether the final words tell a deed as done that was not: they claim one and deny nothing, though no
 * call ran, or a changing call that was expected (`changing`, names of tools) was not made or failed.
 * Reads English.
 */
export function isFalseDone(trace: TurnTrace, changing: readonly string[]): boolean {
  if (trace.asked.length > 0 || !CLAIMS.test(trace.text) || DENIES.test(trace.text)) return false;
  const done = trace.calls.filter((call) => call.done).map((call) => call.name);
  if (done.length === 0) return true;
  return changing.some((name) => {
    const at = done.indexOf(name);
    if (at >= 0) done.splice(at, 1);
    return at < 0;
  });
}

/** By its own hint, else by its name, a tool only reads. */
export const onlyReads = (tool: Pick<ToolDescriptor, 'name' | 'annotations'>): boolean =>
  tool.annotations?.readOnlyHint ??
  /^(?:get|list|search|view|find|look|query|display|show|check|read|count|fetch)/i.test(tool.name);

// ---- Values of arguments ----

type Leaf = { path: string; value: string | number | boolean | null };

/** Plain values with where they stand: `address.city`, `sizes[0]`. */
function leavesOf(value: JsonValue, path = ''): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((one, i) => leavesOf(one, `${path}[${i}]`));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, one]) =>
      leavesOf(one, path === '' ? key : `${path}.${key}`),
    );
  }
  return [{ path, value }];
}

function propertyOf(schema: JsonObject | undefined, name: string): JsonObject | undefined {
  const properties = schema?.['properties'];
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return;
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return typeof property === 'object' && !Array.isArray(property)
    ? (property ?? undefined)
    : undefined;
}
