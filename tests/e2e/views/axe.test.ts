import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import puppeteer, { type Browser, type Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gallery, startGallery } from './gallery';

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
}

let gallery: Gallery;
let browser: Browser;
let page: Page;
let axe: string;

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  gallery = await startGallery();
  browser = await puppeteer.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    headless: true,
    args: ['--no-sandbox'],
  });
  page = await browser.newPage();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await gallery?.stop();
});

async function states(): Promise<string[]> {
  await page.goto(gallery.url(''));
  await page.waitForSelector('#states');
  return page.$$eval('#states a', (links) => links.map((link) => link.textContent ?? ''));
}

async function violations(url: string): Promise<string[]> {
  await page.goto(url);
  await page.waitForSelector('#app > *');
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
  });
  // What a fold hides is drawn after it was opened.
  await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 50)));
  await page.evaluate(axe);
  const result = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResult;
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} — ${failureSummary}`),
  );
}

describe('every state of the gallery is clean for axe', () => {
  test.each([
    { theme: 'light', width: 320, lang: 'en' },
    { theme: 'dark', width: 900, lang: 'en' },
  ])('$theme, $width px', { timeout: 240_000 }, async ({ theme, width, lang }) => {
    await page.setViewport({ width, height: 720 });
    const found: Record<string, string[]> = {};
    for (const state of await states()) {
      const here = await violations(gallery.url(state, { theme, lang }));
      if (here.length > 0) found[state] = here;
    }
    expect(found).toEqual({});
  });

  test('axe itself sees a planted fault', async () => {
    await page.goto(gallery.url('panel-ready'));
    await page.waitForSelector('#app > *');
    await page.evaluate(() => {
      const button = document.createElement('button');
      document.querySelector('main')?.append(button);
    });
    await page.evaluate(axe);
    const result = (await page.evaluate('axe.run()')) as AxeResult;
    expect(result.violations.map(({ id }) => id)).toContain('button-name');
  });
});
