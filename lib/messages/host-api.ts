import * as z from 'zod';
import type { EngineDescription, EngineId, LoadProgress } from '../agent/engine';
import type { AgentEvent, Budget, Problem } from '../agent/events';
import type { CallOutcome } from '../agent/ports';
import type { Catalog, CompactTool, Exposure, JsonValue, PageTool } from '../tools/tool';

/**
 * What a view may ask of the host, over one port (`lib/messages/rpc.ts`). Every request is checked
 * with the schema here before the host sees it; replies and pushes come from the host, which views trust.
 */
const tab = { tabId: z.number().int() };
const conversation = { conversationId: z.string() };
const engine = z.enum(['instant', 'prompt-api', 'web-llm', 'wllama']);
const json = z.json();

export const hostMethods = {
  /** Subscribes the port to the conversation that belongs to the tab; pushes follow. */
  watch: z.object(tab),
  ask: z.object({ ...tab, text: z.string().min(1).max(20_000) }),
  stop: z.object(conversation),
  answerApproval: z.object({
    callId: z.string(),
    decision: z.enum(['allow', 'deny']),
    remember: z.boolean(),
  }),
  answerQuestion: z.object({ questionId: z.string(), answer: json.nullable() }),
  newConversation: z.object(tab),
  openConversation: z.object({ ...tab, ...conversation }),
  listConversations: z.object({ search: z.string().optional() }),
  renameConversation: z.object({ ...conversation, title: z.string().min(1).max(200) }),
  deleteConversation: z.object(conversation),
  /** Forks before the given turn and asks again, with the same or an edited text. */
  retry: z.object({ ...tab, ...conversation, turnId: z.string(), text: z.string().optional() }),
  /** What the user lets this conversation's model read of the page, through Pagehand's own tools. */
  share: z.object({ ...tab, text: z.boolean(), selection: z.boolean() }),
  exportConversation: z.object({
    ...conversation,
    format: z.enum(['markdown', 'json', 'trace', 'eval']),
  }),
  importConversation: z.object({ ...tab, text: z.string().max(50_000_000) }),
  catalog: z.object(tab),
  /** Runs a tool by hand: validated, never asked for approval (the user is the one who runs it). */
  runTool: z.object({ ...tab, key: z.string(), arguments: z.record(z.string(), json) }),
  /** What a turn would do with the ask, without running anything. */
  preview: z.object({ ...tab, ask: z.string().max(20_000) }),
  describeEngines: z.object({}),
  loadEngine: z.object({ engine, model: z.string().optional() }),
  cancelLoad: z.object({}),
  unloadEngine: z.object({}),
  deleteModel: z.object({ engine, model: z.string() }),
  storage: z.object({}),
  listApprovals: z.object({}),
  revokeApproval: z.object({ id: z.string() }),
  clearAll: z.object({}),
} as const;

export type HostMethod = keyof typeof hostMethods;

export interface ConversationInfo {
  id: string;
  title: string;
  /** The tab it is attached to at the moment, if any. */
  tabId?: number;
  origin: string;
  createdAt: number;
  updatedAt: number;
  turns: number;
  /** What the model may read of the pages of `origin`; nothing unless the user said so. */
  shared?: { text?: boolean; selection?: boolean; origin?: string };
}

export interface Snapshot {
  conversation: ConversationInfo;
  events: AgentEvent[];
  status: HostStatus;
}

/** What the model is doing and for whom. */
export interface HostStatus {
  /** The turn that holds the engine. */
  busy: { tabId: number; conversationId: string; turnId: string } | null;
  /** Conversations waiting, in order. */
  queue: { tabId: number; conversationId: string }[];
  engine: {
    id: EngineId;
    model?: string;
    state: 'unloaded' | 'loading' | 'ready' | 'failed';
    progress?: LoadProgress;
    error?: string;
  };
}

/** A tool with what it costs and how it reaches the model. */
export interface ListedTool {
  tool: PageTool;
  exposure: Exposure;
  /** Whether the user set the exposure, or the site's rule decided. */
  exposureBy: 'user' | 'recipe' | 'site' | 'page' | 'auto';
  /** Why it reaches the model that way, in words. */
  reason: string;
  compact: CompactTool;
  /** Compact-JSON bytes of the declared definition, and estimated tokens of what the model sees. */
  bytes: number;
  tokens: number;
}

export interface CatalogView {
  catalog: Catalog;
  listed: ListedTool[];
  /** Of a first step; absent where no step could be made. */
  budget?: Budget;
  /** Why there are none, in words; absent when there are some. */
  empty?: { reason: 'restricted' | 'no-tools' | 'reload' | 'no-page'; message: string };
}

export interface Preview {
  ranked: { name: string; score: number; matchedFields: string[] }[];
  direct: string[];
  deferred: string[];
  left: { name: string; why: string }[];
  system: string;
  budget?: Budget;
  /** Each engine's call for the ask, where it could be had without a download. */
  calls: { engine: EngineId; call: { name: string; arguments: JsonValue } | null; text: string }[];
}

export interface RunToolResult {
  problems: Problem[];
  outcome: CallOutcome | null;
  ms: number;
}

export interface GivenApproval {
  id: string;
  toolName: string;
  origin: string;
  conversationId: string;
  at: number;
}

export interface StorageInfo {
  usage: number;
  quota: number;
  persisted: boolean;
}

/** Result of each method. */
export interface HostResults {
  watch: Snapshot;
  ask: { turnId: string };
  stop: null;
  answerApproval: null;
  answerQuestion: null;
  newConversation: Snapshot;
  openConversation: Snapshot;
  listConversations: ConversationInfo[];
  renameConversation: null;
  deleteConversation: null;
  retry: { turnId: string };
  share: Snapshot;
  exportConversation: { filename: string; text: string };
  importConversation: { conversationId: string };
  catalog: CatalogView;
  runTool: RunToolResult;
  preview: Preview;
  describeEngines: EngineDescription[];
  loadEngine: null;
  cancelLoad: null;
  unloadEngine: null;
  deleteModel: null;
  storage: StorageInfo;
  listApprovals: GivenApproval[];
  revokeApproval: null;
  clearAll: null;
}

/** What the host sends by itself to a port that watches. */
export type HostPush =
  | { push: 'events'; conversationId: string; events: AgentEvent[] }
  | { push: 'snapshot'; snapshot: Snapshot }
  | { push: 'status'; status: HostStatus }
  /** The page's tools changed; ask for `catalog` again if it is shown. */
  | { push: 'catalog-changed'; tabId: number; tools: number };

/** The host, as a view holds it. */
export interface HostClient {
  request<M extends HostMethod>(
    method: M,
    params: z.infer<(typeof hostMethods)[M]>,
    signal?: AbortSignal,
  ): Promise<HostResults[M]>;
  /** Calls back on every push, until the signal aborts. */
  onPush(listener: (push: HostPush) => void, signal: AbortSignal): void;
}
