import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteServer, serveSite } from '../../sites/serve';
import { Harness, until } from '../harness';
import { drive } from './panel';

const SHOP = resolve(import.meta.dirname, '../../sites/shop');

describe('a page that was open before Pagehand', () => {
  let shop: SiteServer;
  beforeAll(async () => {
    shop = await serveSite(SHOP);
  });
  afterAll(() => shop?.close());

  /** A browser in which the shop was open when Pagehand was installed. */
  async function openBefore(native: boolean) {
    const url = `${shop.origin}/index.html`;
    const browser = await Harness.start({}, { native, openFirst: url });
    const page = (await browser.browser.pages()).find((one) => one.url() === url);
    if (!page) throw new Error('the shop is not open');
    return { browser, page };
  }

  it('is used at once where the browser has WebMCP itself', async () => {
    const { browser, page } = await openBefore(true);
    const chat = drive(await browser.sidePanel(page));
    await until('11 tools on the chip', async () => /\b11\b/.test(await chat.chip()));
    await chat.ask('Search for hats under 30 euros');
    expect(await chat.ended()).toBe('answered');
    await browser.stop();
  });

  it('offers to reload where Pagehand brings WebMCP, and works after that', async () => {
    const { browser, page } = await openBefore(false);
    const chat = drive(await browser.sidePanel(page));
    const empty = await chat.panel.waitForSelector('[data-testid="empty"][data-reason="reload"]');
    await (await empty?.$('button'))?.click();
    await until('11 tools on the chip', async () => /\b11\b/.test(await chat.chip()));
    await browser.stop();
  });
});
