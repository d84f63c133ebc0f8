import { saidIn, type Words, wordsOfError } from '../said/said';
import { say, sentences } from '../said/say';
import { fence, shownName } from '../tools/text/untrusted';
import type { JsonObject, PageTool } from '../tools/tool';
import { approvalFor, approvalKey, canRememberKey, consequence } from './approval';
import { checkArguments } from './arguments/check';
import { type CallEnd, cutShort, doneOf, finish } from './call-end';
import { wordsOfProblem } from './events';
import { plainAddress } from './facts';
import type { ToolContext } from './own-tools';
import type { ApprovalAnswer, CallOutcome } from './ports';
import { prepareOffered, type ReadyCall, signatureOf } from './prepare-call';
import { cutError, readResult, renderResult, SILENT } from './results';
import { runOwn } from './run-own';
import { siteOfTool } from './site';
import { refOf } from './step-tools';
import { untilAborted } from './stop';
import type { Turn } from './turn';

/**
 * Asks where it must, runs the call once, and tells every stage as events: after `call-started` there is
 * exactly one `call-finished`. Throws only the signal's reason.
 */
export async function runCall(
  turn: Turn,
  call: ReadyCall,
  context: ToolContext,
  options: { cutOff: boolean; changedTool?: boolean },
): Promise<CallEnd> {
  turn.signal.throwIfAborted();
  const asked = await askApproval(turn, call, options);
  if ('kind' in asked) return asked;
  const { allowed } = asked;
  turn.signal.throwIfAborted();
  turn.emit({ type: 'call-started', callId: call.callId });
  if (!call.readOnly) await untilRecorded(turn, call);
  const start = turn.now();
  if (allowed.offered.kind === 'own') {
    return await runOwn(turn, allowed, allowed.offered.tool.name, context, start);
  }
  const end = await runOnPage(turn, allowed, context, start, options);
  if (allowed === call || end.kind !== 'ran') return end;
  const changed = `The user changed the arguments to ${JSON.stringify(allowed.arguments)}`;
  return { ...end, told: `${changed}\n${end.told}` };
}

async function untilRecorded(turn: Turn, call: ReadyCall): Promise<void> {
  const start = turn.now();
  try {
    await untilAborted(turn.options.recorded?.() ?? Promise.resolve(), turn.signal);
  } catch (error) {
    cutShort(turn, call, start, false);
    throw error;
  }
}

async function askApproval(
  turn: Turn,
  call: ReadyCall,
  options: { cutOff: boolean; changedTool?: boolean },
): Promise<CallEnd | { allowed: ReadyCall }> {
  const { offered, callId } = call;
  const { approvals, user } = turn.options;
  const page = offered.kind === 'page' ? offered.tool : undefined;
  const key = page === undefined ? '' : approvalKey(page);
  const need = approvalFor({
    readOnly: call.readOnly,
    consequential: call.consequential,
    cutOff: options.cutOff && page !== undefined,
    unsourced: call.unsourced.length > 0,
    otherSite: call.foreign.length > 0,
    changedTool: options.changedTool === true,
    remembered: key !== '' && approvals.remembered.has(key),
    rememberable: key !== '' && canRememberKey(key) && page?.origin !== 'null',
  });
  if (need === null) return { allowed: call };
  const { reason, canRemember } = need;
  // Who has just typed every value and sent them has said what is to happen.
  const isFilled = MENDED_BY_FORM.has(reason) && turn.filled.has(call.signature);
  const by = need.remembered ? 'remembered' : isFilled ? 'form' : undefined;
  const binding = reason === 'consequential' && page ? consequence(page) : null;
  turn.emit({
    type: 'approval-asked',
    callId,
    reason,
    canRemember,
    ...(by === undefined ? {} : { remembered: true }),
    ...(binding?.by === 'name' ? { word: binding.word } : {}),
  });
  let answer: ApprovalAnswer = { decision: 'allow', by: by ?? 'user', remember: false };
  if (by === undefined) {
    try {
      const tool = page ?? ownAsPage(call);
      const request = { callId, tool, arguments: call.arguments, reason, canRemember };
      answer = await untilAborted(user.approve(request, turn.signal), turn.signal);
    } catch (error) {
      turn.emit({
        type: 'approval-answered',
        callId,
        decision: 'deny',
        by: 'stop',
        remember: false,
      });
      turn.signal.throwIfAborted();
      throw error;
    }
  }
  const remember = answer.decision === 'allow' && answer.remember && canRemember;
  const scope = answer.scope ?? 'chat';
  const edited = answer.decision === 'allow' && page ? answer.arguments : undefined;
  turn.emit({
    type: 'approval-answered',
    callId,
    decision: answer.decision,
    by: answer.by,
    remember,
    ...(remember ? { scope } : {}),
    ...(edited === undefined ? {} : { arguments: edited }),
  });
  if (remember && page !== undefined) approvals.remember(key, page, scope);
  if (edited !== undefined) return withArguments(turn, call, edited);
  if (answer.decision === 'allow') return { allowed: call };
  if (answer.by === 'navigation') return refusal(say('call-lapsed'));
  turn.done.push(doneOf(turn, call, { status: 'denied', shown: 'The user said no.', value: null }));
  return { kind: 'denied' };
}

/** Reasons to ask that are met when the user filled in the very values. */
const MENDED_BY_FORM: ReadonlySet<string> = new Set(['changes', 'unsourced']);

