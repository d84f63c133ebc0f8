import { resolve } from 'node:path';
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SiteServer, serveSite } from '../../sites/serve';
import { Harness, until } from '../harness';
import { drive, type Panel } from './panel';

const SHOP = resolve(import.meta.dirname, '../../sites/shop');

describe('a disk that takes no more', () => {
  let browser: Harness;
  let shop: SiteServer;
  let page: Page;
  let chat: Panel;
  let host: Page;
  beforeAll(async () => {
    shop = await serveSite(SHOP);
  });
  beforeEach(async () => {
    browser = await Harness.start({});
    page = await browser.open(`${shop.origin}/index.html`);
    chat = drive(await browser.sidePanel(page));
    await chat.ask('Search for hats under 30 euros');
    expect(await chat.ended()).toBe('answered');
    host = await browser.page('/host.html');
    return async () => browser.stop();
  });
  afterAll(async () => shop?.close());

  const stored = () =>
    host.evaluate(
      () =>
        new Promise<string[]>((done, fail) => {
          const asked = indexedDB.open('pagehand');
          asked.onerror = () => fail(asked.error);
          asked.onsuccess = () => {
            const all = asked.result.transaction('events').objectStore('events').getAll();
            all.onsuccess = () => {
              asked.result.close();
              done(all.result.flatMap((event: { ask?: string }) => event.ask ?? []));
            };
          };
        }),
    );
  const notices = () =>
    chat.panel.$$eval('[data-testid="turn"]', (turns) =>
      turns.flatMap((turn) => (turn as HTMLElement).innerText.match(/not being kept/g) ?? []),
    );

  it('stops no chat: it goes on, and says once that it is not being kept', async () => {
    await host.evaluate(() => {
      const { put } = IDBObjectStore.prototype;
      Object.assign(globalThis, { mend: () => (IDBObjectStore.prototype.put = put) });
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The disk is full.', 'QuotaExceededError');
      };
    });
    await chat.ask('Search for boots');
    expect(await chat.ended()).toBe('answered');
    expect(await chat.lastTurn()).toMatch(/Free some disk space/);
    await chat.ask('Show the cart');
    await chat.ended();
    expect(await notices()).toHaveLength(1);
    expect(await stored()).toEqual(['Search for hats under 30 euros']);
    // A panel that is opened later shows all of it.
    await chat.panel.close();
    chat = drive(await browser.sidePanel(page));
    await until('three turns', async () => {
      const turns = await chat.panel.$$('[data-testid="turn"]');
      return turns.length === 3;
    });
    expect(await notices()).toHaveLength(1);
  });

  it('is written to again where the browser closed it in between', async () => {
    const session = await host.createCDPSession();
    await session.send('Storage.clearDataForOrigin', {
      origin: browser.url('').replace(/\/$/, ''),
      storageTypes: 'indexeddb',
    });
    await chat.ask('Search for boots');
    expect(await chat.ended()).toBe('answered');
    expect(await notices()).toEqual([]);
    await until('the turn to be stored', async () => (await stored()).includes('Search for boots'));
  });

  it('that does not even open stops no chat either', async () => {
    await host.evaluate(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('Internal error opening backing store.', 'UnknownError');
      };
    });
    const session = await host.createCDPSession();
    await session.send('Storage.clearDataForOrigin', {
      origin: browser.url('').replace(/\/$/, ''),
      storageTypes: 'indexeddb',
    });
    await chat.ask('Add two trail caps to the cart');
    await chat.card('add_to_cart', 'awaiting-approval');
    await chat.press('approve');
    expect(await chat.ended()).toBe('answered');
    expect(await chat.lastTurn()).toMatch(/Start the browser again/);
  });
});
