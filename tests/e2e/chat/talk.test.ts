import { resolve } from 'node:path';
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteServer, serveSite } from '../../sites/serve';
import { Harness, until } from '../harness';
import { drive, type Panel } from './panel';

const SHOP = resolve(import.meta.dirname, '../../sites/shop');

describe('a person talks with the shop as people talk, with nothing downloaded', () => {
  let browser: Harness;
  let shop: SiteServer;
  let page: Page;
  let chat: Panel;

  beforeAll(async () => {
    shop = await serveSite(SHOP);
    browser = await Harness.start({}, { native: false });
    page = await browser.open(`${shop.origin}/index.html`);
    chat = drive(await browser.sidePanel(page));
  });
  afterAll(async () => {
    await browser?.stop();
    await shop?.close();
  });

  /** Asks, allows what asks for it, and gives what the turn shows when it has ended. */
  async function said(text: string): Promise<string> {
    await chat.ask(text);
    await until(`“${text}” to end`, async () => {
      if (await chat.panel.$('[data-testid=approve][data-armed="true"]'))
        await chat.press('approve');
      return chat.panel.$eval('[data-testid=turn]:last-child', (t) => t.getAttribute('data-end'));
    });
    return chat.lastTurn();
  }
  it('from the cheapest hat to what the basket costs', async () => {
    expect(await said("what's the cheapest hat you have?")).toContain('Trail Cap');
    await said('ok put that one in my basket');
    expect(await chat.cards()).toEqual(['add_to_cart done']);
    expect(await said('what do I have in my basket now and how much is it')).toMatch(
      /Trail Cap[\s\S]*24/,
    );
  }, 120_000);
});
