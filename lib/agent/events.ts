import * as z from 'zod';
import { Listed, SaidField, type Words } from '../said/said';

/**
 * The log. One immutable fact about a turn per event; a transcript, a call card, a budget meter and
 * the log view are all folds over the same list. Events go to the database as they happen.
 *
 * Schemas, not only types: exported logs come back in through import.
 *
 * Words are English, which the model reads and files keep. `said` beside them tells which sentence of
 * Pagehand's they are, so that a view can say it in the user's language; logs from before it have none.
 */
const json: z.ZodType<unknown> = z.json();
const base = {
  /** Unique, sortable by time within a conversation. */
  id: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  conversationId: z.string(),
  turnId: z.string(),
};
const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ ...base, type: z.literal(type), ...shape });

/** A tool as an event names it: enough to show it after its page is gone. */
export const ToolRef = z.object({
  key: z.string(),
  name: z.string(),
  title: z.string().optional(),
  origin: z.string(),
});
export type ToolRef = z.infer<typeof ToolRef>;

/** A value of a call that only another site told: `value` is cut where it is long. */
export const ForeignValue = z.object({
  argument: z.string(),
  value: z.string(),
  origin: z.string(),
});
export type ForeignValue = z.infer<typeof ForeignValue>;

/** Tokens of the window and what takes them; `window` = instructions + tools + history + reply + free. */
export const Budget = z.object({
  window: z.number(),
  instructions: z.number(),
  direct: z.number(),
  promoted: z.number(),
  manifest: z.number(),
  history: z.number(),
  reply: z.number(),
  /** Compact-JSON bytes of the schemas on the wire this step. */
  schemaBytes: z.number(),
  /** Tokens that advertising every tool in full would have cost. */
  allToolsTokens: z.number(),
});
export type Budget = z.infer<typeof Budget>;

export const Problem = z.object({
  /** Path of the argument, `""` for the call as a whole. */
  path: z.string(),
  message: z.string(),
  said: SaidField,
});
export type Problem = z.infer<typeof Problem>;
export const problemOf = (path: string, { text, said }: Words): Problem => ({
  path,
  message: text,
  ...(said ? { said } : {}),
});
export const wordsOfProblem = ({ message, said }: Problem): Words => ({ text: message, said });

export const Remedy = z.enum([
  'retry',
  'choose-tool',
  'fill-form',
  'bigger-model',
  'other-engine',
  'reload-page',
  'continue',
]);
export type Remedy = z.infer<typeof Remedy>;

export const EndReason = z.enum([
  'answered',
  'stopped', // the user pressed Stop
  'denied', // the user denied a call and there was nothing else to do
  'asked', // waits for the user's next message
  'step-limit',
  'repeated-call',
  'empty-answer',
  'model-errors', // two errors of the model in a row
  'tool-errors', // the same error from tools twice
  'engine-failed',
  'page-gone', // the tab was closed or cannot be reached
  'page-restricted', // the browser lets no extension look into the page
  'page-reload', // the page has to be loaded again before its tools can be seen
  'interrupted', // the host itself ended in mid-turn
]);
export type EndReason = z.infer<typeof EndReason>;

