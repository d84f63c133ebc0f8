import type { LanguageModelApi } from './prompt-api/language-model';

/** The browser's `LanguageModel`, where it has one. */
export function builtInModel(): LanguageModelApi | undefined {
  return (globalThis as { LanguageModel?: LanguageModelApi }).LanguageModel;
}
