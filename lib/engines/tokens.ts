import { estimateTokenCount } from 'tokenx';

/**
 * Counts tokens by estimate, and learns from what the engine reports how far the estimate is off for
 * the loaded model: its tokenizer is out of reach, its counts are not.
 */
export interface TokenCounter {
  count(text: string): number;
  /** Tells what a prompt really took. */
  learn(text: string, tokens: number): void;
  reset(): void;
}

/** Below this many characters the template's own tokens would dominate. */
const ENOUGH_TEXT = 200;

export function createTokenCounter(): TokenCounter {
  let factor = 1;
  return {
    count: (text) => Math.ceil(estimateTokenCount(text) * factor),
    learn(text, tokens) {
      if (text.length < ENOUGH_TEXT || tokens <= 0) return;
      factor = Math.min(8, Math.max(0.5, tokens / estimateTokenCount(text)));
    },
    reset() {
      factor = 1;
    },
  };
}
