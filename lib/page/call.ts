import { browser } from 'wxt/browser';
import type { CallOutcome } from '../agent/ports';
import { pause } from '../agent/stop';
import { saidIn } from '../said/said';
import { say } from '../said/say';
import { addressSeenFrom } from '../tools/origin';
import { shownName } from '../tools/text/untrusted';
import type { JsonObject, PageTool } from '../tools/tool';
import { askDocument, SilentError } from './ask';
import { CallReplySchema, checkTool, ListReplySchema, sameTool } from './check';
import { explainFailure } from './explain';
import { originOfFrame } from './frames';
import { type NavigationWatch, readJsonLd, watchNavigation } from './navigation';
import { fingerprint, MAX_RESULT, type ToContent } from './wire';

/** A tool that waits for a server is done by then; one that never settles must end. */
const CALL_LIMIT_MS = 120_000;
/** A form waits for the person to press its button. */
const FORM_LIMIT_MS = 600_000;
const LIST_LIMIT_MS = 5000;
/** How long after a result a navigation that the tool asked for takes to begin. */
const NAVIGATION_GRACE_MS = 120;
const ARRIVAL_LIMIT_MS = 15_000;

export interface CallOptions {
  /** Names the call. With `again` it picks up the answer of a call that was already sent. */
  id?: string;
  /** The call was sent before and its answer lost, as when the worker ended: nothing new runs. */
  again?: boolean;
  limitMs?: number;
}

/**
 * Runs a tool once, in the document that registered it, if that still offers the same tool. Never
 * rejects but for the signal's reason; then the page was told to stop and nothing new starts.
 */
export async function callTool(
  tabId: number,
  tool: PageTool,
  args: JsonObject,
  signal: AbortSignal,
  options: CallOptions = {},
): Promise<CallOutcome> {
  signal.throwIfAborted();
  const id = options.id ?? crypto.randomUUID();
  const done = new AbortController();
  try {
    let expect = '';
    if (!options.again) {
      const present = await currentTool(tabId, tool, signal);
      if (!present) return { kind: 'changed' };
      if (!sameTool(present.tool, tool)) return { kind: 'changed', tool: present.tool };
      expect = present.expect;
    }
    const watch = watchNavigation(tabId, tool.frameId, done.signal);
    const message: ToContent = {
      pagehand: 'call',
      id,
      name: tool.name,
      args: JSON.stringify(args),
      expect,
    };
    const limit = options.limitMs ?? (tool.surface === 'form' ? FORM_LIMIT_MS : CALL_LIMIT_MS);
    let reply: unknown;
    try {
      reply = await askDocument(tabId, tool.documentId, message, signal, limit);
    } catch (error) {
      if (signal.aborted || !(error instanceof SilentError)) {
        cancel(tabId, tool.documentId, id);
        throw error;
      }
      if (error.silence === 'absent' && !options.again) return { kind: 'changed' };
      if (error.silence !== 'late') return await closed(tabId, tool, watch, signal);
      cancel(tabId, tool.documentId, id);
      const words = say('call-timeout', shownName(tool.name), Math.round(limit / 1000));
      return { kind: 'error', message: words.text, ...saidIn(words), mayHaveRun: true };
    }
    const parsed = CallReplySchema.safeParse(reply);
    // A listener that answers nothing: the document's script was replaced under the call.
    if (!parsed.success) return await closed(tabId, tool, watch, signal);
    const { value, length, error, said, ran } = parsed.data;
    if (error === undefined && value === undefined) {
      // Another tool, or, asked again, the document never heard of the call: nothing ran.
      const present = await currentTool(tabId, tool, signal);
      return { kind: 'changed', ...(present && { tool: present.tool }) };
    }
    const outcome: CallOutcome =
      error === undefined
        ? resultOf(value ?? null, length)
        : explainFailure(tool, { message: error, said, ran });
    return await withNavigation(outcome, tool.origin, watch, signal);
  } finally {
    done.abort();
  }
}

function resultOf(value: string | null, length?: number): CallOutcome {
  if (value === null || length === undefined) return { kind: 'result', value };
  return {
    kind: 'result',
    value: value.slice(0, MAX_RESULT),
    note: say('result-cut', MAX_RESULT),
  };
}

/** The tool under the same name in the same document, as it is now. */
async function currentTool(tabId: number, tool: PageTool, signal: AbortSignal) {
  const message: ToContent = { pagehand: 'list', settle: false };
  try {
    // A document in the back/forward cache would not answer, and not refuse either.
    const { documentId } = tool;
    const frames = (await browser.webNavigation.getAllFrames({ tabId })) ?? [];
    const frame = frames.find((there) => there.documentId === documentId);
    if (frame?.documentLifecycle !== 'active') return undefined;
    const reply = await askDocument(tabId, tool.documentId, message, signal, LIST_LIMIT_MS);
    const list = ListReplySchema.parse(reply);
    const { frameId } = tool;
    const origin = originOfFrame(frame, frames, list.origin);
    for (const raw of list.tools) {
      const checked = checkTool(raw, { origin, documentId, frameId });
      if (checked?.tool.name === tool.name) return { tool: checked.tool, expect: fingerprint(raw) };
    }
  } catch {
    signal.throwIfAborted();
  }
  return undefined;
}

/** Adds where the page went: a result with a navigation is normal, a form's `null` announces one. */
async function withNavigation(
  outcome: CallOutcome,
  origin: string,
  watch: NavigationWatch,
  signal: AbortSignal,
): Promise<CallOutcome> {
  if (outcome.kind === 'changed') return outcome;
  const empty = outcome.kind === 'result' && outcome.value === null;
  const end = Date.now() + (empty ? 1500 : NAVIGATION_GRACE_MS);
  while (!watch.begun() && Date.now() < end) await pause(25, signal);
  if (!watch.begun()) return empty ? { ...outcome, note: say('call-no-answer') } : outcome;
  const arrival = await watch.arrival(ARRIVAL_LIMIT_MS, signal);
  if (!arrival) return outcome;
  const navigatedTo = addressSeenFrom(origin, arrival.url);
  if (!empty) return { ...outcome, navigatedTo };
  return { kind: 'result', value: await readJsonLd(arrival, origin), navigatedTo };
}

/** The document went away under the call: by a navigation, or with its tab. */
async function closed(
  tabId: number,
  tool: PageTool,
  watch: NavigationWatch,
  signal: AbortSignal,
): Promise<CallOutcome> {
  const name = shownName(tool.name);
  const end = Date.now() + 1500;
  while (!watch.begun() && Date.now() < end) await pause(25, signal);
  const arrival = watch.begun() ? await watch.arrival(ARRIVAL_LIMIT_MS, signal) : undefined;
  if (arrival)
    return {
      kind: 'result',
      value: await readJsonLd(arrival, tool.origin),
      navigatedTo: addressSeenFrom(tool.origin, arrival.url),
      note: say('call-went-elsewhere', name),
    };
  const tab = await browser.tabs.get(tabId).catch(() => undefined);
  const words = tab ? say('call-crashed', name) : say('call-tab-closed', name);
  return { kind: 'error', message: words.text, ...saidIn(words), mayHaveRun: true };
}

function cancel(tabId: number, documentId: string, id: string): void {
  const message: ToContent = { pagehand: 'cancel', id };
  void browser.tabs.sendMessage(tabId, message, { documentId }).catch(() => {
    // Gone already, which stops it too.
  });
}
