import type { Turn } from '../turns';

/** The part of `@mlc-ai/web-llm` that is used, so that tests may stand in for it. */
export interface WebLlmModule {
  MLCEngine: new (config: {
    appConfig: { model_list: ModelRecord[]; cacheBackend: 'cache' };
    initProgressCallback(report: InitReport): void;
    logLevel: 'WARN';
  }) => MlcEngine;
  prebuiltAppConfig: { model_list: ModelRecord[] };
}
/** One entry of the package's own list. */
export interface ModelRecord {
  model: string;
  model_id: string;
  /** Address of the compiled library: code, so only the packaged copy of it is ever used. */
  model_lib: string;
  overrides?: { context_window_size?: number };
  vram_required_MB?: number;
  low_resource_required?: boolean;
  buffer_size_required_bytes?: number;
  required_features?: string[];
  model_manifest?: string;
}
export interface InitReport {
  progress: number;
  text: string;
}
export interface MlcEngine {
  reload(modelId: string): Promise<void>;
  unload(): Promise<void>;
  interruptGenerate(): void;
  chat: { completions: { create(request: ChatRequest): Promise<AsyncIterable<ChatChunk>> } };
}
export interface ChatRequest {
  messages: Turn[];
  stream: true;
  stream_options: { include_usage: true };
  max_tokens: number;
  temperature: number;
  response_format?:
    | { type: 'json_object'; schema: string }
    | { type: 'structural_tag'; structural_tag: string };
  extra_body?: { enable_thinking: boolean };
}
export interface ChatChunk {
  choices: { delta: { content?: string | null }; finish_reason: string | null }[];
  usage?: {
    /** Tokens read this time; what was in the cache is not among them. */
    prompt_tokens: number;
    completion_tokens: number;
    extra: { decode_tokens_per_s: number };
  };
}
