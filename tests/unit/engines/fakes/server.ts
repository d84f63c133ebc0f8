/** A `fetch` with a small web behind it: ranges, etags, and whatever is to go wrong next. */
export type Mishap =
  | { kind: 'offline' }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** The body ends, or breaks, after so many bytes. */
  | { kind: 'ends'; after: number }
  | { kind: 'breaks'; after: number }
  | { kind: 'no-ranges' }
  | { kind: 'html' }
  /** Gives so many bytes, then nothing. */
  | { kind: 'stalls'; after: number };

export interface FakeWeb {
  fetch: typeof fetch;
  files: Map<string, { bytes: Uint8Array<ArrayBuffer>; etag?: string }>;
  /** Address and range of each request. */
  requests: { url: string; range?: string }[];
  next: Mishap[];
  /** Bodies that have given all they will for now. */
  stalled: number;
}

const CHUNK = 1000;

export function createFakeWeb(): FakeWeb {
  const web: FakeWeb = {
    files: new Map(),
    requests: [],
    next: [],
    stalled: 0,
    async fetch(input, init) {
      const url = String(input);
      const headers = new Headers(init?.headers);
      const range = headers.get('range') ?? undefined;
      web.requests.push({ url, ...(range === undefined ? {} : { range }) });
      init?.signal?.throwIfAborted();
      const mishap = url.includes('/api/models/') ? undefined : web.next.shift();
      const file = web.files.get(url);
      if (mishap?.kind === 'offline') throw new TypeError('Failed to fetch');
      if (mishap?.kind === 'status')
        return new Response('no', { status: mishap.status, headers: mishap.headers });
      if (mishap?.kind === 'html')
        return new Response('<p>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
      if (!file) return new Response('no', { status: 404 });

      const changed = headers.has('if-range') && headers.get('if-range') !== file.etag;
      const wanted = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
      const start = mishap?.kind === 'no-ranges' || changed ? 0 : wanted;
      if (start > 0 && start >= file.bytes.length) return new Response('', { status: 416 });
      const body = file.bytes.subarray(start);
      return new Response(
        stream(body, mishap, init?.signal ?? undefined, () => web.stalled++),
        {
          status: start > 0 ? 206 : 200,
          headers: {
            'content-length': String(body.length),
            ...(file.etag ? { etag: file.etag } : {}),
            ...(start > 0
              ? { 'content-range': `bytes ${start}-${file.bytes.length - 1}/${file.bytes.length}` }
              : {}),
          },
        },
      );
    },
  };
  return web;
}

function stream(
  body: Uint8Array<ArrayBuffer>,
  mishap: Mishap | undefined,
  signal: AbortSignal | undefined,
  onStall: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        signal?.throwIfAborted();
        const limit =
          mishap && 'after' in mishap ? Math.min(mishap.after, body.length) : body.length;
        const end = Math.min(at + CHUNK, limit);
        if (at < end) controller.enqueue(body.slice(at, end));
        else if (mishap?.kind === 'breaks') controller.error(new TypeError('network error'));
        else if (mishap?.kind === 'stalls') {
          onStall();
          await new Promise((_, reject) =>
            signal?.addEventListener('abort', () => reject(signal.reason)),
          );
        } else controller.close();
        at = end;
      },
    },
    { highWaterMark: 0 },
  );
}
