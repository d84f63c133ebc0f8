import { saidIn, type Words, wordsOfError } from '../said/said';
import { about, inOne, names, say } from '../said/say';
import { surfaceOf } from '../tools/schema/walk';
import { neutralise } from '../tools/text/untrusted';
import type { JsonObject } from '../tools/tool';
import { isMissing } from '../tools/validate';
import { isConsequential, isReadOnly } from './approval';
import { checkArguments } from './arguments/check';
import { fixArguments } from './arguments/fixes';
import { asJsonObject, canonical } from './arguments/json';
import { foreignValues, unsourcedValues } from './arguments/sources';
import { type ForeignValue, type Problem, problemOf, wordsOfProblem } from './events';
import { isRepeated } from './judge';
import { saidRepair } from './mended';
import { readInput, resolveOwnInput, schemaOfOwn, type ToolContext } from './own-tools';
import { siteOfTool } from './site';
import { type OfferedTool, refOf, requiredBefore, type StepTools } from './step-tools';
import type { Turn } from './turn';

/** A call that may run, once approval says so. */
export interface ReadyCall {
  callId: string;
  offered: OfferedTool;
  arguments: JsonObject;
  /** The checked input of a tool of Pagehand's own. */
  input: unknown;
  readOnly: boolean;
  consequential: boolean;
  unsourced: string[];
  /** Values that only another site told. */
  foreign: ForeignValue[];
  signature: string;
  /** For the model: arguments of its call that the tool does not have, and those it has. */
  note?: string;
}

/** A call that does not run, with the sentence that goes back to the model. */
export interface RefusedCall {
  callId: string;
  name: string;
  arguments: JsonObject;
  message: string;
  /** The same for the user. */
  words: Words;
  /** Required arguments that were not given: the user may know them. */
  missing: string[];
  offered?: OfferedTool;
  /** Nothing is wrong with it but that it was made before. */
  repeated: boolean;
}

export type Prepared = { ok: true; call: ReadyCall } | { ok: false; refused: RefusedCall };

export interface Wish {
  callId: string;
  name: string;
  arguments: unknown;
  repairs: readonly string[];
  /** The user filled in the form: no value comes from nowhere. */
  filled?: boolean;
}

/**
 * Finds the tool, mends and checks the arguments, and tells what was found as `call-proposed` or
 * `call-invalid`. Touches neither the page nor the user.
 */
export async function prepareCall(
  turn: Turn,
  tools: StepTools,
  wish: Wish,
  context: ToolContext,
): Promise<Prepared> {
  const offered = tools.find(wish.name);
  if (offered !== undefined) return prepareOffered(turn, offered, wish, context);
  const written = asJsonObject(wish.arguments) ?? {};
  // The reader of replies answers unknown names; this one left with the page meanwhile.
  const message = say('tool-unknown', wish.name.slice(0, 60));
  return refuse(turn, wish, written, [problemOf('', message)], message);
}

/** A call's identity: the tool and its arguments, whatever their order. */
export const signatureOf = (key: string, args: JsonObject): string => `${key} ${canonical(args)}`;

