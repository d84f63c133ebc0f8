import type { DialectId } from '../calls/dialect-id';
import { type Listed, type Words, WordsError } from '../said/said';
import type { CompactTool, JsonObject, JsonSchema } from '../tools/tool';

export type EngineId = 'instant' | 'prompt-api' | 'web-llm' | 'wllama';

export type { DialectId };

/**
 * One message of a prompt. A `tool` message answers the call with the same `callId`; what a page wrote
 * in it is fenced (`untrusted.ts`). An assistant's `content` is the whole reply in the dialect, calls
 * included; `calls` are the same calls as data. A `note` is for models only: it follows the result.
 */
export type ChatMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; calls?: PromptCall[] }
  | {
      role: 'tool';
      callId: string;
      name: string;
      content: string;
      isError?: boolean;
      note?: string;
    };

export interface PromptCall {
  callId: string;
  name: string;
  arguments: JsonObject;
}

/** What the reply must look like. Engines that cannot enforce it ignore it; replies are parsed anyway. */
export type Constraint =
  /** The whole reply is JSON that fits the schema. */
  | { kind: 'json'; schema: JsonSchema }
  /** Free text, with calls only between the dialect's markers and fitting one tool's parameters. */
  | { kind: 'calls'; dialect: DialectId; tools: CompactTool[] };

export interface GenerateRequest {
  /** Instructions, with the tool list already rendered in the engine's dialect. */
  system: string;
  messages: ChatMessage[];
  /** The tools of this step as data: for engines that read them directly (`instant`, native templates). */
  tools: CompactTool[];
  /** `key: value` facts (date, time zone, page title…), also rendered in `system`. */
  facts: Record<string, string>;
  constraint?: Constraint;
  /** Upper bound of the reply, in tokens. */
  maxTokens: number;
}

export interface Usage {
  promptTokens: number;
  /** How many of the prompt's tokens came out of the engine's cache. */
  reusedTokens: number;
  completionTokens: number;
  /** Milliseconds from the request to the first token. */
  firstTokenMs: number;
  tokensPerSecond: number;
}

/** `length` means the reply hit its token limit: a call read from it is never run without asking. */
export type FinishReason = 'stop' | 'length' | 'abort';

/** Text deltas, then exactly one `end`. Errors are thrown as `EngineError`. */
export type GenerateChunk =
  | { kind: 'text'; text: string }
  /** Prompt processing, where the engine tells. */
  | { kind: 'prefill'; done: number; total: number }
  | { kind: 'end'; finish: FinishReason; usage: Usage };

export interface ModelChoice {
  /** Stable id, shown in settings and events. */
  id: string;
  label: string;
  /** Bytes to download, 0 when nothing is. */
  sizeBytes: number;
  /** GPU or main memory it needs, in bytes, where known. */
  memoryBytes?: number;
  contextWindow: number;
  dialect: DialectId;
  licence?: string;
  languages?: string[];
  /** One honest sentence: what it is good at. */
  goodAt?: Words;
  installed: boolean;
  /** Why it cannot run on this machine; absent when it can. */
  blocked?: Words;
  /** What is under way with it, such as a download nobody has finished. */
  note?: Words;
}

/** What an engine needs, what this machine has, and why not. */
export interface EngineDescription<Id extends string = EngineId> {
  id: Id;
  label: string;
  available: boolean;
  /** Why it is not available and what the user can do; absent when it is. */
  reason?: Words;
  models: ModelChoice[];
  loaded?: string;
}

export interface LoadProgress {
  phase: 'download' | 'verify' | 'prepare';
  /** Bytes in `download`, a share of `total` = 1 otherwise. */
  done: number;
  total: number;
  bytesPerSecond?: number;
  secondsLeft?: number;
}

/**
 * One engine. Lives in the offscreen document; one request at a time (the host queues).
 * No engine-specific branch exists outside an engine's own file.
 */
export interface Engine<Id extends string = EngineId> {
  /** The product's own are {@link EngineId}; somebody else's may be called anything. */
  readonly id: Id;
  /** Of the loaded model, else of the default one. */
  readonly dialect: DialectId;
  readonly contextWindow: number;
  describe(signal?: AbortSignal): Promise<EngineDescription<Id>>;
  /** Resolves once `generate` can run. Idempotent for the same model. Rejects with `EngineError` or the signal's reason. */
  load(
    model: string | undefined,
    progress: (p: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<void>;
  generate(request: GenerateRequest, signal: AbortSignal): AsyncIterable<GenerateChunk>;
  /** Estimate, or the model's own tokenizer where it is reachable. */
  countTokens(text: string): number;
  unload(): Promise<void>;
  /** Removes a downloaded model from this machine; absent where nothing is ever downloaded. */
  deleteModel?(model: string): Promise<void>;
}

/** Why an engine could not go on. Each kind has one remedy the panel offers. */
export type EngineErrorKind =
  | 'unavailable' // pick another engine
  | 'not-loaded' // load it
  | 'needs-click' // the browser wants a user gesture before it downloads
  | 'download' // retry, resume
  | 'storage' // free space
  | 'corrupt' // delete and download again
  | 'memory' // smaller model
  | 'device-lost' // reload
  | 'window' // shorten the conversation
  | 'failed'; // retry, report

export class EngineError extends WordsError {
  readonly kind: EngineErrorKind;
  /** The words say what happened and what to do, for the user. */
  constructor(kind: EngineErrorKind, words: Listed, options?: ErrorOptions) {
    super(words, options);
    this.name = 'EngineError';
    this.kind = kind;
  }
}
