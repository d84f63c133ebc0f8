/// <reference types="chrome" />
import { gone, mainSurface } from './surfaces/main';
import { modelContextOf, nativeSurface } from './surfaces/native';
import {
  type CallReply,
  fingerprint,
  type ListReply,
  MAX_RESULT,
  MAX_TOOLS,
  MAX_TOTAL,
  type ToContent,
} from './wire';

declare global {
  // In the isolated world only; pages cannot see it.
  var pagehandStop: (() => void) | undefined;
}

const lost = { error: 'lost', ran: true };
/** Quiet after which the tools of a page count as settled, and the longest wait for it. */
const QUIET_MS = 150;
const SETTLE_LIMIT = 40; // × 50 ms
/** Answers that are kept for a worker that lost them. */
const MAX_REPLIES = 9;
/** Pages were seen to swap their tools up to 0.8 s after a call has answered. */
const AFTER_CALL_MS = 900;
const AFTER_READ_MS = 350;
/** Then in several goes, so quiet lasts longer. */
const AFTER_SWAP_MS = 300;

/**
 * The isolated script of one document: lists and calls its tools for the background. It loads on
 * every page, so what can be checked or worded elsewhere is; `npm run build` shows its size.
 */
export function startContent(): void {
  // A script left over from before an update may still be here; it answers nobody any more.
  globalThis.pagehandStop?.();
  const stop = new AbortController();
  const { signal } = stop;
  globalThis.pagehandStop = () => stop.abort();
  const { runtime } = chrome;
  const late = document.readyState === 'complete';
  const context = modelContextOf(document);
  // Chrome lists tools of opaque origins but refuses to run them; there the main world does both.
  const native =
    context && (origin !== 'null' || location.protocol === 'file:')
      ? nativeSurface(context)
      : undefined;
  const main = mainSurface(!!native, (message) => {
    if (message.op === 'threw') threw.set(message.tool, message.said);
    else changed();
  });
  const runs = new Map<string, AbortController & { reply?: Promise<CallReply> }>();
  const answered: { reply?: unknown }[] = [];
  const threw = new Map<unknown, string | undefined>();
  const now = () => performance.now();
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  let changedAt = now();
  let calledAt = 0;
  let afterCall = 0;
  let told = '[]';
  let pending = false;
  let restUntil = 0;

  const listAll = async () => {
    const { tools = [], whole } = await main.list();
    // The browser is asked only where it must be: see `surfaces/registered.ts`.
    const all = (!whole && (await native?.list().catch(() => {}))) || [];
    for (const tool of tools) if (!all.some(({ name }) => name === tool.name)) all.push(tool);
    return all;
  };

  const settled = async () => {
    for (let i = 0; i < SETTLE_LIMIT; i++) {
      const ready =
        changedAt < calledAt
          ? calledAt + afterCall
          : changedAt + (calledAt ? AFTER_SWAP_MS : QUIET_MS);
      if (ready < now() && document.readyState === 'complete') return;
      await sleep(50);
    }
  };

  const list = async (): Promise<ListReply> => {
    const all = await listAll();
    let size = 0;
    const tools = all.filter((tool, at) => {
      size += fingerprint(tool).length;
      return at < MAX_TOOLS && size < MAX_TOTAL;
    });
    return {
      tools,
      dropped: all.length - tools.length,
      origin,
      native: !!native,
      late,
    };
  };

  const call = async (
    { id, name, args, expect }: Extract<ToContent, { pagehand: 'call' }>,
    abort: AbortSignal,
  ) => {
    const tool = (await listAll()).find((listed) => listed.name === name);
    if (!tool || abort.aborted || fingerprint(tool) !== expect) return {};
    afterCall = tool.hints.includes('readOnlyHint') ? AFTER_READ_MS : AFTER_CALL_MS;
    threw.clear();
    let reply: CallReply;
    try {
      // Straight to the tool's function where the main world knows it: see `surfaces/registered.ts`.
      reply = native && tool.surface === 'form' ? gone : await main.call(id, tool, args);
      if (native && tool.surface !== 'polyfill' && reply.ran === false)
        reply = { value: await native.call(tool, args, abort) };
      const { value } = reply;
      if (value && value.length > MAX_RESULT)
        reply = { value: value.slice(0, MAX_RESULT), length: value.length };
    } catch (error) {
      reply = { error: `${(error as Error).message}`, said: threw.get(name) };
    }
    calledAt = now();
    return reply;
  };

  const answer = async (message: ToContent): Promise<unknown> => {
    if (message.pagehand === 'list') {
      if (message.settle) await settled();
      return list();
    }
    const { id } = message;
    let run = runs.get(id);
    if (message.pagehand === 'cancel') {
      run?.abort();
      main.cancel(id);
    } else if (!run) {
      // Asked again under the same id, as after the worker was killed, the one run answers twice.
      run = new AbortController();
      runs.set(id, run);
      run.reply = call(message, run.signal);
      // Of a call whose answer is let go it is still known that it ran; one that did not run has none.
      if ('error' in (await run.reply) || 'value' in (await run.reply)) answered.push(run);
      if (answered.length > MAX_REPLIES) Object.assign(answered.shift() ?? {}, { reply: lost });
    }
    return run?.reply;
  };

  const heard = (message: ToContent, _: unknown, respond: (reply: unknown) => void) => {
    if (signal.aborted || !message.pagehand) return;
    void answer(message).then(respond, () => respond(null));
    return true;
  };
  runtime.onMessage.addListener(heard);

  // One update for a burst, and none where the tools are the same after all.
  const push = async () => {
    let i = 0;
    do await sleep(100);
    while ((now() - changedAt < 99 && ++i < 5) || now() < restUntil);
    pending = false;
    const start = now();
    const text = fingerprint(await listAll());
    // What is told is listed once or twice more: all of it is to take a small part of the page's time.
    restUntil = now() + Math.min(3000, (now() - start) * 150);
    if (text === told) return;
    told = text;
    await runtime.sendMessage({ pagehand: 'tools' });
  };
  const changed = () => {
    changedAt = now();
    if (pending || signal.aborted) return;
    pending = true;
    // Rejects where an update of the extension has orphaned this script.
    push().catch(() => runtime.id || stop.abort());
  };

  context?.addEventListener('toolchange', changed);
  const back = (event: Event) => {
    // Back from the cache or out of prerendering: nobody has heard of this document's tools.
    if ((event as PageTransitionEvent).persisted !== false) told = '';
    changed();
  };
  addEventListener('pageshow', back);
  document.addEventListener('prerenderingchange', back);
  changed();
}
