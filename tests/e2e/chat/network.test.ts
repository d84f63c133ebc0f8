import { resolve } from 'node:path';
import type { Target } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteServer, serveSite } from '../../sites/serve';
import { Harness } from '../harness';
import { drive, type Panel } from './panel';

describe('what leaves the machine', () => {
  let browser: Harness;
  let shop: SiteServer;
  let chat: Panel;
  /** Every address that any part of the extension asked for, whatever became of it. */
  const asked: string[] = [];
  const ofPages: string[] = [];
  beforeAll(async () => {
    shop = await serveSite(resolve(import.meta.dirname, '../../sites/shop'));
    browser = await Harness.start({});
    // Some targets, such as the browser itself, have no network of their own.
    const watch = async (target: Target) => {
      const session = await target.createCDPSession();
      session.on('Network.requestWillBeSent', ({ request }) => {
        // By whose it is now: a target is made before it knows what it shows.
        const isOurs = target.url().startsWith('chrome-extension://');
        (isOurs ? asked : ofPages).push(request.url);
      });
      session.on('Network.webSocketCreated', ({ url }) => asked.push(url));
      await session.send('Network.enable');
    };
    for (const target of browser.browser.targets()) await watch(target).catch(() => {});
    browser.browser.on('targetcreated', (target) => void watch(target).catch(() => {}));
  });
  afterAll(async () => {
    await browser?.stop();
    await shop?.close();
  });

  it('is nothing, in a whole run: reading, changing, the history, the options, an export', async () => {
    const page = await browser.open(`${shop.origin}/index.html`);
    chat = drive(await browser.sidePanel(page));
    await chat.panel.reload();
    await chat.ask('Search for hats under 30 euros');
    expect(await chat.ended()).toBe('answered');
    await chat.ask('Add two trail caps to the cart');
    await chat.card('add_to_cart', 'awaiting-approval');
    await chat.press('approve');
    expect(await chat.ended()).toBe('answered');
    await chat.view('tools');
    await chat.view('log');
    const options = await browser.open(browser.url('/options.html'));
    await options.reload();
    await options.waitForSelector('main');
    const outside = asked.filter((address) => !/^(?:chrome-extension|data|blob):/.test(address));
    expect(outside).toEqual([]);
    // The parts were watched: they loaded their own files.
    expect(asked.some((address) => address.startsWith(browser.url('/')))).toBe(true);
    // Nor does a page ask anybody but its own site on account of Pagehand.
    expect(
      ofPages.filter((address) => /^https?:/.test(address) && !address.startsWith(shop.origin)),
    ).toEqual([]);
  });

  it('can be nothing: a view is refused any connection', async () => {
    const refused = await chat.panel.evaluate(
      (address) => fetch(address).then(String, (error: Error) => error.name),
      `${shop.origin}/index.html`,
    );
    expect(refused).toBe('TypeError');
  });
});
