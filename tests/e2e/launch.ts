/// <reference types="chrome" />
import { resolve } from 'node:path';
import puppeteer, { type Browser, type LaunchOptions, type Page, type Target } from 'puppeteer';
import { BROWSER_FLAGS } from '../../scripts/browser';

export const EXTENSION_DIR = resolve(import.meta.dirname, '../../.output/chrome-mv3');

export interface Pagehand {
  browser: Browser;
  /** The extension's id. */
  id: string;
  /** Opens the real side panel of the page's window, as a click on the icon does. */
  openPanel(page: Page): Promise<Page>;
}

/**
 * A browser with the built extension. It is loaded through the DevTools pipe, since branded Chrome
 * refuses `--load-extension`.
 */
export async function launchWithPagehand(options: {
  executablePath: string;
  headless: boolean;
  /** Switches on the browser's own WebMCP where it is behind a flag. */
  native: boolean;
  userDataDir?: string;
  args?: string[];
  /** Pages to open before Pagehand is installed. */
  openFirst?: string | readonly string[];
  /** Where the built extension lies, if it is not the one that was built last. */
  extensionDir?: string;
  /** Anything else of puppeteer's. */
  launch?: LaunchOptions;
}): Promise<Pagehand> {
  const { extensionDir = EXTENSION_DIR } = options;
  const browser = await puppeteer.launch({
    executablePath: options.executablePath,
    headless: options.headless,
    pipe: true,
    enableExtensions: options.openFirst === undefined ? [extensionDir] : true,
    defaultViewport: null,
    userDataDir: options.userDataDir,
    args: [
      ...BROWSER_FLAGS,
      '--window-size=1400,900',
      ...(options.native ? ['--enable-features=WebMCP'] : []),
      ...(options.args ?? []),
    ],
    ...options.launch,
  });
  if (options.openFirst !== undefined) {
    let page: Page | undefined;
    for (const url of [options.openFirst].flat()) {
      page = await browser.newPage();
      await page.goto(url);
    }
    await browser.installExtension(extensionDir);
    await page?.bringToFront();
  }
  const target = await browser.waitForTarget(isWorker);
  const id = new URL(target.url()).host;
  await installed(target);
  return {
    browser,
    id,
    async openPanel(page) {
      const extension = (await browser.extensions()).get(id);
      if (!extension) throw new Error('Pagehand is not installed in this browser.');
      await page.triggerExtensionAction(extension);
      const panel = await browser.waitForTarget((t) => t.url() === panelUrl(id));
      return panel.asPage();
    },
  };
}

const panelUrl = (id: string) => `chrome-extension://${id}/sidepanel.html`;

export function isWorker(target: Target): boolean {
  return (
    target.type() === 'service_worker' &&
    target.url().startsWith('chrome-extension://') &&
    target.url().endsWith('/background.js')
  );
}

/** Resolves once the worker has registered what runs in pages: a page opened before would go without. */
async function installed(target: Target): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const worker = await target.worker();
    const ready = await worker
      ?.evaluate(
        async () =>
          typeof chrome !== 'undefined' &&
          !!chrome.scripting &&
          (await chrome.scripting.getRegisteredContentScripts()).length > 0,
      )
      // Right after the target appears its world may not exist yet.
      .catch(() => false);
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Pagehand did not start: its worker registered no content scripts.');
}
