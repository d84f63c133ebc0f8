import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import puppeteer from 'puppeteer';
import { startGallery } from '../tests/e2e/views/gallery';

/**
 * Takes a picture of every state of the gallery into `.results/screenshots`, light and dark, narrow
 * and wide. Arguments narrow it down: `npm run screenshots -- panel-done dark 320 lang=ar`.
 */
const OUT = resolve(import.meta.dirname, '../.results/screenshots');
const WIDTHS = { '320': 320, wide: 900 } as const;
const HEIGHT = 720;

async function main(wanted: readonly string[]): Promise<void> {
  const lang = wanted.find((word) => word.startsWith('lang='))?.slice(5) ?? 'en';
  const themes = pick(['light', 'dark'], wanted);
  const widths = pick(Object.keys(WIDTHS) as (keyof typeof WIDTHS)[], wanted);
  const names = wanted.filter((word) => word.includes('-'));
  await mkdir(OUT, { recursive: true });
  const gallery = await startGallery();
  const browser = await puppeteer.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    headless: true,
    args: ['--no-sandbox', '--hide-scrollbars'],
  });
  try {
    const page = await browser.newPage();
    await page.goto(gallery.url(''));
    await page.waitForSelector('#states');
    const all = await page.$$eval('#states a', (links) => links.map((link) => link.textContent));
    const states = all.filter(
      (state) => names.length === 0 || names.some((n) => state.startsWith(n)),
    );
    for (const theme of themes) {
      for (const width of widths) {
        await page.setViewport({ width: WIDTHS[width], height: HEIGHT });
        for (const state of states) {
          await page.goto(gallery.url(state, { theme, lang }));
          await page.waitForSelector('#app > *');
          await page.screenshot({ path: join(OUT, `${state}.${theme}.${width}.${lang}.png`) });
        }
      }
    }
    process.stdout.write(`${states.length * themes.length * widths.length} pictures in ${OUT}\n`);
  } finally {
    await browser.close();
    await gallery.stop();
  }
}

function pick<T extends string>(all: readonly T[], wanted: readonly string[]): readonly T[] {
  const chosen = all.filter((value) => wanted.includes(value));
  return chosen.length > 0 ? chosen : all;
}

await main(process.argv.slice(2));
