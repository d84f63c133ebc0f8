import type { GenerateRequest } from '../../agent/engine';
import type { JsonObject, JsonValue } from '../../tools/tool';
import { answerOf, failureOf, isEmptyResult, nothingFits, saidHello } from './answer';
import { askedActions } from './asks';
import type { Rank } from './choose';
import { clausesOf, isOnlyNegated, plainWords } from './clauses';
import { type Clock, clockOf } from './dates';
import { argumentsOf, fill } from './fill';
import { type Known, knownOf } from './known';
import { otherWords } from './meanings';
import { type Intent, intentOf, intentsOf } from './plan';
import {
  askForValues,
  askIfMeant,
  askWhichItem,
  askWhichTool,
  askWithout,
  closedQuestion,
  notUnderstood,
  readQuestion,
} from './questions';
import { lookUp, openFor, resolveReferences } from './resolve';
import type { Slot } from './slots';
import { type Answered, ASK_USER, readTurn, TOOL_SEARCH, type Turn } from './turn';
import { agreed, type Read, understand } from './understand';
import { isStopWord, sayName, wordsOf } from './words';

/** What the engine says: a call, or words for the user. */
export type Reply =
  | { type: 'tool_call'; name: string; arguments: JsonObject }
  | { type: 'message'; text: string };

/** What every rule may look at. */
export interface Scene {
  turn: Turn;
  tools: Known[];
  clock: Clock | undefined;
  /** True where a question can be put to the user in mid-turn. */
  canAsk: boolean;
  /** True where the page has tools that this step does not show. */
  canSearch: boolean;
  rank?: Rank;
  /** For each part of the request, the tool that was called for it: it stays served when the tool leaves. */
  served: Map<number, string>;
}

/** What the rules work with besides the messages. */
export interface Means {
  rank?: Rank;
  /** Reads the request; without it, the words are matched. */
  read?: Read;
  /** Which tool was called for which part of the request, kept over the steps of a turn. */
  memory: (turn: Turn) => Map<number, string>;
  signal: AbortSignal;
}

/**
 * The next reply to a conversation, from the messages alone: it is worked out anew at each step, so
 * nothing is kept between steps. What tools returned is only ever shown or passed on as a value of an
 * argument; which tools run follows from the user's words.
 */
export async function decide(
  request: GenerateRequest,
  { rank, read, memory, signal }: Means,
): Promise<Reply> {
  const turn = continued(readTurn(request.messages), request);
  const scene: Scene = {
    turn,
    tools: knownOf(request.tools),
    clock: clockOf(request.facts),
    canAsk: request.tools.some((t) => t.name === ASK_USER),
    canSearch: request.tools.some((t) => t.name === TOOL_SEARCH),
    rank,
    served: memory(turn),
  };
  const last = turn.calls.at(-1);
  if (last?.result?.isError) return { type: 'message', text: failureOf(last) };
  if (turn.answers.at(-1)?.answer === null) {
    return { type: 'message', text: closedQuestion(turn.answers.at(-1)?.question ?? '') };
  }
  const hello = turn.calls.length === 0 ? saidHello(turn.ask, scene.tools) : undefined;
  if (hello !== undefined) return { type: 'message', text: hello };
  const clauses = clausesOf(plainWords(turn.ask));
  if (isOnlyNegated(clauses)) {
    return { type: 'message', text: 'All right, I will not do that. Nothing was changed.' };
  }
  const before = turn.before?.ask;
  const matched = intentsOf(clauses, scene.tools, scene.clock, rank, before);
  const intents = read
    ? agreed(
        await understand(read, turn.ask, before ? [before] : [], scene.tools, scene.clock, signal),
        matched,
      )
    : matched;
  return next(scene, intents);
}

/** A short answer to the question that ended the turn before goes on with that turn. */
function continued(turn: Turn, request: GenerateRequest): Turn {
  const asked = turn.before && readQuestion(turn.before.reply);
  if (!asked || !turn.before) return turn;
  const words = turn.ask.split(/\s+/).length;
  const known = knownOf(request.tools);
  const fresh =
    words > 3 &&
    askedActions(turn.ask).size > 0 &&
    intentOf(turn.ask, known, undefined).best !== undefined;
  if (words > 12 || fresh) return turn;
  const answer: Answered = {
    question: turn.before.reply,
    missing: asked.missing,
    answer: turn.ask,
  };
  if (asked.tool !== undefined) answer.tool = asked.tool;
  return { ...turn, ask: turn.before.ask, answers: [answer, ...turn.answers] };
}

