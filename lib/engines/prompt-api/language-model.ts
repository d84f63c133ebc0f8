/**
 * Chrome's Prompt API as extensions see it (Chromium 156), as far as it is used. The names with
 * `input` are older spellings that some versions have instead of those with `context`.
 */
export type Availability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

export interface LanguageOptions {
  expectedInputs: { type: 'text'; languages: string[] }[];
  expectedOutputs: { type: 'text'; languages: string[] }[];
}

export interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface CreateOptions extends LanguageOptions {
  signal: AbortSignal;
  initialPrompts?: PromptMessage[];
  temperature?: number;
  topK?: number;
  monitor?(monitor: EventTarget): void;
}

export interface PromptOptions {
  signal?: AbortSignal;
  responseConstraint?: unknown;
  /** Without it the browser writes the schema into the prompt once more. */
  omitResponseConstraintInput?: boolean;
}

export interface LanguageModelApi {
  availability(options: LanguageOptions): Promise<Availability>;
  create(options: CreateOptions): Promise<LanguageModelSession>;
  /** Extensions only. */
  params?(): Promise<{ maxTopK: number; maxTemperature: number } | null>;
}

export interface LanguageModelSession extends EventTarget {
  promptStreaming(input: PromptMessage[], options: PromptOptions): ReadableStream<string>;
  measureContextUsage?(input: PromptMessage[], options: PromptOptions): Promise<number>;
  measureInputUsage?(input: PromptMessage[], options: PromptOptions): Promise<number>;
  readonly contextUsage?: number;
  readonly contextWindow?: number;
  readonly inputUsage?: number;
  readonly inputQuota?: number;
  clone(options: { signal: AbortSignal }): Promise<LanguageModelSession>;
  destroy(): void;
}

export function usageOf(session: LanguageModelSession): number {
  return session.contextUsage ?? session.inputUsage ?? 0;
}

export function windowOf(session: LanguageModelSession): number | undefined {
  return session.contextWindow ?? session.inputQuota;
}

/** `undefined` where the browser does not tell. */
export async function measure(
  session: LanguageModelSession,
  input: PromptMessage[],
  options: PromptOptions,
): Promise<number | undefined> {
  return (
    (await session.measureContextUsage?.(input, options)) ??
    (await session.measureInputUsage?.(input, options))
  );
}

/** Languages the built-in model was made for (Chromium 156); others make it unavailable. */
const LANGUAGES = ['en', 'de', 'es', 'fr', 'ja'];

/** The user's language where the model knows it, and English, in which the instructions are. */
export function languageOptions(language: string): LanguageOptions {
  const own = language.slice(0, 2).toLowerCase();
  const languages = LANGUAGES.includes(own) && own !== 'en' ? [own, 'en'] : ['en'];
  return {
    expectedInputs: [{ type: 'text', languages }],
    expectedOutputs: [{ type: 'text', languages }],
  };
}
