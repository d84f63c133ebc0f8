/// <reference types="chrome" />
import { type FromPage, onFromPage } from './channel';
import { mainSurface } from './surfaces/main';
import { modelContextOf, nativeSurface } from './surfaces/native';
import type { SaidError } from './surfaces/said-error';
import {
  type CallReply,
  fingerprint,
  type ListReply,
  MAX_ERROR,
  MAX_RESULT,
  MAX_TOOLS,
  type RawTool,
  type ToContent,
} from './wire';

declare global {
  // In the isolated world only; pages cannot see it.
  var pagehandStop: (() => void) | undefined;
}

/** Quiet after which the tools of a page count as settled, and the longest wait for it. */
const QUIET_MS = 150;
const SETTLE_LIMIT_MS = 2000;
/** Pages swap their tools up to 0.8 s after a call has answered. */
const AFTER_CALL_MS = 900;
const AFTER_READ_MS = 350;

/** The isolated script of one document: lists and calls its tools for the background. */
export function startContent(): void {
  // A script left over from before an update may still be here; it answers nobody any more.
  globalThis.pagehandStop?.();
  const stop = new AbortController();
  globalThis.pagehandStop = () => stop.abort();
  const { signal } = stop;
  const late = document.readyState === 'complete';
  const context = modelContextOf(document);
  // Chrome lists tools of opaque origins but refuses to run them; there the main world does both.
  const native =
    context && (self.origin !== 'null' || location.protocol === 'file:')
      ? nativeSurface(context)
      : undefined;
  const main = mainSurface(!!native, signal);
  const running = new Map<string, { answer: Promise<CallReply>; abort: AbortController }>();
  const threw: { tool: string; said: string }[] = [];
  let changedAt = performance.now();
  let calledAt = Number.NEGATIVE_INFINITY;
  let afterCall = 0;
  let told = '[]';
  let timer = 0;
  let dirtySince = 0;

  const listAll = async () => {
    const found = new Map<string, [RawTool, typeof main | typeof native]>();
    const [first, second] = await Promise.all([native?.list().catch(() => []) ?? [], main.list()]);
    for (const tool of first) found.set(tool.name, [tool, native]);
    for (const tool of second) if (!found.has(tool.name)) found.set(tool.name, [tool, main]);
    return found;
  };

  const settled = async () => {
    const end = performance.now() + SETTLE_LIMIT_MS;
    for (;;) {
      const now = performance.now();
      let until = calledAt + afterCall;
      if (changedAt > calledAt) until = changedAt + (calledAt > 0 ? 2 * QUIET_MS : QUIET_MS);
      if (document.readyState !== 'complete') until = Math.max(until, now + QUIET_MS);
      if (until <= now || now >= end) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(until, end) - now));
    }
  };

  const list = async (settle: boolean): Promise<ListReply> => {
    if (settle) await settled();
    const tools = Array.from((await listAll()).values(), ([tool]) => tool);
    return {
      tools: tools.slice(0, MAX_TOOLS),
      dropped: Math.max(0, tools.length - MAX_TOOLS),
      origin: self.origin,
      index: frameIndex(),
      delegations: Array.from(document.querySelectorAll('iframe[allow*=tools]'), (frame) => ({
        index: indexIn(window, (frame as HTMLIFrameElement).contentWindow),
        allow: (frame as HTMLIFrameElement).allow.slice(0, 2000),
        src: (frame as HTMLIFrameElement).src.slice(0, 2000),
      })),
      native: !!native,
      main: main.here(),
      late,
    };
  };

  const call = async (
    { name, args, expect }: Extract<ToContent, { pagehand: 'call' }>,
    abort: AbortSignal,
  ): Promise<CallReply> => {
    const [tool, surface] = (await listAll()).get(name) ?? [];
    abort.throwIfAborted();
    if (!tool || !surface || fingerprint(tool) !== expect) return { kind: 'changed' };
    afterCall = tool.hints.includes('readOnlyHint') ? AFTER_READ_MS : AFTER_CALL_MS;
    threw.length = 0;
    try {
      const value = await surface.call(tool, args, abort);
      return typeof value === 'string' && value.length > MAX_RESULT
        ? { kind: 'result', value: value.slice(0, MAX_RESULT), length: value.length }
        : { kind: 'result', value: value ?? null };
    } catch (error) {
      const { name: kind, message, said, ran } = error as SaidError;
      return {
        kind: 'error',
        name: String(kind),
        message: String(message ?? error).slice(0, MAX_ERROR),
        said: (said ?? threw.find((heard) => heard.tool === name)?.said)?.slice(0, MAX_ERROR),
        ran,
      };
    } finally {
      calledAt = performance.now();
    }
  };

  const answer = (message: ToContent): Promise<unknown> | undefined => {
    if (message.pagehand === 'list') return list(message.settle);
    if (message.pagehand === 'cancel') running.get(message.id)?.abort.abort();
    if (message.pagehand !== 'call') return;
    // Asked again under the same id, as after the worker was killed: the one run answers twice.
    let run = running.get(message.id);
    if (!run) {
      const abort = new AbortController();
      run = { answer: call(message, abort.signal), abort };
      running.set(message.id, run);
      if (running.size > 20) running.delete(running.keys().next().value as string);
    }
    return run.answer;
  };

  const heard = (message: ToContent, _sender: unknown, respond: (reply: unknown) => void) => {
    if (signal.aborted) return;
    const reply = answer(message);
    reply?.then(respond, (error) => respond({ kind: 'error', message: String(error), ran: false }));
    return !!reply;
  };
  chrome.runtime.onMessage.addListener(heard);
  signal.addEventListener('abort', () => chrome.runtime?.onMessage?.removeListener(heard));

  const push = async () => {
    timer = dirtySince = 0;
    const tools = Array.from((await listAll()).values(), ([tool]) => fingerprint(tool));
    const now = JSON.stringify(tools);
    if (now === told) return;
    told = now;
    try {
      await chrome.runtime.sendMessage({ pagehand: 'tools', count: tools.length });
    } catch {
      // Orphaned by an update, or the worker is just being replaced.
      if (!chrome.runtime?.id) stop.abort();
    }
  };
  const changed = () => {
    changedAt = performance.now();
    dirtySince ||= changedAt;
    clearTimeout(timer);
    timer = setTimeout(push, changedAt - dirtySince > 400 ? 0 : 100) as unknown as number;
  };

  context?.addEventListener('toolchange', changed, { signal });
  onFromPage((message: Partial<FromPage>) => {
    if (message.op === 'changed') changed();
    else if (message.op === 'threw' && threw.length < 50)
      threw.push({ tool: String(message.tool), said: String(message.said) });
  }, signal);
  addEventListener(
    'pageshow',
    (event) => {
      if (!event.persisted) return;
      told = '';
      changed();
    },
    { signal },
  );
  document.addEventListener('prerenderingchange', changed, { signal });
  if (!(document as { prerendering?: boolean }).prerendering) changed();
}

function frameIndex(): number {
  return parent === window ? -1 : indexIn(parent, window);
}

/** The order of `window.frames` is comparable across origins, unlike the elements. */
function indexIn(within: Window, frame: Window | null): number {
  for (let i = 0; i < Math.min(within.length, 200); i++) if (within[i] === frame) return i;
  return -1;
}