/** The same for a tool that is already found. */
export async function prepareOffered(
  turn: Turn,
  offered: OfferedTool,
  wish: Wish,
  context: ToolContext,
): Promise<Prepared> {
  const written = asJsonObject(wish.arguments) ?? {};
  const schema = offered.kind === 'page' ? offered.tool.inputSchema : schemaOfOwn(offered.tool);
  const { args, fixes } = fixArguments(schema, written);
  const signature = signatureOf(refOf(offered).key, args);
  const requires = requirementOf(turn, offered);
  if (requires !== undefined) {
    return refuse(turn, wish, args, [problemOf('', requires)], requires, offered);
  }
  const { problems, unchecked } = checkArguments(schema, args);
  if (problems.length > 0) return refuse(turn, wish, args, problems, sentence(problems), offered);

  let input: unknown = args;
  if (offered.kind === 'own') {
    const read = readInput(offered.tool, args);
    if (!read.ok) return refuse(turn, wish, args, [read], { text: read.message }, offered);
    try {
      input = await resolveOwnInput(offered.tool, read.input, context);
    } catch (error) {
      turn.signal.throwIfAborted();
      const words = wordsOfError(error);
      return refuse(turn, wish, args, [problemOf('', words)], words, offered);
    }
  }
  const isOwn = offered.kind === 'own';
  const site = isOwn ? undefined : siteOfTool(turn, offered.tool);
  const readOnly = isOwn ? offered.tool.writes !== true : isReadOnly(offered.tool);
  if (isRepeated(turn, signature, readOnly)) {
    const message = about(
      `You have already called ${offered.name} with these arguments; its result is above. Answer, or do something else.`,
      say('call-repeated', offered.name),
    );
    return refuse(turn, wish, args, [problemOf('', message)], message, offered, true);
  }
  const call: ReadyCall = {
    callId: wish.callId,
    offered,
    arguments: args,
    input,
    readOnly,
    consequential: isOwn ? false : isConsequential(offered.tool),
    unsourced:
      isOwn || wish.filled === true ? [] : unsourcedValues(schema, args, turn.sources, site),
    foreign: isOwn ? [] : foreignValues(schema, args, turn.sources, site),
    signature,
    ...noteOn(fixes, offered),
  };
  turn.emit({
    type: 'call-proposed',
    step: turn.step,
    callId: call.callId,
    tool: refOf(offered),
    arguments: args,
    deferred: offered.kind === 'page' && offered.deferred,
    readOnly: call.readOnly,
    consequential: call.consequential,
    fixes: [...wish.repairs.map(saidRepair), ...fixes],
    unsourced: call.unsourced,
    ...(call.foreign.length > 0 ? { foreign: call.foreign } : {}),
    unchecked,
  });
  return { ok: true, call };
}

function refuse(
  turn: Turn,
  wish: Wish,
  args: JsonObject,
  problems: Problem[],
  words: Words,
  offered?: OfferedTool,
  repeated = false,
): Prepared {
  // It may quote the page's schema.
  const message = neutralise(words.text);
  turn.emit({
    type: 'call-invalid',
    callId: wish.callId,
    name: wish.name.slice(0, 200),
    ...(offered ? { tool: refOf(offered) } : {}),
    arguments: args,
    problems: problems.map((problem) => problemOf(problem.path, wordsOfProblem(problem))),
    message,
    ...saidIn(words),
  });
  const missing = offered ? missingOf(offered, args) : [];
  return {
    ok: false,
    refused: {
      callId: wish.callId,
      name: wish.name,
      arguments: args,
      message,
      words: { text: message, ...saidIn(words) },
      missing,
      repeated,
      ...(offered ? { offered } : {}),
    },
  };
}

const MOST_NAMES = 12;

/** A misspelt argument is dropped and the call runs: the model may have meant more than it did. */
function noteOn(fixes: readonly Words[], offered: OfferedTool): { note?: string } {
  const unknown = fixes
    .filter(({ said }) => said?.code === 'fix-unknown')
    .map(({ said }) => JSON.stringify(String(said?.values[0] ?? '')));
  if (unknown.length === 0) return {};
  const taken = Object.keys(surfaceOf(offered.compact.parameters).properties);
  const more = taken.length > MOST_NAMES ? ', …' : '';
  const text = `${offered.name} has no argument ${unknown.join(', ')}, so it ran without. It takes: ${taken.slice(0, MOST_NAMES).join(', ')}${more}.`;
  return { note: neutralise(text) };
}

/** The sentence that says which tool has to run first, or `undefined`. */
function requirementOf(turn: Turn, offered: OfferedTool): Words | undefined {
  const wanted =
    offered.kind === 'own' ? (offered.tool.requires ?? []) : requiredBefore(turn, offered.tool);
  const missing = wanted.filter(
    (name) => !turn.done.some((call) => call.name === name && call.status === 'done'),
  );
  return missing.length === 0
    ? undefined
    : say('requires-first', names(missing, 'and'), offered.name);
}

const sentence = (problems: readonly Problem[]): Words =>
  inOne(problems.slice(0, 3).map(wordsOfProblem));

function missingOf(offered: OfferedTool, args: JsonObject): string[] {
  const { properties, required } = surfaceOf(offered.compact.parameters);
  return required.filter((name) =>
    isMissing(
      Object.hasOwn(properties, name) ? properties[name] : undefined,
      Object.hasOwn(args, name) ? args[name] : undefined,
    ),
  );
}
