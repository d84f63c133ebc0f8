import { resolve } from 'node:path';
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteServer, serveSite } from '../../sites/serve';
import { Harness, until } from '../harness';
import { drive, type Panel } from './panel';

const SHOP = resolve(import.meta.dirname, '../../sites/shop');

/** A tool that answers when the test says so. */
const SLOW = `<!doctype html><html lang="en"><title>Slow</title><h1>Slow</h1><script>
  document.modelContext.registerTool({
    name: 'slow_report',
    description: 'Make the yearly report.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    execute: () => new Promise((resolve) => { globalThis.finish = () => resolve('Report: 42 pages.'); }),
  });
</script></html>`;

describe('a request on a page that Pagehand cannot reach', () => {
  let browser: Harness;
  let shop: SiteServer;
  beforeAll(async () => {
    shop = await serveSite(SHOP, { '/slow.html': { body: SLOW } });
    browser = await Harness.start({});
  });
  afterAll(async () => {
    await browser?.stop();
    await shop?.close();
  });
  const open = async (url: string): Promise<{ page: Page; chat: Panel }> => {
    const page = await browser.open(url);
    return { page, chat: drive(await browser.sidePanel(page)) };
  };

  it('says that the browser keeps the page from extensions', async () => {
    const { page, chat } = await open('chrome://version/');
    await chat.ask('Search for hats');
    expect(await chat.ended()).toBe('page-restricted');
    expect(await chat.lastTurn()).toMatch(/ordinary web page/);
    await chat.panel.close();
    await page.close();
  });

  it('ends with the reason when the tab is closed, and can be asked again elsewhere', async () => {
    const { page, chat } = await open(`${shop.origin}/slow.html`);
    await chat.ask('Make the yearly report');
    await chat.card('slow_report', 'running');
    const other = await browser.open(`${shop.origin}/index.html`);
    await page.close();
    await chat.panel.click('[data-testid="history"]');
    await (await chat.panel.waitForSelector('::-p-text(Make the yearly report)'))?.click();
    expect(await chat.ended()).toBe('page-gone');
    await chat.panel.close();
    await other.close();
  });

  it('wakes a tab that the browser put to sleep while its request waited', async () => {
    const { page: slow, chat } = await open(`${shop.origin}/slow.html`);
    const asleep = await browser.open(`${shop.origin}/index.html`);
    await slow.bringToFront();
    await until('the tool of the page in front', async () => /\b1\b/.test(await chat.chip()));
    await chat.ask('Make the yearly report');
    await chat.card('slow_report', 'running');
    await asleep.bringToFront();
    await until('the shop’s tools', async () => /\b11\b/.test(await chat.chip()));
    await chat.ask('Search for hats under 30 euros');
    await slow.bringToFront();
    const worker = await browser.worker();
    await until('the tab to sleep', () =>
      worker.evaluate(async () => {
        const [tab] = await chrome.tabs.query({ url: '*://*/index.html' });
        if (tab?.id !== undefined && !tab.discarded) await chrome.tabs.discard(tab.id);
        return (await chrome.tabs.query({ url: '*://*/index.html', discarded: true })).length === 1;
      }),
    );
    await slow.evaluate(() => (globalThis as unknown as { finish(): void }).finish());
    await until('the tab to be awake', () =>
      worker.evaluate(
        async () => (await chrome.tabs.query({ url: '*://*/index.html', discarded: false })).length,
      ),
    );
    await worker.evaluate(async () => {
      const [tab] = await chrome.tabs.query({ url: '*://*/index.html' });
      if (tab?.id !== undefined) await chrome.tabs.update(tab.id, { active: true });
    });
    await until('the shop’s request', async () => (await chat.lastTurn()).includes('hats'));
    expect(await chat.ended()).toBe('answered');
    expect(await chat.lastTurn()).toMatch(/sleep[\s\S]*Wool Beanie/);
  });
});

describe('a request on a page that was open before Pagehand', () => {
  it('says to reload it where Pagehand brings WebMCP, and works once that is done', async () => {
    const shop = await serveSite(SHOP);
    const url = `${shop.origin}/index.html`;
    const browser = await Harness.start({}, { native: false, openFirst: url });
    const page = (await browser.browser.pages()).find((one) => one.url() === url);
    if (!page) throw new Error('the shop is not open');
    const chat = drive(await browser.sidePanel(page));
    await chat.ask('Search for hats under 30 euros');
    expect(await chat.ended()).toBe('page-reload');
    const [reload, retry] = await chat.panel.$$('.remedies button');
    await reload?.click();
    await until('11 tools on the chip', async () => /\b11\b/.test(await chat.chip()));
    await retry?.click();
    await chat.card('search_products', 'done');
    await browser.stop();
    await shop.close();
  });
});
