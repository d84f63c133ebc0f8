/// <reference types="chrome" />
import type { Frame, Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Harness, until } from '../harness';
import { serveSites } from '../page/drive';

const SITE = '/surfaces/inspected.html';

/** The DevTools panel of a page, at its log. */
interface Inspected {
  page: Page;
  devtools: Page;
  panel: Frame;
  press(selector: string): Promise<void>;
  /** The page's own rows of the log: title and line of each. */
  rows(): Promise<string[]>;
  /** Waits for rows that fit, and gives all of them. */
  row(fits: RegExp, count?: number): Promise<string[]>;
}

async function inspect(browser: Harness, page: Page): Promise<Inspected> {
  const { devtools, panel } = await browser.devtoolsPanel(page, 'Pagehand');
  await panel.waitForSelector('[data-testid=dev-log]');
  const press = (selector: string) =>
    panel.$eval(selector, (element) => (element as HTMLElement).click());
  const rows = () =>
    panel.$$eval('.log > li:has(.log-own) .log-row', (found) =>
      found.map((row) =>
        ['.log-title', '.log-line'].map((part) => row.querySelector(part)?.textContent).join(' '),
      ),
    );
  await press('[data-testid=dev-log]');
  return {
    page,
    devtools,
    panel,
    press,
    rows,
    row: (fits, count = 1) =>
      until(`${count} × ${fits}`, async () => {
        const found = (await rows()).filter((row) => fits.test(row));
        return found.length >= count ? found : undefined;
      }).catch(async (error) => {
        throw new Error(`${error}; there are:\n${(await rows()).join('\n')}`);
      }),
  };
}

describe.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])('the page’s own doings in the DevTools panel, where $name', ({ native }) => {
  let browser: Harness;
  let i: Inspected;
  beforeAll(async () => {
    browser = await Harness.start({}, { native, serve: serveSites });
    const page = await browser.open(`${browser.origin}${SITE}`);
    i = await inspect(browser, page);
    await i.row(/Document watched from now on/);
    await page.reload();
    await i.row(/Document watched from its start/);
  });
  afterAll(() => browser?.stop());

  test('a call of the page’s is in the log once, with what came of it', async () => {
    await i.page.evaluate(`callOwn('add', { a: 2, b: 3 })`);
    const calls = await i.row(/^Page called add a: 2, b: 3 → .*answered: \{"sum":5\}/);
    await new Promise((r) => setTimeout(r, 500));
    console.log((await i.rows()).join('\n'));
    expect(calls).toHaveLength(1);
  });
});
