/**
 * A tool's value as text, as Chrome 156 gives it to the caller of `executeTool`, but for one thing:
 * a Symbol, which crashes its renderer, becomes its description. Throws where JSON has no words.
 */
export function resultText(value: unknown): string {
  if (typeof value === 'string') return value || 'Operation succeeded';
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'symbol')
    return String(value);
  return JSON.stringify(value) ?? 'undefined';
}

/** What somebody threw, in words, whatever it was. */
export function thrownText(error: unknown): string {
  try {
    if (error instanceof Error || (typeof error === 'object' && error && 'message' in error))
      return String((error as Error).message) || String((error as Error).name);
    return typeof error === 'object' ? JSON.stringify(error) : String(error);
  } catch {
    return 'The tool threw something that cannot be put into words.';
  }
}
