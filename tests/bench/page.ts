import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer';
import { EXTENSION_DIR, launchWithPagehand } from '../e2e/launch';

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

/** 5 000 elements, 200 of them forms that are tools, one of which changes 200 times a second. */
const CHANGING = `<!doctype html>${'<p>text</p>'.repeat(3000)}
  <script>
    for (let i = 0; i < 200; i++)
      document.write('<form toolname=form_' + i + ' tooldescription="Form number ' + i + '" toolautosubmit>' +
        '<label for=a' + i + '>First</label><input id=a' + i + ' name=a><label>Second <input name=b></label>' +
        '<select name=c><option value=1>One<option value=2>Two</select><button>Go</button></form>');
    window.work = 0;
    let at = 0;
    setInterval(() => {
      window.work++;
      for (let i = 0; i < 10; i++) {
        const form = document.forms[at++ % 200];
        form.setAttribute('tooldescription', 'Changed ' + at);
        form.append(document.createElement('p'));
        form.lastChild.remove();
      }
    }, 50);
  </script>`;
const CHANGING_ROUNDS = 3;
const CHANGING_TICKS = 60;

/**
 * What the thread of a page whose forms keep changing has to do for a fixed number of changes, in CPU
 * time, so that whatever else runs there shows and other work of the machine does not. Without the
 * extension, with the panel closed, and with it open.
 */
async function changingForms(url: string, native: boolean): Promise<void> {
  const options = {
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    headless: true,
    native,
  };
  const without = await launch(native);
  const closed = await launchWithPagehand(options);
  const open = await launchWithPagehand(options);
  const browsers = [without, closed.browser, open.browser];
  const pages: Page[] = [];
  for (const browser of browsers) pages.push(await browser.newPage());
  if (pages[2]) await open.openPanel(pages[2]);
  const took = pages.map((): number[] => []);
  for (let round = 0; round < CHANGING_ROUNDS; round++)
    for (const [at, page] of pages.entries()) took[at]?.push(await changing(page, url));
  const [base = Number.NaN, ...others] = took.map(median);
  const words = others.map(
    (time, at) => `panel ${at ? 'open' : 'closed'} × ${(time / base).toFixed(2)}`,
  );
  console.log(
    `200 changing tool forms, ${native ? 'own WebMCP' : 'shim'}: without × 1.00 (${base.toFixed(2)} s), ${words.join(', ')}`,
  );
  for (const browser of browsers) await browser.close();
}

/** CPU seconds of the page's thread from its tenth change on. */
async function changing(page: Page, url: string): Promise<number> {
  await page.goto(url);
  const session = await page.createCDPSession();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async (ticks: number) => {
    await page.waitForFunction(`window.work >= ${ticks}`, { polling: 100, timeout: 60_000 });
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await busy(10);
  const after = await busy(10 + CHANGING_TICKS);
  // The pages of the other browsers have the machine to themselves.
  await page.goto('about:blank');
  return after - before;
}

/**
 * Page load and registration without an extension, with one whose content scripts are empty, and
 * with Pagehand, in one run. The middle one is what the browser takes for any extension's scripts.
 */
export async function bench(): Promise<void> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    const at = request.url?.slice(1) ?? '';
    response.end(at === 'changing' ? CHANGING : (Object.values(PAGES)[Number(at)] ?? ''));
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
  for (const native of [true, false]) await changingForms(`${origin}/changing`, native);
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
