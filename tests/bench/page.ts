import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

/** Page load and registration, with and without Pagehand, in one run: medians of the ratios. */
export async function bench(): Promise<void> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(Object.values(PAGES)[Number(request.url?.slice(1))] ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const native of [true, false]) {
    const without = await launch(native, false);
    const withIt = await launch(native, true);
    for (const [at, name] of Object.keys(PAGES).entries()) {
      const times: { plain: number[]; pagehand: number[] } = { plain: [], pagehand: [] };
      // Alternately, so that whatever else the machine does hits both.
      for (let round = 0; round < ROUNDS; round++) {
        times.plain.push(await load(without, `${origin}/${at}`));
        times.pagehand.push(await load(withIt, `${origin}/${at}`));
      }
      const [plain, pagehand] = [median(times.plain), median(times.pagehand)];
      const where = native ? 'own WebMCP' : 'shim';
      console.log(
        `${name} (${where}): ${plain.toFixed(1)} ms without, ${pagehand.toFixed(1)} ms with Pagehand, × ${(pagehand / plain).toFixed(2)}`,
      );
    }
    await Promise.all([without.close(), withIt.close()]);
  }
  server.close();
}

async function launch(native: boolean, extension: boolean): Promise<Browser> {
  const browser = await puppeteer.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    pipe: true,
    enableExtensions: extension ? [EXTENSION_DIR] : false,
    args: ['--no-sandbox', ...(native ? ['--enable-features=WebMCP'] : [])],
  });
  // The main-world script is registered once the extension is installed.
  if (extension) await new Promise((resolve) => setTimeout(resolve, 2000));
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
