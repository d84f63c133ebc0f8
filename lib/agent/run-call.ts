import { approvalFor, approvalKey, canRememberKey } from './approval';
import { asJson } from './arguments/json';
import { plainAddress } from './facts';
import { type OwnResult, runOwnTool, type ToolContext } from './own-tools';
import type { ApprovalAnswer, CallOutcome } from './ports';
import { prepareOffered, type ReadyCall } from './prepare-call';
import { cutError, readResult, renderResult } from './results';
import { untilAborted } from './stop';
import type { DoneCall, Turn } from './turn';
import { fence } from './untrusted';

/** What became of a call, for the rest of the step. */
export type CallEnd =
  /** `told` is what the model reads of it, fenced where a page wrote it. */
  | { kind: 'ran'; ok: boolean; told: string; error?: string }
  | { kind: 'denied' }
  /** The user dismissed a question of the model's. */
  | { kind: 'dismissed' };

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
  const refused = await askApproval(turn, call, options);
  if (refused !== undefined) return refused;
  turn.signal.throwIfAborted();
  turn.emit({ type: 'call-started', callId: call.callId });
  const start = turn.now();
  return call.offered.kind === 'own'
    ? await runOwn(turn, call, call.offered.tool.name, context, start)
    : await runOnPage(turn, call, context, start, options);
}

