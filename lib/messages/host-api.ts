import * as z from 'zod';
import { Budget, Problem } from '../agent/events';
import { EvalSite } from '../evals/format';
import { TurnScore } from '../evals/score';
import { Words } from '../said/said';
import {
  CallOutcomeShape,
  CatalogShape,
  CompactToolShape,
  EngineDescriptionShape,
  EngineIdShape,
  ExposureShape,
  Json,
  JsonRecord,
  KnownEvents,
  LoadProgressShape,
  ToolShape,
} from './shapes';

/**
 * What a view may ask of the host, over one port (`lib/messages/rpc.ts`). Every request is checked with
 * the schema here before the host sees it, every reply and push before a view does.
 */
const tab = { tabId: z.number().int() };
const conversation = { conversationId: z.string() };

export const hostMethods = {
  /** Subscribes the port to the conversation that belongs to the tab; pushes follow. */
  watch: z.object(tab),
  /** `after`: the turn it follows, where the user looks at another version than the newest. */
  ask: z.object({ ...tab, text: z.string().min(1).max(20_000), after: z.string().optional() }),
  stop: z.object(conversation),
  answerApproval: z.object({
    callId: z.string(),
    decision: z.enum(['allow', 'deny']),
    remember: z.boolean(),
    scope: z.enum(['chat', 'site']).optional(),
    /** What the user made of the arguments; checked, and refused where they do not fit. */
    arguments: JsonRecord.optional(),
  }),
  answerQuestion: z.object({ questionId: z.string(), answer: Json.nullable() }),
  newConversation: z.object(tab),
  openConversation: z.object({ ...tab, ...conversation }),
  listConversations: z.object({ search: z.string().optional() }),
  renameConversation: z.object({ ...conversation, title: z.string().min(1).max(200) }),
  deleteConversation: z.object(conversation),
  /** Asks a turn again, with the same or an edited text: another version of it in the same conversation. */
  retry: z.object({ ...tab, ...conversation, turnId: z.string(), text: z.string().optional() }),
  /** What the user lets this conversation's model read of the page, through Pagehand's own tools. */
  share: z.object({ ...tab, text: z.boolean(), selection: z.boolean() }),
  exportConversation: z.object({
    ...conversation,
    format: z.enum(['markdown', 'json', 'trace', 'eval']),
  }),
  importConversation: z.object({ ...tab, text: z.string().max(50_000_000) }),
  catalog: z.object(tab),
  /**
   * Runs a tool by hand: validated, told as events, never asked for approval (the user is the one who
   * runs it; the form asks once more where the tool is binding).
   */
  runTool: z.object({ ...tab, key: z.string(), arguments: JsonRecord }),
  /** What a turn would do with the ask, without running anything. */
  preview: z.object({ ...tab, ask: z.string().max(20_000) }),
  /** Runs one recorded case through the loop, against its recorded results. */
  replay: z.object({ ...tab, site: EvalSite, tools: z.enum(['page', 'recorded']) }),
  describeEngines: z.object({}),
  loadEngine: z.object({ engine: EngineIdShape, model: z.string().optional() }),
  cancelLoad: z.object({}),
  unloadEngine: z.object({}),
  deleteModel: z.object({ engine: EngineIdShape, model: z.string() }),
  storage: z.object({}),
  listApprovals: z.object({}),
  revokeApproval: z.object({ id: z.string() }),
  clearAll: z.object({}),
} as const;

export type HostMethod = keyof typeof hostMethods;

const ConversationInfo = z.object({
  id: z.string(),
  title: z.string(),
  /** The tab it is attached to at the moment, if any. */
  tabId: z.number().optional(),
  origin: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  turns: z.number(),
  /** Its last turn was ended by the browser or the machine, not by anybody. */
  interrupted: z.boolean().optional(),
  /** What the model may read of the pages of `origin`; nothing unless the user said so. */
  shared: z
    .object({
      text: z.boolean().optional(),
      selection: z.boolean().optional(),
      origin: z.string().optional(),
    })
    .optional(),
});
export type ConversationInfo = z.infer<typeof ConversationInfo>;

const place = { tabId: z.number(), conversationId: z.string() };

/** What the model is doing and for whom. */
const HostStatus = z.object({
  /** The turn that holds the engine. */
  busy: z
    .object({
      ...place,
      turnId: z.string(),
      /** It goes on once its user has decided, or answered. */
      waitsFor: z.enum(['approval', 'question']).optional(),
    })
    .nullable(),
  /** Conversations waiting, in order. */
  queue: z.array(z.object(place)),
  engine: z.object({
    id: EngineIdShape,
    model: z.string().optional(),
    state: z.enum(['unloaded', 'loading', 'ready', 'failed']),
    progress: LoadProgressShape.optional(),
    error: Words.optional(),
  }),
});
export type HostStatus = z.infer<typeof HostStatus>;

const Snapshot = z.object({
  conversation: ConversationInfo,
  events: KnownEvents,
  status: HostStatus,
});
export type Snapshot = z.infer<typeof Snapshot>;

