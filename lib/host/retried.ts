/**
 * What the work gives, done once and begun again by whoever asks after it has failed: one failure must
 * not last as long as the document does.
 */
export function retried<T>(work: () => Promise<T>): () => Promise<T> {
  let going: Promise<T> | undefined;
  return () => {
    going ??= work().catch((error: unknown) => {
      going = undefined;
      throw error;
    });
    return going;
  };
}
