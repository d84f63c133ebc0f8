import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What goes wrong with the next answer to a path; used up by it. */
export type Fault =
  | { kind: 'status'; status: number }
  /** The connection is cut after so many bytes of the body. */
  | { kind: 'cut'; afterBytes: number };

/** Serves files as a model hub does: byte ranges, strong etags, CORS, and its listing with hashes. */
export class ModelServer {
  readonly requests: { path: string; range?: string; status: number }[] = [];
  private readonly faults = new Map<string, Fault[]>();
  /** Bytes a second, for tests that need a download to last. */
  rate = Number.POSITIVE_INFINITY;

  private constructor(
    private readonly server: Server,
    private readonly files: Record<string, Uint8Array | string>,
  ) {}

  static async start(files: Record<string, Uint8Array | string>): Promise<ModelServer> {
    const server = createServer((req, res) => {
      void instance.answer(req, res);
    });
    const instance = new ModelServer(server, files);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return instance;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  replace(path: string, content: Uint8Array | string): void {
    this.files[path] = content;
  }

  failNext(path: string, ...faults: Fault[]): void {
    this.faults.set(path, [...(this.faults.get(path) ?? []), ...faults]);
  }

  private async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = new URL(req.url ?? '/', this.origin).pathname;
    const fault = this.faults.get(path)?.shift();
    const content = this.files[path];
    const range = /^bytes=(\d+)-$/.exec(req.headers.range ?? '');
    const body = typeof content === 'string' ? Buffer.from(content) : content;
    const start = Number(range?.[1] ?? 0);
    const status = fault?.kind === 'status' ? fault.status : !body ? 404 : start > 0 ? 206 : 200;
    this.requests.push({ path, range: req.headers.range, status });
    res.on('error', () => {});
    if (!body || status >= 400) {
      res.writeHead(status, { 'access-control-allow-origin': '*' }).end('no');
      return;
    }
    const rest = body.subarray(start);
    res.writeHead(status, {
      'access-control-allow-origin': '*',
      'content-type': 'application/octet-stream',
      'content-length': rest.length,
      etag: `"${path.length}-${body.length}"`,
      ...(status === 206
        ? { 'content-range': `bytes ${start}-${body.length - 1}/${body.length}` }
        : {}),
    });
    const sent = fault?.kind === 'cut' ? rest.subarray(0, fault.afterBytes) : rest;
    const step = 256 * 1024;
    for (let at = 0; at < sent.length && !res.destroyed; at += step) {
      res.write(sent.subarray(at, at + step));
      if (Number.isFinite(this.rate))
        await new Promise((next) => setTimeout(next, (step / this.rate) * 1000));
    }
    // Lets what was sent leave before the line is cut.
    if (fault?.kind === 'cut') setTimeout(() => res.destroy(), 100);
    else res.end();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}