function next(scene: Scene, intents: readonly Intent[]): Reply {
  const { turn } = scene;
  const left = [...turn.calls];
  let before: Intent | undefined;
  for (const [i, intent] of intents.entries()) {
    const step = chosenByUser(intent, scene);
    const name = scene.served.get(i) ?? step.best?.tool.name;
    const at = name === undefined ? -1 : left.findIndex((c) => c.name === name);
    if (at >= 0) {
      left.splice(at, 1);
      before = step;
      continue;
    }
    if (step.best) {
      const reply = act(scene, step, step.best, before);
      if (reply.type === 'tool_call' && reply.name === step.best.tool.name)
        scene.served.set(i, step.best.tool.name);
      return reply;
    }
    return unfit(scene, step, before);
  }
  if (turn.calls.length > 0) {
    const text = answerOf(turn, scene.tools);
    return { type: 'message', text: [text, leftOf(intents)].filter((t) => t !== '').join(' ') };
  }
  return unfit(scene, { text: turn.ask, rivals: [] }, undefined);
}

/** What the request also said and no argument took. */
function leftOf(intents: readonly Intent[]): string {
  const left = intents.flatMap((i) => i.filled?.left ?? []);
  return left.length > 0 ? `Not taken into account: ${left.map((w) => `“${w}”`).join(', ')}.` : '';
}

/** The tool the user picked when asked which of two was meant. */
function chosenByUser(intent: Intent, scene: Scene): Intent {
  if (intent.rivals.length === 0) return intent;
  const fillOf = intent.fillOf ?? ((k: Known) => fill(k, intent.text, scene.clock));
  const choices = [intent.best, ...intent.rivals].filter((k) => k !== undefined);
  for (const { answer } of scene.turn.answers) {
    if (typeof answer !== 'string') continue;
    const picked = pickByWords(choices, answer);
    if (picked)
      return {
        text: intent.text,
        best: picked,
        filled: fillOf(picked),
        rivals: [],
      };
  }
  const used = choices.find((k) => scene.turn.calls.some((c) => c.name === k.tool.name));
  return used
    ? {
        ...intent,
        best: used,
        filled: fillOf(used),
        rivals: [],
      }
    : intent;
}

function pickByWords(choices: Known[], answer: string): Known | undefined {
  const said = answer.toLowerCase();
  const exact = choices.find(
    (k) =>
      said.includes(k.tool.name.toLowerCase()) ||
      said.includes(k.tool.name.replaceAll('_', ' ').toLowerCase()),
  );
  if (exact) return exact;
  const found = choices.filter((k) =>
    k.nameStems.some(
      (s) =>
        s.length > 2 &&
        said.includes(s) &&
        choices.filter((o) => o.nameStems.includes(s)).length === 1,
    ),
  );
  return found.length === 1 ? found[0] : undefined;
}

function act(scene: Scene, intent: Intent, known: Known, before: Intent | undefined): Reply {
  const asked = scene.turn.answers.some((a) => a.tool === undefined && a.missing.length === 0);
  if (intent.rivals.length > 0 && !asked) return askWhichTool(scene, [known, ...intent.rivals]);
  const filled = intent.filled ?? fill(known, intent.text, scene.clock);
  const values = new Map<Slot, JsonValue>(filled.values);
  fillFromAnswers(scene, known, values);
  fillFromAsk(scene, known, values);
  const phrase = filled.phrase;
  const references = resolveReferences(scene, known, values, { text: intent.text, phrase, before });
  if (references.kind === 'several')
    return askWhichItem(scene, known, references.slot, references.items);
  const missing = known.slots.filter((s) => s.required && !values.has(s));
  const reference = missing.find((s) => s.kind === 'ref');
  if (reference) {
    const call = lookUp(scene, known, reference, phrase, before);
    if (call) return call;
    const search = searchTools(scene, `search find list ${sayName(reference.name)}`);
    if (search && scene.turn.calls.length === 0) return search;
  }
  const again = (s: Slot): boolean => scene.turn.answers.some((a) => a.missing.includes(s.name));
  if (missing.length > 0 && missing.every(again)) {
    return { type: 'message', text: notUnderstood(known, missing) };
  }
  if (missing.length > 0) {
    return askForValues(scene, known, missing, values, reference ? foundNothing(scene) : '');
  }
  const doubt =
    filled.left.length > 0 && !known.reads ? askWithout(scene, known, filled.left) : undefined;
  return doubt ?? { type: 'tool_call', name: known.tool.name, arguments: argumentsOf(values) };
}

