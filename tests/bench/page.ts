import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer';
import { EXTENSION_DIR } from '../e2e/launch';

const ROUNDS = 25;
const PAGES = {
  'empty page': '<!doctype html><title>x</title><p>x',
  '2 000 elements, no tools': `<!doctype html>${'<div><p>text</p></div>'.repeat(1000)}`,
  '500 registrations': `<!doctype html><script>
    addEventListener('load', () => {
      const start = performance.now();
      const context = document.modelContext;
      for (let i = 0; i < 500 && context; i++)
        context.registerTool({
          name: 'tool_' + i, description: 'd'.repeat(200),
          inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
          execute: () => 'x',
        });
      window.took = performance.now() - start;
    });
  </script>`,
};

/**
 * Page load and registration without an extension, with one whose content scripts are empty, and
 * with Pagehand, in one run. The middle one is what the browser takes for any extension's scripts.
 */
export async function bench(): Promise<void> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(Object.values(PAGES)[Number(request.url?.slice(1))] ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const empty = await emptyExtension();
  for (const native of [true, false]) {
    const browsers = {
      without: await launch(native),
      'empty scripts': await launch(native, empty),
      Pagehand: await launch(native, EXTENSION_DIR),
    };
    for (const [at, name] of Object.keys(PAGES).entries()) {
      const times = Object.values(browsers).map((browser) => ({ browser, took: [] as number[] }));
      // Alternately, so that whatever else the machine does hits all.
      for (let round = 0; round < ROUNDS; round++)
        for (const { browser, took } of times) took.push(await load(browser, `${origin}/${at}`));
      const medians = times.map(({ took }) => median(took));
      const words = Object.keys(browsers).map(
        (kind, i) =>
          `${kind} ${medians[i]?.toFixed(1)} ms (× ${((medians[i] ?? 0) / (medians[0] ?? 1)).toFixed(2)})`,
      );
      console.log(`${name}, ${native ? 'own WebMCP' : 'shim'}: ${words.join(', ')}`);
    }
    for (const browser of Object.values(browsers)) await browser.close();
  }
  await rm(empty, { recursive: true });
  server.close();
}

async function emptyExtension(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'empty-extension-'));
  const script = { matches: ['<all_urls>'], js: ['empty.js'], all_frames: true };
  const manifest = {
    manifest_version: 3,
    name: 'Empty',
    version: '1',
    content_scripts: [
      { ...script, run_at: 'document_start', world: 'MAIN' },
      { ...script, run_at: 'document_end' },
    ],
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'empty.js'), '');
  return folder;
}

async function launch(native: boolean, extension?: string): Promise<Browser> {
  const browser = await puppeteer.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    pipe: true,
    enableExtensions: extension ? [extension] : false,
    args: ['--no-sandbox', ...(native ? ['--enable-features=WebMCP'] : [])],
  });
  // Pagehand registers its main-world script once it is installed.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  return browser;
}

/** Milliseconds from the start of the navigation to the end of load, registrations included. */
async function load(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage();
  await page.goto(url);
  const took = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return entry ? entry.loadEventEnd - entry.responseStart : Number.NaN;
  });
  await page.close();
  return took;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