/** The call as the user made it; they stand for every value of it. */
function withArguments(
  turn: Turn,
  call: ReadyCall,
  edited: JsonObject,
): CallEnd | { allowed: ReadyCall } {
  if (call.offered.kind !== 'page') return { allowed: call };
  const [problem] = checkArguments(call.offered.tool.inputSchema, edited).problems;
  if (problem) return refusal(wordsOfProblem(problem));
  turn.sources.add(JSON.stringify(edited), 'spoken');
  const signature = signatureOf(refOf(call.offered).key, edited);
  return { allowed: { ...call, arguments: edited, unsourced: [], signature } };
}

/** A tool of Pagehand's own, told to the user like any other. */
function ownAsPage(call: ReadyCall) {
  const { name, compact } = call.offered;
  return {
    key: `pagehand/${name}`,
    name,
    description: compact.description,
    inputSchema: compact.parameters,
    origin: 'pagehand',
    documentId: 'pagehand',
    frameId: 0,
    surface: 'native' as const,
  };
}

async function runOnPage(
  turn: Turn,
  call: ReadyCall,
  context: ToolContext,
  start: number,
  options: { cutOff: boolean; changedTool?: boolean },
): Promise<CallEnd> {
  const { offered } = call;
  if (offered.kind !== 'page') throw new Error('not a tool of the page');
  const sent = formWords(offered.tool);
  if (sent) turn.emit({ type: 'notice', level: 'info', ...sent });
  let outcome: CallOutcome;
  try {
    outcome = await untilAborted(
      turn.options.page.call(offered.tool, call.arguments, turn.signal),
      turn.signal,
    );
  } catch (error) {
    if (turn.signal.aborted) {
      cutShort(turn, call, start, true);
      throw turn.signal.reason;
    }
    const { text, said } = wordsOfError(error);
    outcome = { kind: 'error', message: text, said, mayHaveRun: true };
  }
  if (outcome.kind === 'changed') {
    finish(turn, call, start, { ok: false, error: say('call-changed'), mayHaveRun: false });
    const again = outcome.tool;
    // Once: a page that changes its tool on every look is not run after.
    if (again === undefined || options.changedTool === true) {
      return refusal(say('call-gone'));
    }
    const wish = {
      callId: turn.newId(),
      name: offered.name,
      arguments: call.arguments,
      repairs: [],
    };
    const prepared = await prepareOffered(turn, { ...offered, tool: again }, wish, context);
    if (!prepared.ok) {
      return refusal(prepared.refused.words);
    }
    return await runCall(turn, prepared.call, context, { ...options, changedTool: true });
  }
  return settle(turn, call, start, outcome);
}

/** What the person has to do, or should know, when a form of the page is sent. */
function formWords({ name, title, form }: PageTool): Words | undefined {
  const [first = ''] = (form?.buttons ?? []).map((text) => shownName(text));
  const shown = shownName(title || name);
  if (form?.waits) return first ? say('form-waits', shown, first) : say('form-waits-button', shown);
  const more = form?.buttons.length ?? 0;
  return more > 1 ? say('form-pressed', shown, more, first) : undefined;
}

/** An end without a result, told to the model in the user's words. */
const refusal = (error: Words): CallEnd => ({ kind: 'ran', ok: false, told: error.text, error });

type Settled = Exclude<CallOutcome, { kind: 'changed' }>;

function settle(turn: Turn, call: ReadyCall, start: number, outcome: Settled): CallEnd {
  const { tool } = call.offered;
  const raw = outcome.kind === 'result' ? outcome.value : null;
  const read =
    outcome.kind === 'result'
      ? readResult(outcome.value)
      : { value: null, error: cutError(outcome.message) };
  const error = read.error;
  const words = error === undefined ? undefined : errorWords(outcome, error);
  const fields = fieldsOf(turn, call);
  const shown =
    error === undefined
      ? renderResult(read.value, { limit: turn.limits.resultCharacters, fields })
      : `Error: ${error}`;
  const mayHaveRun = outcome.kind === 'error' && outcome.mayHaveRun && !call.readOnly;
  if (raw !== null && call.offered.kind === 'page') {
    turn.sources.add(raw, 'seen', siteOfTool(turn, call.offered.tool));
  }
  finish(turn, call, start, {
    ok: error === undefined,
    result: raw,
    shown,
    error: words,
    mayHaveRun,
    navigatedTo: outcome.navigatedTo,
  });
  const address = plainAddress(outcome.navigatedTo);
  if (outcome.navigatedTo !== undefined) {
    turn.emit({ type: 'page-navigated', url: outcome.navigatedTo });
  }
  if (outcome.kind === 'result' && outcome.note) {
    const note = say('result-note', tool.name, sentences([outcome.note]));
    turn.emit({ type: 'notice', level: 'info', ...note });
  }
  turn.done.push(
    doneOf(turn, call, {
      status: error === undefined ? 'done' : 'failed',
      shown,
      value: read.value,
      error,
      mayHaveRun,
    }),
  );
  const told = [
    fence(shown, turn.marker),
    address === undefined ? '' : `The page is now ${address}`,
    mayHaveRun ? 'It may have run all the same: do not call it again.' : '',
  ].filter((part) => part !== '');
  return { kind: 'ran', ok: error === undefined, told: told.join('\n'), error: words };
}

function errorWords(outcome: Settled, error: string): Words {
  if (error === SILENT.text) return SILENT;
  return { text: error, ...(outcome.kind === 'error' ? saidIn(outcome) : {}) };
}

function fieldsOf(turn: Turn, call: ReadyCall): readonly string[] | undefined {
  if (call.offered.kind !== 'page') return undefined;
  const { origin, name } = call.offered.tool;
  const fields = turn.options.settings.site(origin).recipe?.outputFields;
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}