/** Words on a look-up that came back empty, `''` where there was none. */
function foundNothing({ turn }: Scene): string {
  const last = turn.calls.findLast((c) => c.name !== TOOL_SEARCH);
  const found = last?.result;
  if (!last || !found || found.items.length > 0 || !isEmptyResult(found)) return '';
  return `Nothing was found with “${sayName(last.name)}”. `;
}

const ANYWHERE: ReadonlySet<Slot['kind']> = new Set([
  'email',
  'phone',
  'url',
  'address',
  'postcode',
  'date',
  'time',
  'datetime',
  'enum',
  'ref',
]);

/** What one clause lacks another may say, where its form shows what it is: an address, a day, a code. */
function fillFromAsk(scene: Scene, known: Known, values: Map<Slot, JsonValue>): void {
  const lacking = known.slots.filter((s) => s.required && !values.has(s) && ANYWHERE.has(s.kind));
  if (lacking.length === 0) return;
  const read = fill({ ...known, slots: lacking }, scene.turn.ask, scene.clock);
  for (const [slot, value] of read.values) if (ANYWHERE.has(slot.kind)) values.set(slot, value);
}

/** Values the user gave when asked: a form's, or words read with the missing arguments in mind. */
function fillFromAnswers(scene: Scene, known: Known, values: Map<Slot, JsonValue>): void {
  for (const { answer, missing, tool } of scene.turn.answers) {
    if (tool !== undefined && tool !== known.tool.name) continue;
    if (answer === null) continue;
    if (typeof answer !== 'string') {
      for (const slot of known.slots) {
        const given = Object.hasOwn(answer, slot.name) ? answer[slot.name] : undefined;
        if (given !== undefined) values.set(slot, given);
      }
      continue;
    }
    const wanted = known.slots.filter(
      (s) => !values.has(s) && (missing.includes(s.name) || (missing.length === 0 && s.required)),
    );
    if (wanted.length === 0) continue;
    const read = fill({ ...known, slots: wanted }, answer, scene.clock);
    for (const [slot, value] of read.values) values.set(slot, value);
    const [only] = wanted.filter((s) => !values.has(s));
    if (wanted.length === 1 && only && (only.kind === 'text' || only.kind === 'body'))
      values.set(only, answer.trim());
  }
}

/** The words with other words for the same things and deeds: the search knows only the page's own. */
function searchWords(text: string): string {
  const words = wordsOf(text).filter((w) => !isStopWord(w.text));
  const asked = askedActions(text);
  const looks = asked.size === 0 || asked.has('find') || asked.has('show');
  const deeds = looks ? ['search', 'find', 'list'] : [...asked].slice(0, 6);
  const things = words.flatMap((w) => otherWords(w.stem));
  return [...new Set([...words.map((w) => w.text), ...things, ...deeds])].slice(0, 24).join(' ');
}

/** Looks once for tools that this step does not show, where there are any. */
function searchTools(scene: Scene, query: string): Reply | undefined {
  const done = scene.turn.calls.some((c) => c.name === TOOL_SEARCH);
  if (done || !scene.canSearch || query === '') return undefined;
  return { type: 'tool_call', name: TOOL_SEARCH, arguments: { query } };
}

/** No tool fits: look for one, open the thing it may be on, or say what the page can do. */
function unfit(scene: Scene, intent: Intent, before: Intent | undefined): Reply {
  const { turn } = scene;
  const search = searchTools(scene, searchWords(intent.text));
  if (search) return search;
  const open = openFor(scene, intent, before);
  if (open) return open;
  const asked = turn.answers.some((a) => a.tool === undefined && a.missing.length === 0);
  if (intent.rivals.length > 0 && !asked) return askIfMeant(scene, intent.rivals);
  const done = turn.calls.filter((c) => c.name !== TOOL_SEARCH);
  const sofar = done.length > 0 ? `${answerOf(turn, scene.tools)} ` : '';
  return {
    type: 'message',
    text: `${sofar}${nothingFits(scene.tools, done.length > 0 ? intent.text : undefined)}`,
  };
}
