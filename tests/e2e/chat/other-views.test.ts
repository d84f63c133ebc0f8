import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteServer, serveSite } from '../../sites/serve';
import { Harness, until } from '../harness';
import { drive, seriousFindings } from './panel';

const SHOP = resolve(import.meta.dirname, '../../sites/shop');

describe('the other views of the real extension', () => {
  let browser: Harness;
  let shop: SiteServer;
  beforeAll(async () => {
    shop = await serveSite(SHOP);
    browser = await Harness.start({}, { native: false });
  });
  afterAll(async () => {
    await browser?.stop();
    await shop?.close();
  });

  it('DevTools shows the page’s tools, with their frames and what they cost', async () => {
    const page = await browser.open(`${shop.origin}/index.html`);
    const { panel } = await browser.devtoolsPanel(page, 'Pagehand');
    const text = () => panel.evaluate(() => document.body.innerText);
    await until('the tool of the frame to be listed', async () =>
      (await text()).includes('estimate_delivery'),
    );
    const shown = await text();
    for (const part of ['search_products', 'place_order', 'tokens', 'bytes']) {
      expect(shown).toContain(part);
    }
    expect(await seriousFindings(panel)).toEqual([]);
    await page.close();
  });

  it('a setting made in the options holds for the next request', async () => {
    const page = await browser.open(`${shop.origin}/index.html`);
    const options = await browser.open(browser.url('/options.html'));
    await options.waitForFunction(() => document.body.innerText.length > 200);
    expect(await seriousFindings(options)).toEqual([]);
    const worker = await browser.worker();
    await worker.evaluate(async (origin) => {
      const sites = { [origin]: { tools: { search_products: 'hidden' } } };
      await chrome.storage.local.set({ settings: { sites } });
    }, shop.origin);
    await page.bringToFront();
    const chat = drive(await browser.sidePanel(page));
    await chat.ask('Search for hats under 30 euros');
    await chat.ended();
    expect((await chat.cards()).join()).not.toContain('search_products');
    await page.close();
  });
});