async function askApproval(
  turn: Turn,
  call: ReadyCall,
  options: { cutOff: boolean; changedTool?: boolean },
): Promise<CallEnd | undefined> {
  const { offered, callId } = call;
  const { approvals, user } = turn.options;
  const page = offered.kind === 'page' ? offered.tool : undefined;
  const key = page === undefined ? '' : approvalKey(page);
  const need = approvalFor({
    readOnly: call.readOnly,
    consequential: call.consequential,
    cutOff: options.cutOff && page !== undefined,
    unsourced: call.unsourced.length > 0,
    changedTool: options.changedTool === true,
    remembered: key !== '' && approvals.remembered.has(key),
    rememberable: key !== '' && canRememberKey(key) && page?.origin !== 'null',
  });
  if (need === null) return undefined;
  const { reason, canRemember } = need;
  turn.emit({ type: 'approval-asked', callId, reason, canRemember });
  let answer: ApprovalAnswer = { decision: 'allow', by: 'remembered', remember: false };
  if (!need.remembered) {
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
  turn.emit({
    type: 'approval-answered',
    callId,
    decision: answer.decision,
    by: answer.by,
    remember,
  });
  if (remember && page !== undefined) approvals.remember(key, page);
  if (answer.decision === 'allow') return undefined;
  const lapsed = 'Not run: the page changed before the user answered.';
  if (answer.by === 'navigation') return { kind: 'ran', ok: false, told: lapsed, error: lapsed };
  turn.done.push(doneOf(turn, call, { status: 'denied', shown: 'The user said no.', value: null }));
  return { kind: 'denied' };
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

function doneOf(
  turn: Turn,
  call: ReadyCall,
  rest: Pick<DoneCall, 'status' | 'shown' | 'value'> & Partial<DoneCall>,
): DoneCall {
  return {
    step: turn.step,
    name: call.offered.tool.name,
    arguments: call.arguments,
    readOnly: call.readOnly,
    mayHaveRun: false,
    signature: call.signature,
    ...rest,
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
  let outcome: CallOutcome;
  try {
    outcome = await untilAborted(
      turn.options.page.call(offered.tool, call.arguments, turn.signal),
      turn.signal,
    );
  } catch (error) {
    if (turn.signal.aborted) {
      finish(turn, call, start, {
        ok: false,
        error: 'Stopped before it answered.',
        mayHaveRun: true,
      });
      throw turn.signal.reason;
    }
    outcome = { kind: 'error', message: messageOf(error), mayHaveRun: true };
  }
  if (outcome.kind === 'changed') {
    finish(turn, call, start, { ok: false, error: CHANGED, mayHaveRun: false });
    const again = outcome.tool;
    // Once: a page that changes its tool on every look is not run after.
    if (again === undefined || options.changedTool === true) {
      return { kind: 'ran', ok: false, told: GONE, error: GONE };
    }
    const wish = {
      callId: turn.newId(),
      name: offered.name,
      arguments: call.arguments,
      repairs: [],
    };
    const prepared = await prepareOffered(turn, { ...offered, tool: again }, wish, context);
    if (!prepared.ok) {
      const { message } = prepared.refused;
      return { kind: 'ran', ok: false, told: message, error: message };
    }
    return await runCall(turn, prepared.call, context, { ...options, changedTool: true });
  }
  return settle(turn, call, start, outcome);
}

const CHANGED = 'The page changed this tool before it ran; nothing ran.';
const GONE = 'The page changed or removed this tool before it ran; nothing ran.';

function settle(
  turn: Turn,
  call: ReadyCall,
  start: number,
  outcome: Exclude<CallOutcome, { kind: 'changed' }>,
): CallEnd {
  const { tool } = call.offered;
  const raw = outcome.kind === 'result' ? outcome.value : null;
  const read =
    outcome.kind === 'result'
      ? readResult(outcome.value)
      : { value: null, error: cutError(outcome.message) };
  const error = read.error;
  const fields = fieldsOf(turn, call);
  const shown =
    error === undefined
      ? renderResult(read.value, { limit: turn.limits.resultCharacters, fields })
      : `Error: ${error}`;
  const mayHaveRun = outcome.kind === 'error' && outcome.mayHaveRun && !call.readOnly;
  if (raw !== null) turn.sources.add(raw, 'seen');
  finish(turn, call, start, {
    ok: error === undefined,
    result: raw,
    shown,
    error,
    mayHaveRun,
    navigatedTo: outcome.navigatedTo,
  });
  const address = plainAddress(outcome.navigatedTo);
  if (outcome.navigatedTo !== undefined) {
    turn.emit({ type: 'page-navigated', url: outcome.navigatedTo });
  }
  if (outcome.kind === 'result' && outcome.note) {
    turn.emit({ type: 'notice', level: 'info', text: `${tool.name}: ${outcome.note}` });
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
  return { kind: 'ran', ok: error === undefined, told: told.join('\n'), error };
}

function fieldsOf(turn: Turn, call: ReadyCall): readonly string[] | undefined {
  if (call.offered.kind !== 'page') return undefined;
  const { origin, name } = call.offered.tool;
  const fields = turn.options.settings.site(origin).recipe?.outputFields;
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

async function runOwn(
  turn: Turn,
  call: ReadyCall,
  name: string,
  context: ToolContext,
  start: number,
): Promise<CallEnd> {
  if (call.offered.kind !== 'own') throw new Error('not a tool of Pagehand');
  const { tool } = call.offered;
  let result: OwnResult;
  try {
    result = await untilAborted(runOwnTool(tool, call.input, context), turn.signal);
  } catch (error) {
    if (turn.signal.aborted) {
      const mayHaveRun = tool.writes === true;
      finish(turn, call, start, { ok: false, error: 'Stopped before it answered.', mayHaveRun });
      throw turn.signal.reason;
    }
    const words = cutError(messageOf(error));
    finish(turn, call, start, {
      ok: false,
      error: words,
      shown: `Error: ${words}`,
      mayHaveRun: false,
    });
    turn.done.push(
      doneOf(turn, call, { status: 'failed', shown: words, value: null, error: words }),
    );
    return { kind: 'ran', ok: false, told: `Error: ${words}`, error: words };
  }
  const { value } = result;
  const shown = shownOf(turn, call, result, context);
  const full = typeof value === 'string' ? value : JSON.stringify(asJson(value) ?? null);
  turn.sources.add(full, tool.untrusted ? 'seen' : 'spoken');
  finish(turn, call, start, { ok: true, result: full, shown, mayHaveRun: false });
  turn.done.push(doneOf(turn, call, { status: 'done', shown, value }));
  if (name === 'ask_user' && value === null) return { kind: 'dismissed' };
  return { kind: 'ran', ok: true, told: tool.untrusted ? fence(shown, turn.marker) : shown };
}

/** A result's text within its limit: characters for lines, tokens for literal content. */
function shownOf(turn: Turn, call: ReadyCall, result: OwnResult, context: ToolContext): string {
  const isContent = call.offered.kind === 'own' && call.offered.tool.outputMode === 'content';
  const limit = isContent ? context.outputTokens * 8 : turn.limits.resultCharacters;
  if (result.shown === undefined) return renderResult(result.value, { limit });
  return renderResult(result.shown, { limit });
}

interface Finished {
  ok: boolean;
  result?: string | null;
  shown?: string;
  error?: string;
  mayHaveRun: boolean;
  navigatedTo?: string;
}

function finish(turn: Turn, call: ReadyCall, start: number, end: Finished): void {
  turn.emit({
    type: 'call-finished',
    callId: call.callId,
    ok: end.ok,
    result: end.result ?? null,
    shown: end.shown ?? '',
    ...(end.error === undefined ? {} : { error: end.error }),
    ms: Math.max(0, Math.round(turn.now() - start)),
    ...(end.navigatedTo === undefined ? {} : { navigatedTo: end.navigatedTo }),
    mayHaveRun: end.mayHaveRun,
  });
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
