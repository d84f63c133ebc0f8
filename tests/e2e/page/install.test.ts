import { generateKeyPairSync, sign } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../harness';
import { EXTENSION_DIR } from '../launch';
import { type Drive, drive, serveSites } from './drive';

let d: Drive | undefined;
afterEach(async () => {
  await d?.stop();
  d = undefined;
});
const url = '/surfaces/imperative.html';

describe('settings', () => {
  test('the shim can be switched off for all sites and back on for one', async () => {
    d = await drive({ native: false });
    const there = async (host: string) => {
      const { page } = await (d as Drive).open('/surfaces/changing.html', host);
      return page.evaluate("'modelContext' in document");
    };
    const other = d.harness.origin.replace('127.0.0.1', 'other.localhost');
    expect([await there('127.0.0.1'), await there('other.localhost')]).toEqual([true, true]);
    await d.settings({ sites: { [other]: { shim: false } } });
    expect([await there('127.0.0.1'), await there('other.localhost')]).toEqual([true, false]);
    await d.settings({ shim: false });
    expect([await there('127.0.0.1'), await there('other.localhost')]).toEqual([false, false]);
    await d.settings({ shim: false, sites: { [other]: { shim: true } } });
    expect([await there('127.0.0.1'), await there('other.localhost')]).toEqual([false, true]);
  });
});

describe('pages opened before Pagehand', () => {
  test('work at once where the browser has WebMCP', async () => {
    d = await installedAfter(true);
    const tabId = await tab(d);
    expect(await d.call(tabId, await d.tool(tabId, 'text'))).toMatchObject({
      value: 'plain words',
    });
  });

  test('are to be reloaded where it has none', async () => {
    d = await installedAfter(false);
    const tabId = await tab(d);
    expect(await d.collect(tabId)).toMatchObject({ tools: [], obstacle: 'reload' });
    await (await d.harness.browser.pages()).at(-1)?.reload();
    expect((await d.collect(tabId)).tools).not.toEqual([]);
    expect((await d.collect(tabId)).obstacle).toBeUndefined();
  });

  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });
  async function installedAfter(native: boolean): Promise<Drive> {
    const serving = createServer((request, response) => void serveSites(request, response));
    server = serving;
    await new Promise<void>((resolve) => serving.listen(0, '127.0.0.1', resolve));
    const { port } = serving.address() as AddressInfo;
    return drive({ native, openFirst: `http://127.0.0.1:${port}${url}` });
  }
  async function tab(from: Drive): Promise<number> {
    const page = (await from.harness.browser.pages()).find((open) => open.url().endsWith(url));
    if (!page) throw new Error('the page is gone');
    return from.tabOf(page);
  }
});

test('pages that no extension may touch say so', async () => {
  d = await drive();
  const page = await d.harness.open('chrome://version/');
  expect(await d.collect(await d.tabOf(page))).toMatchObject({
    obstacle: 'restricted',
    tools: [],
    notes: [{ text: expect.stringContaining('may not') }],
  });
});

test('installed anew under an open page: its tools are found again, and run once', async () => {
  d = await drive({ native: true });
  const { page, tabId } = await d.open(url);
  await d.tool(tabId, 'text');
  const { browser, id } = d.harness;
  await browser.uninstallExtension(id);
  await browser.installExtension(EXTENSION_DIR);
  expect(await d.call(tabId, await d.tool(tabId, 'text'))).toEqual({
    kind: 'result',
    value: 'plain words',
  });
  expect(await page.evaluate('runs.length')).toBe(1);
});

test.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])(
  'updated in place under open pages, where $name: tools are found again, and run once',
  async ({ native }) => {
    const extensionDir = await mkdtemp(join(tmpdir(), 'pagehand-'));
    await cp(EXTENSION_DIR, extensionDir, { recursive: true });
    d = await drive({ native, extensionDir });
    const { page, tabId } = await d.open(url);
    await d.tool(tabId, 'text');
    const manifest = join(extensionDir, 'manifest.json');
    const { version, ...rest } = JSON.parse(await readFile(manifest, 'utf8'));
    await writeFile(manifest, JSON.stringify({ ...rest, version: `${version}.1` }));
    const { harness } = d;
    const view = await harness.browser.newPage();
    await d.moveTo(view);
    await harness.browser.installExtension(extensionDir);
    await until('the update', async () => {
      await view.goto(harness.url('/options.html'));
      return (await view.evaluate('chrome.runtime.getManifest().version')) === `${version}.1`;
    });
    expect(await d.call(tabId, await d.tool(tabId, 'text'))).toEqual({
      kind: 'result',
      value: 'plain words',
    });
    expect(await page.evaluate('runs.length')).toBe(1);
    await rm(extensionDir, { recursive: true });
  },
);

/** A key and token of our own, as the browser checks a trial with the public key it is given. */
function trial() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const token = (origin: string) => {
    const payload = Buffer.from(
      JSON.stringify({ origin, feature: 'WebMCP', expiry: Math.floor(Date.now() / 1000) + 3600 }),
    );
    const length = Buffer.alloc(4);
    length.writeUInt32BE(payload.length);
    const version = Buffer.from([3]);
    const signature = sign(null, Buffer.concat([version, length, payload]), privateKey);
    return Buffer.concat([version, signature, length, payload]).toString('base64');
  };
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  return { token, flag: `--origin-trial-public-key=${raw.toString('base64')}` };
}

describe('a page of the origin trial', () => {
  test.each(['header', 'meta', 'script'])('with its token in a %s', async (way) => {
    const { token, flag } = trial();
    d = await drive({
      native: false,
      args: [flag],
      serve: async (request, response) => {
        if (!request.url?.startsWith('/trial')) return serveSites(request, response);
        const origin = `http://${request.headers.host}`;
        if (way === 'header') response.setHeader('Origin-Trial', token(origin));
        response.writeHead(200, { 'content-type': 'text/html' });
        const meta =
          way === 'script'
            ? `<script>
                const meta = document.createElement('meta');
                meta.httpEquiv = 'origin-trial';
                meta.content = '${token(origin)}';
                document.head.append(meta);
              </script>`
            : way === 'meta'
              ? `<meta http-equiv="origin-trial" content="${token(origin)}">`
              : '';
        response.end(`<!doctype html><head>${meta}</head>
          <script>
            window.native = /native code/.test(document.modelContext.registerTool);
            document.modelContext.registerTool({
              name: 'tried', description: 'On trial',
              execute() { throw new Error('in words'); },
            });
          </script>
          <form toolname="form" tooldescription="A form" toolautosubmit><input name="a"></form>`);
        return true;
      },
    });
    const { page, tabId } = await d.open('/trial');
    expect(await page.evaluate('native')).toBe(true);
    const { tools } = await d.collect(tabId);
    expect(tools.map(({ name }) => name).sort()).toEqual(['form', 'tried']);
    const tried = await d.tool(tabId, 'tried');
    expect(await d.call(tabId, tried)).toMatchObject({ kind: 'error', message: 'in words' });
  });
});
