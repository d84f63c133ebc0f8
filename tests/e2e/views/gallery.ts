import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../../..');
const OUTPUT = join(ROOT, '.output/chrome-mv3-gallery');
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
};

export interface Gallery {
  origin: string;
  url(state: string, options?: { theme?: string; lang?: string }): string;
  stop(): Promise<void>;
}

/** Builds the gallery and serves it as plain pages, with the extension's content security policy. */
export async function startGallery(): Promise<Gallery> {
  if (!(await isBuilt())) {
    // A process of its own, so that its progress display does not fill the log.
    const wxt = join(ROOT, 'node_modules/wxt/bin/wxt.mjs');
    await promisify(execFile)(process.execPath, [wxt, 'build', '--mode', 'gallery'], { cwd: ROOT });
  }
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://gallery').pathname);
    readFile(join(OUTPUT, path)).then(
      (body) => {
        response.writeHead(200, {
          'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
          'content-security-policy': "script-src 'self' 'wasm-unsafe-eval'; object-src 'self';",
        });
        response.end(body);
      },
      () => {
        response.writeHead(404);
        response.end();
      },
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: (state, { theme = 'light', lang = 'en' } = {}) =>
      `${origin}/gallery.html?${new URLSearchParams({ state, theme, lang })}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const SOURCES = ['components', 'entrypoints', 'lib', 'public', 'modules'];

/** Whether the last build is younger than everything it was made of: test files share it. */
async function isBuilt(): Promise<boolean> {
  try {
    const built = (await stat(join(OUTPUT, 'gallery.html'))).mtimeMs;
    const changed = await Promise.all(SOURCES.map((folder) => newest(join(ROOT, folder))));
    return Math.max(...changed) < built;
  } catch {
    return false;
  }
}

async function newest(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true });
  const times = await Promise.all(
    entries.map(async (entry) => (await stat(join(folder, entry))).mtimeMs),
  );
  return Math.max(0, ...times);
}
