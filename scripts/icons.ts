import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import puppeteer from 'puppeteer';

/**
 * Draws `public/icon/*.png` from the drawings in `scripts/icon`: `npm run icons`. The smallest has a
 * drawing of its own; the largest keeps the free border that stores want, 96 of 128 pixels.
 */
const DRAWINGS = resolve(import.meta.dirname, 'icon');
const OUT = resolve(import.meta.dirname, '../public/icon');
const SIZES = [
  { size: 16, drawing: 'icon-16.svg', border: 0 },
  { size: 32, drawing: 'icon-16.svg', border: 0 },
  { size: 48, drawing: 'icon.svg', border: 0 },
  { size: 128, drawing: 'icon.svg', border: 16 },
] as const;

const browser = await puppeteer.launch({
  executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
  headless: true,
  args: ['--no-sandbox'],
});
try {
  const page = await browser.newPage();
  for (const { size, drawing, border } of SIZES) {
    const svg = await readFile(join(DRAWINGS, drawing), 'utf8');
    await page.setViewport({ width: size, height: size });
    await page.setContent(
      `<style>body{margin:0}svg{display:block;box-sizing:border-box;width:${size}px;height:${size}px;padding:${border}px}</style>${svg}`,
    );
    await page.screenshot({ path: join(OUT, `${size}.png`), omitBackground: true });
  }
} finally {
  await browser.close();
}
