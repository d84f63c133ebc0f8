import puppeteer, { type Browser, type Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness';
import { type Gallery, startGallery } from './gallery';

let gallery: Gallery;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  gallery = await startGallery();
  browser = await puppeteer.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    headless: true,
    args: ['--no-sandbox'],
  });
  page = await browser.newPage();
  await page.setViewport({ width: 360, height: 720 });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await gallery?.stop();
});

async function show(state: string): Promise<void> {
  await page.goto(gallery.url(state));
  await page.waitForSelector('#app > *');
  // Effects of the first drawing, which move the focus, run after it.
  await page.evaluate(
    () =>
      new Promise<void>((drawn) =>
        requestAnimationFrame(() => requestAnimationFrame(() => drawn())),
      ),
  );
}

const focused = () =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLElement | null;
    return at?.dataset['testid'] ?? at?.getAttribute('aria-label') ?? at?.textContent ?? '';
  });

/** Numbers every control that Tab must reach, and goes round with Tab until the start comes again. */
async function unreached(): Promise<string[]> {
  await page.evaluate(() => {
    const controls =
      'button:not(:disabled), input:not([type=file], :disabled), select, textarea:not(:disabled), a[href], summary, [tabindex="0"]';
    for (const control of document.querySelectorAll<HTMLElement>(controls)) {
      const shown = control.checkVisibility() && control.tabIndex >= 0;
      if (shown) control.dataset['wanted'] = '';
    }
    document.body.tabIndex = -1;
    document.body.focus();
  });
  const total = await page.$$eval('[data-wanted]', (controls) => controls.length);
  for (let step = 0; step < total * 2 + 5; step++) {
    await page.keyboard.press('Tab');
    await page.evaluate(() => {
      const at = document.activeElement as HTMLElement | null;
      delete at?.dataset['wanted'];
    });
  }
  return page.$$eval('[data-wanted]', (controls) =>
    controls.map((control) => control.outerHTML.slice(0, 160)),
  );
}

describe('by keyboard alone', () => {
  test.each([
    'panel-ready',
    'panel-done',
    'panel-consequential',
    'panel-form',
    'panel-question',
    'panel-models',
    'panel-share',
    'panel-shared',
    'panel-history',
    'panel-log',
    'panel-tools',
    'devtools-detail',
    'devtools-run-nested',
    'options-page',
  ])('Tab reaches every control of %s', async (state) => {
    await show(state);
    expect(await unreached()).toEqual([]);
  });

  test('an approval starts at Deny; Shift+Tab leads to the choice, Tab to Allow', async () => {
    await show('panel-approval');
    expect(await focused()).toBe('deny');
    await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    await page.keyboard.up('Shift');
    expect(await focused()).toBe('remember');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('approve');
  });

  test('arrow keys go from tab to tab, Home and End to the ends', async () => {
    await show('panel-done');
    await page.focus('[data-testid=tab-chat]');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('tab-tools');
    expect(await page.$('[data-testid=tool-list]')).not.toBeNull();
    await page.keyboard.press('End');
    expect(await focused()).toBe('tab-log');
    expect(await page.$('[data-testid=log]')).not.toBeNull();
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('tab-chat');
  });

  test('arrow keys follow the writing direction', async () => {
    await page.goto(gallery.url('panel-done', { lang: 'ar' }));
    await page.waitForSelector('[data-testid=tab-chat]');
    await page.focus('[data-testid=tab-chat]');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe('tab-tools');
  });

  test('an event of the log opens with Enter', async () => {
    await show('panel-log');
    await page.focus('.log-row');
    await page.keyboard.press('Enter');
    expect(await page.$eval('.log-row', (row) => row.getAttribute('aria-expanded'))).toBe('true');
    expect(await page.$('.log-detail')).not.toBeNull();
  });

  test('closing the list of models gives the focus back to its button', async () => {
    await show('panel-models');
    await page.focus('.model-sheet .icon-button');
    await page.keyboard.press('Enter');
    expect(await page.$('.model-sheet')).toBeNull();
    expect(await focused()).toBe('model');
  });

  test('the share control opens at its first switch, Tab leads to the second, Escape back', async () => {
    await show('panel-ready');
    await page.focus('[data-testid=share]');
    await page.keyboard.press('Enter');
    await until('the first switch', async () => (await focused()) === 'share-text');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('share-selection');
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('share');
  });

  test('“Fill in the form” leads to the open form of the tool that went wrong', async () => {
    await show('panel-invalid');
    await page.focus('.remedies button');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-tool="add_to_cart"] [data-testid=schema-form]');
  });

  test('a long log is scrolled by keyboard and draws only what is seen', async () => {
    await show('panel-log-long');
    await page.focus('.log-box');
    // Rows are measured as they come, so the end may move while it is approached.
    await until('the last row', async () => {
      await page.keyboard.press('End');
      return page.$('[data-index="1999"]');
    });
    expect(await page.$$eval('.log > li', (rows) => rows.length)).toBeLessThan(80);
  });
});

describe.each([
  { name: 'at 320 px', width: 320 },
  { name: 'in a panel of 360 px at 200 % zoom', width: 180 },
])('$name', ({ width }) => {
  test.each([
    'panel-done',
    'panel-approval',
    'panel-models',
    'panel-share',
    'panel-shared',
    'panel-tools',
    'panel-log',
    'panel-history',
    'options-page',
  ])('nothing of %s is cut off sideways', async (state) => {
    await page.setViewport({ width, height: 480, deviceScaleFactor: 2 });
    await show(state);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('body, .view, .panel-head, .panel-foot, .options')]
        .filter((box) => box.scrollWidth > box.clientWidth)
        .map((box) => `${box.className || box.tagName}: ${box.scrollWidth} > ${box.clientWidth}`),
    );
    await page.setViewport({ width: 360, height: 720 });
    expect(cut).toEqual([]);
  });
});
