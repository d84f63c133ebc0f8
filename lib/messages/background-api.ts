import { browser } from 'wxt/browser';
import * as z from 'zod';
import { Listed, WordsError, wordsOfError } from '../said/said';
import { say } from '../said/say';
import { Settings } from '../settings/settings';
import { MisfitError } from './misfit';
import { isOwnPage } from './sender';
import { CallOutcomeShape, CatalogShape, JsonRecord, ToolShape } from './shapes';

const tab = { tabId: z.number().int() };

/** What host and views may ask of the service worker. Its state is rebuilt on every start. */
export const backgroundMethods = {
  ensureHost: z.object({}),
  collect: z.object({ ...tab, requestId: z.string() }),
  /** At most once per `callId`. `again`: the call was sent before and its answer lost; nothing new runs. */
  callTool: z.object({
    ...tab,
    callId: z.string(),
    again: z.boolean(),
    tool: ToolShape,
    arguments: JsonRecord,
  }),
  cancel: z.object({ ...tab, id: z.string() }),
  /** Whether this worker works on the request of that id: one that replaced another does not. */
  busyWith: z.object({ id: z.string() }),
  settings: z.object({}),
  /** Names this run of the browser: tab ids mean nothing in the next. */
  session: z.object({}),
  tab: z.object(tab),
  reloadTab: z.object(tab),
  /** Loads a tab that the browser put to sleep; answered once it is loaded. */
  wakeTab: z.object({ ...tab, requestId: z.string() }),
  /** A DevTools panel for the tab was opened: it wants to hear what its page does. */
  inspect: z.object(tab),
  /** Text of the page or of its selection, after the user shared it. */
  readPage: z.object({
    ...tab,
    requestId: z.string(),
    what: z.enum(['text', 'selection']),
    /** The site it was shared with: of another one nothing is read. */
    origin: z.string(),
  }),
  /** How many conversations there are, kept outside their database; `count` sets it. */
  storeMark: z.object({ count: z.number().int().min(0).optional() }),
  /** Forgets what is kept by site beside the conversations: settings, and inputs saved in DevTools. */
  forgetSites: z.object({}),
} as const;

export type BackgroundMethod = keyof typeof backgroundMethods;

const TabInfo = z.object({
  url: z.string(),
  title: z.string(),
  /** Pages no extension may touch: chrome://, the web store, other extensions. */
  restricted: z.boolean(),
  incognito: z.boolean(),
});
export type TabInfo = z.infer<typeof TabInfo>;

/** What the service worker answers: checked where it is read. */
const backgroundResults = {
  ensureHost: z.null(),
  collect: CatalogShape,
  callTool: CallOutcomeShape,
  cancel: z.null(),
  busyWith: z.boolean(),
  settings: Settings,
  session: z.string(),
  tab: TabInfo.nullable(),
  reloadTab: z.null(),
  wakeTab: z.null(),
  inspect: z.null(),
  readPage: z.string(),
  storeMark: z.number(),
  forgetSites: z.null(),
} satisfies Record<BackgroundMethod, z.ZodType>;

export type BackgroundResult<M extends BackgroundMethod> = z.output<(typeof backgroundResults)[M]>;

export type BackgroundHandlers = {
  [M in BackgroundMethod]: (
    params: z.infer<(typeof backgroundMethods)[M]>,
  ) => Promise<BackgroundResult<M>> | BackgroundResult<M>;
};

const Envelope = z.object({
  to: z.literal('pagehand-background'),
  method: z.string(),
  params: z.unknown(),
});
const Reply = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: Listed }),
]);

/** What may be asked again without asking whether it was heard. */
const REPEATABLE = new Set<BackgroundMethod>([
  'ensureHost',
  'settings',
  'session',
  'tab',
  'busyWith',
]);
const MAX_LOST = 2;

/**
 * Asks the service worker, which Chrome starts when it is not running. Rejects with its words, with
 * {@link MisfitError}, or with {@link WorkerLostError}; asks by itself again only where asking changes
 * nothing.
 */
export async function callBackground<M extends BackgroundMethod>(
  method: M,
  params: z.infer<(typeof backgroundMethods)[M]>,
): Promise<BackgroundResult<M>> {
  for (let lost = 0; ; lost++) {
    try {
      return await askBackground(method, params);
    } catch (error) {
      const again = error instanceof WorkerLostError && REPEATABLE.has(method) && lost < MAX_LOST;
      if (!again) throw error;
    }
  }
}