export const AgentEvent = z.discriminatedUnion('type', [
  event('turn-started', {
    ask: z.string(),
    tabId: z.number(),
    url: z.string(),
    engine: z.string(),
    model: z.string().optional(),
    /** The user ran one tool themselves: no request, no engine. */
    byHand: z.boolean().optional(),
    /** The turn it follows, see `branches.ts`; absent where it is the one before it in the log. */
    after: z.string().optional(),
  }),
  /** Another tab's turn is running; position 1 is next. */
  event('turn-queued', { position: z.number(), busyTabId: z.number().optional() }),
  event('step-started', { step: z.number() }),
  event('catalog-collected', {
    url: z.string(),
    title: z.string(),
    tools: z.number(),
    appeared: z.array(z.string()),
    vanished: z.array(z.string()),
    notes: z.array(Listed),
    ms: z.number(),
  }),
  /** Once per turn: the surface before any narrowing. `schemaBytes` = direct + bridge, compact JSON. */
  event('tools-advertised', {
    direct: z.number(),
    deferred: z.number(),
    schemaBytes: z.number(),
  }),
  /** Each step: what the model is shown and what that costs. Nothing is left out silently. */
  event('tools-chosen', {
    step: z.number(),
    offered: z.array(
      z.object({
        name: z.string(),
        key: z.string(),
        why: z.enum(['direct', 'ranked', 'recent', 'promoted', 'pinned', 'built-in', 'bridge']),
        score: z.number().optional(),
        bytes: z.number(),
        tokens: z.number(),
      }),
    ),
    left: z.array(z.object({ name: z.string(), key: z.string(), why: z.string() })),
    budget: Budget,
  }),
  event('prompt-sent', {
    step: z.number(),
    dialect: z.string(),
    tokens: z.number(),
    /** Hash of the stable prefix (instructions + tools): equal hashes mean the engine can reuse its cache. */
    prefix: z.string(),
    /** Exact prompt; only under capture. */
    system: z.string().optional(),
    messages: json.optional(),
  }),
  /** Coalesced pieces of the reply, as they stream. */
  event('text', { step: z.number(), channel: z.enum(['prose', 'thinking']), text: z.string() }),
  event('model-replied', {
    step: z.number(),
    raw: z.string(),
    finish: z.enum(['stop', 'length', 'abort']),
    queueMs: z.number(),
    promptTokens: z.number(),
    reusedTokens: z.number(),
    completionTokens: z.number(),
    firstTokenMs: z.number(),
    tokensPerSecond: z.number(),
  }),
  /** Calls the parser could not read or that named no offered tool; these go back to the model. */
  event('reply-problems', { step: z.number(), errors: z.array(Listed) }),
  event('call-proposed', {
    step: z.number(),
    callId: z.string(),
    tool: ToolRef,
    arguments: json,
    /** A deferred tool called by its name. */
    deferred: z.boolean(),
    readOnly: z.boolean(),
    consequential: z.boolean(),
    /** Harmless fixes made, in words: `"3" → 3 for "qty"`. */
    fixes: z.array(Listed),
    /** Values that appear nowhere in the ask, the facts or a result. */
    unsourced: z.array(z.string()),
    /** Values that only another site told; absent where there are none. */
    foreign: z.array(ForeignValue).optional(),
    /** What validation could not check, in words. */
    unchecked: z.array(Listed),
  }),
  event('call-invalid', {
    callId: z.string(),
    name: z.string(),
    tool: ToolRef.optional(),
    arguments: json,
    problems: z.array(Problem),
    /** The one sentence that goes back to the model. */
    message: z.string(),
    said: SaidField,
  }),
  event('approval-asked', {
    callId: z.string(),
    reason: z.enum([
      'changes',
      'consequential',
      'cut-off',
      'unsourced',
      'changed-tool',
      'other-site',
    ]),
    /** Whether "allow this tool on this site for this chat" may be offered. */
    canRemember: z.boolean(),
    /** The answer was given before: nobody is asked. */
    remembered: z.boolean().optional(),
    /** Of `consequential`: the word of the tool's name that says so; absent where the page does. */
    word: z.string().optional(),
  }),
  event('approval-answered', {
    callId: z.string(),
    decision: z.enum(['allow', 'deny']),
    by: z.enum(['user', 'remembered', 'form', 'stop', 'navigation']),
    remember: z.boolean(),
    /** Of what is remembered: for this chat, or on the tool's site until it is taken back. */
    scope: z.enum(['chat', 'site']).optional(),
    /** What the user made of the arguments before allowing the call. */
    arguments: json.optional(),
  }),
  event('call-started', { callId: z.string() }),
  event('call-finished', {
    callId: z.string(),
    ok: z.boolean(),
    /** What came back, full, as text; JSON text where the tool returned JSON. `null` where nothing did. */
    result: z.string().nullable(),
    /** What the model gets to read of it. */
    shown: z.string(),
    error: z.string().optional(),
    /** How to say the error. */
    said: SaidField,
    ms: z.number(),
    /** The document changed under or after the call. */
    navigatedTo: z.string().optional(),
    /** The call may have run although it failed: it is never run again by itself. */
    mayHaveRun: z.boolean(),
  }),
  event('tool-searched', {
    callId: z.string(),
    /** Empty unless capture is on. */
    query: z.string(),
    matched: z.array(z.string()),
    ranker: z.string(),
    topConfidence: z.number().nullable(),
    fallback: z.string().nullable(),
    shadowMatched: z.array(z.string()).nullable(),
    latencyMs: z.number(),
  }),
  event('deferred-tool-call', { callId: z.string(), toolName: z.string() }),
  /** Pagehand or the model asks the user: pick a tool, give a value, answer a question. */
  event('question-asked', {
    questionId: z.string(),
    text: z.string(),
    said: SaidField,
    choices: z.array(z.object({ value: z.string(), label: z.string() })),
    /** A form to fill for one tool, prefilled with what is known. */
    form: z
      .object({ tool: ToolRef, schema: json, values: json, missing: z.array(z.string()) })
      .optional(),
  }),
  event('question-answered', { questionId: z.string(), answer: json }),
  event('page-navigated', { url: z.string() }),
  /** Something the user should know that is no error of theirs: dropped, cut, fell back. */
  event('notice', {
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
    said: SaidField,
  }),
  event('engine-failed', {
    engine: z.string(),
    kind: z.string(),
    message: z.string(),
    said: SaidField,
    remedies: z.array(Remedy),
  }),
  event('brief-updated', { brief: z.string() }),
  event('turn-ended', {
    reason: EndReason,
    /** The final words for the user; `""` where the streamed prose already said it. */
    message: z.string(),
    said: SaidField,
    remedies: z.array(Remedy),
    steps: z.number(),
  }),
]);
export type AgentEvent = z.infer<typeof AgentEvent>;
export type EventType = AgentEvent['type'];
/** What the loop hands to `emit`; the host adds id, time, conversation and turn. */
export type EventBody = {
  [T in EventType]: Omit<
    Extract<AgentEvent, { type: T }>,
    'id' | 'at' | 'conversationId' | 'turnId'
  >;
}[EventType];
