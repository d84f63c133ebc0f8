import type { Turn } from '../turns';

/** The part of `@wllama/wllama` that is used, so that tests may stand in for it. */
export interface WllamaModule {
  Wllama: new (
    paths: { default: string },
    config: { logger: WllamaLogger; suppressNativeLog: boolean },
  ) => WllamaInstance;
}
export interface WllamaLogger {
  debug(...data: unknown[]): void;
  log(...data: unknown[]): void;
  warn(...data: unknown[]): void;
  error(...data: unknown[]): void;
}
export interface WllamaInstance {
  setCompat(compat: null): void;
  loadModel(files: Blob[], params: LoadParams): Promise<void>;
  getLoadedContextInfo(): { n_ctx: number; n_vocab: number };
  createChatCompletion(params: ChatParams): Promise<void>;
  createCompletion(params: { prompt: string; max_tokens: number }): Promise<unknown>;
  exit(): Promise<void>;
}
export interface LoadParams {
  n_ctx: number;
  n_batch: number;
  n_ubatch: number;
  n_parallel: number;
  n_gpu_layers: number | undefined;
  n_threads: number | undefined;
  jinja: boolean;
  reasoning: boolean;
  reasoning_format: 'none';
  chat_template?: string;
}
export interface ChatParams {
  messages: Turn[];
  stream: true;
  onData(chunk: ChatChunk): void;
  abortSignal: AbortSignal;
  max_tokens: number;
  temperature: number;
  cache_prompt: boolean;
  return_progress: boolean;
  timings_per_token: boolean;
  /** GBNF. */
  grammar?: string;
}
export interface ChatChunk {
  choices: { delta: { content?: string | null }; finish_reason: string | null }[];
  timings?: {
    cache_n: number;
    prompt_n: number;
    predicted_n: number;
    predicted_per_second: number;
  };
  prompt_progress?: { total: number; cache: number; processed: number };
}