/** A tool with what it costs and how it reaches the model. */
const ListedTool = z.object({
  tool: ToolShape,
  exposure: ExposureShape,
  /** Whether the user set the exposure, or the site's rule decided. */
  exposureBy: z.enum(['user', 'recipe', 'site', 'page', 'auto']),
  /** Why it reaches the model that way. */
  reason: Words,
  compact: CompactToolShape,
  /** Compact-JSON bytes of the declared definition, and estimated tokens of what the model sees. */
  bytes: z.number(),
  tokens: z.number(),
});
export type ListedTool = z.infer<typeof ListedTool>;

const CatalogView = z.object({
  catalog: CatalogShape,
  listed: z.array(ListedTool),
  /** Of a first step; absent where no step could be made. */
  budget: Budget.optional(),
  /** Why there are none, in words; absent when there are some. */
  empty: z
    .object({
      reason: z.enum(['restricted', 'no-tools', 'reload', 'no-page']),
      message: z.string(),
    })
    .optional(),
});
export type CatalogView = z.infer<typeof CatalogView>;

const Preview = z.object({
  ranked: z.array(
    z.object({ name: z.string(), score: z.number(), matchedFields: z.array(z.string()) }),
  ),
  direct: z.array(z.string()),
  deferred: z.array(z.string()),
  left: z.array(z.object({ name: z.string(), why: z.string() })),
  system: z.string(),
  budget: Budget.optional(),
  /** Each engine's call for the ask, where it could be had without a download. */
  calls: z.array(
    z.object({
      engine: EngineIdShape,
      call: z.object({ name: z.string(), arguments: Json }).nullable(),
      text: z.string(),
    }),
  ),
});
export type Preview = z.infer<typeof Preview>;

const RunToolResult = z.object({
  problems: z.array(Problem),
  outcome: CallOutcomeShape.nullable(),
  ms: z.number(),
});
export type RunToolResult = z.infer<typeof RunToolResult>;

const GivenApproval = z.object({
  id: z.string(),
  toolName: z.string(),
  origin: z.string(),
  /** Empty where it holds on the site, in every conversation. */
  conversationId: z.string(),
  at: z.number(),
});
export type GivenApproval = z.infer<typeof GivenApproval>;

const StorageInfo = z.object({ usage: z.number(), quota: z.number(), persisted: z.boolean() });
export type StorageInfo = z.infer<typeof StorageInfo>;

const turn = z.object({ turnId: z.string() });

/** What each method is answered with. */
export const hostResults = {
  watch: Snapshot,
  ask: turn,
  stop: z.null(),
  /** With problems nothing was answered: the call still waits. */
  answerApproval: z.object({ problems: z.array(Problem) }),
  answerQuestion: z.null(),
  newConversation: Snapshot,
  openConversation: Snapshot,
  listConversations: z.array(ConversationInfo),
  renameConversation: z.null(),
  deleteConversation: z.null(),
  retry: turn,
  share: Snapshot,
  exportConversation: z.object({ filename: z.string(), text: z.string() }),
  /** `skipped`: entries of the file that could not be read. */
  importConversation: z.object({ conversationId: z.string(), skipped: z.number() }),
  catalog: CatalogView,
  runTool: RunToolResult,
  preview: Preview,
  replay: z.object({ engine: EngineIdShape, turns: z.array(TurnScore) }),
  describeEngines: z.array(EngineDescriptionShape),
  loadEngine: z.null(),
  cancelLoad: z.null(),
  unloadEngine: z.null(),
  deleteModel: z.null(),
  storage: StorageInfo,
  listApprovals: z.array(GivenApproval),
  revokeApproval: z.null(),
  clearAll: z.null(),
} as const satisfies Record<HostMethod, z.ZodType>;

export type HostResults = { [M in HostMethod]: z.output<(typeof hostResults)[M]> };

/** What the host sends by itself to a port that watches. */
export const HostPush = z.discriminatedUnion('push', [
  z.object({ push: z.literal('events'), conversationId: z.string(), events: KnownEvents }),
  z.object({ push: z.literal('snapshot'), snapshot: Snapshot }),
  z.object({ push: z.literal('status'), status: HostStatus }),
  /** The page's tools changed; ask for `catalog` again if it is shown. */
  z.object({ push: z.literal('catalog-changed'), tabId: z.number(), tools: z.number() }),
]);
export type HostPush = z.infer<typeof HostPush>;

/** What a view hears: the host's pushes, and, once, that it could not understand some of them. */
export type HeardPush = HostPush | { push: 'misfit' };

/** The host, as a view holds it. */
export interface HostClient {
  request<M extends HostMethod>(
    method: M,
    params: z.infer<(typeof hostMethods)[M]>,
    signal?: AbortSignal,
  ): Promise<HostResults[M]>;
  /** Calls back on every push, until the signal aborts. */
  onPush(listener: (push: HeardPush) => void, signal: AbortSignal): void;
}
