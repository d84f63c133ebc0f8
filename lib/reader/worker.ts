import { createNetwork } from './network';
import { createReader, type Reader, type Reading } from './read';
import type { ReadableTool } from './text';

/** What the worker is asked; the first message says where its files are. */
export type ReaderRequest =
  | { type: 'load'; weights: string; kernel: string }
  | {
      type: 'read';
      id: number;
      request: string;
      earlier: readonly string[];
      tools: readonly ReadableTool[];
    };

/** What it answers: one `reading` or `failed` for each `read`. */
export type ReaderReply =
  | { type: 'reading'; id: number; reading: Reading }
  | { type: 'failed'; id: number; message: string };

/** The side of a worker that this needs. */
export interface WorkerScope {
  postMessage: (reply: ReaderReply) => void;
  onmessage: ((event: MessageEvent<ReaderRequest>) => void) | null;
}

/** Serves readings in a worker; its files are fetched when it is told where they are. */
export function serveReader(
  scope: WorkerScope,
  fetchFile: (url: string) => Promise<ArrayBuffer>,
): void {
  let reader: Promise<Reader> | undefined;
  scope.onmessage = ({ data }) => {
    if (data.type === 'load') {
      reader = Promise.all([fetchFile(data.weights), fetchFile(data.kernel)]).then(
        async ([weights, kernel]) => createReader(await createNetwork(weights, kernel)),
      );
      // Told to whoever asks.
      reader.catch(() => {});
      return;
    }
    const { id, request, earlier, tools } = data;
    const loaded =
      reader ?? Promise.reject(new Error('The reader was not told where its files are.'));
    loaded
      .then((r) =>
        scope.postMessage({ type: 'reading', id, reading: r.read(request, earlier, tools) }),
      )
      .catch((error: unknown) =>
        scope.postMessage({
          type: 'failed',
          id,
          message: error instanceof Error ? error.message : String(error),
        }),
      );
  };
}