async function askBackground<M extends BackgroundMethod>(
  method: M,
  params: z.infer<(typeof backgroundMethods)[M]>,
): Promise<BackgroundResult<M>> {
  let raw: unknown;
  try {
    raw = await browser.runtime.sendMessage({ to: 'pagehand-background', method, params });
  } catch (error) {
    // Chrome's words when the worker ended before it answered, or was not there to hear.
    const words = error instanceof Error ? error.message : String(error);
    if (/channel closed|port closed/i.test(words)) throw new WorkerLostError(true);
    if (/Receiving end does not exist/i.test(words)) throw new WorkerLostError(false);
    throw error;
  }
  const reply = Reply.safeParse(raw);
  if (!reply.success) throw new WorkerLostError(true);
  if (!reply.data.ok) throw new WordsError(reply.data.error);
  const value = backgroundResults[method].safeParse(reply.data.value);
  if (!value.success) throw new MisfitError(method, value.error);
  // Schema and method belong to the same name; TypeScript cannot correlate the two lookups.
  return value.data as BackgroundResult<M>;
}

/** The service worker ended before it answered. What was asked may have happened, if it was heard. */
export class WorkerLostError extends WordsError {
  constructor(readonly heard: boolean) {
    super(say('worker-lost'));
    this.name = 'WorkerLostError';
  }
}

/** Serves host and views. Only the extension's own pages are heard: content scripts have a tab. */
export function serveBackground(handlers: BackgroundHandlers): void {
  browser.runtime.onMessage.addListener(
    (raw: unknown, sender: { id?: string; url?: string }, respond: (reply: unknown) => void) => {
      const envelope = Envelope.safeParse(raw);
      if (!envelope.success) return undefined;
      if (!sender.url?.startsWith(browser.runtime.getURL('/'))) return undefined;
      void answer(handlers, envelope.data.method, envelope.data.params).then(respond);
      return true;
    },
  );
}

async function answer(
  handlers: BackgroundHandlers,
  method: string,
  params: unknown,
): Promise<z.infer<typeof Reply>> {
  if (!Object.hasOwn(backgroundMethods, method)) {
    return { ok: false, error: say('request-unknown', method) };
  }
  const name = method as BackgroundMethod;
  const checked = backgroundMethods[name].safeParse(params);
  if (!checked.success) return { ok: false, error: { text: z.prettifyError(checked.error) } };
  try {
    // Schema and handler belong to the same name; TypeScript cannot correlate the two lookups.
    const handler = handlers[name] as (p: unknown) => Promise<unknown>;
    return { ok: true, value: (await handler(checked.data)) ?? null };
  } catch (error) {
    return { ok: false, error: wordsOfError(error) };
  }
}

/** What the background tells the host without being asked. */
export const BackgroundPush = z.discriminatedUnion('push', [
  z.object({
    to: z.literal('pagehand-host'),
    push: z.literal('tools-changed'),
    tabId: z.number(),
    tools: z.number(),
  }),
  z.object({
    to: z.literal('pagehand-host'),
    push: z.literal('navigated'),
    tabId: z.number(),
    url: z.string(),
  }),
  z.object({ to: z.literal('pagehand-host'), push: z.literal('tab-closed'), tabId: z.number() }),
  /** The same tab under another id: Chrome gives it one when it puts the tab to sleep. */
  z.object({
    to: z.literal('pagehand-host'),
    push: z.literal('tab-replaced'),
    tabId: z.number(),
    by: z.number(),
  }),
]);
export type BackgroundPush = z.infer<typeof BackgroundPush>;

/** Tells the host, if there is one. */
export async function tellHost(push: BackgroundPush): Promise<void> {
  try {
    await browser.runtime.sendMessage(push);
  } catch {
    // No host is running: nobody needs to know.
  }
}

/** Hears what the background says. */
export function onBackgroundPush(listener: (push: BackgroundPush) => void): void {
  browser.runtime.onMessage.addListener((raw: unknown, sender: { url?: string; tab?: unknown }) => {
    if (!isOwnPage(sender)) return undefined;
    const push = BackgroundPush.safeParse(raw);
    if (push.success) listener(push.data);
    return undefined;
  });
}
