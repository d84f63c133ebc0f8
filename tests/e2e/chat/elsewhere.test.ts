import { resolve } from 'node:path';
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteServer, serveSite } from '../../sites/serve';
import { Harness, until } from '../harness';
import { drive, type Panel, seriousFindings } from './panel';

const SHOP = resolve(import.meta.dirname, '../../sites/shop');

describe('a turn that waits for its user where they are not', () => {
  let browser: Harness;
  let shop: SiteServer;
  let page: Page;
  let chat: Panel;
  beforeAll(async () => {
    shop = await serveSite(SHOP, {
      '/other.html': { body: '<!doctype html><html lang="en"><title>Other</title><h1>Other</h1>' },
    });
    browser = await Harness.start({});
    page = await browser.open(`${shop.origin}/index.html`);
    chat = drive(await browser.sidePanel(page));
  });
  afterAll(async () => {
    await browser?.stop();
    await shop?.close();
  });
  const banner = () =>
    chat.panel.$eval('[data-testid="elsewhere"]', (it) => (it as HTMLElement).innerText);
  const goThere = async () => {
    await chat.panel.waitForSelector('[data-testid="go-there"]');
    await chat.panel.click('[data-testid="go-there"]');
  };
  const cartCount = () => page.$eval('#cart-count', (count) => count.textContent);

  it('is told of in the tab they went to, and still decided in its own', async () => {
    await chat.ask('Add two trail caps to the cart');
    await chat.card('add_to_cart', 'awaiting-approval');
    const title = await page.title();
    const other = await browser.open(`${shop.origin}/other.html`);
    await until('word of the tab that waits', async () => (await banner()).includes(title));
    expect(await seriousFindings(chat.panel)).toEqual([]);
    await chat.view('log');
    expect(await banner()).toContain('waits for your decision');
    await goThere();
    await chat.press('approve');
    expect(await chat.ended()).toBe('answered');
    expect(await cartCount()).toBe('2');
    expect(await chat.panel.$('[data-testid="elsewhere"]')).toBeNull();
    await other.close();
  });

  it('is led back to when another conversation is opened in its tab', async () => {
    await chat.panel.click('[data-testid="new-chat"]');
    await until('an empty chat', () => chat.panel.$('[data-testid="empty"]'));
    await chat.ask('Add one trail cap to the cart');
    await chat.card('add_to_cart', 'awaiting-approval');
    await chat.panel.click('[data-testid="history"]');
    await (await chat.panel.waitForSelector('::-p-text(Add two trail caps)'))?.click();
    await until('word of the turn', async () => (await banner()).includes('decision'));
    await goThere();
    await chat.press('approve');
    expect(await chat.ended()).toBe('answered');
    expect(await cartCount()).toBe('3');
  });
});
