import { resolve } from 'node:path';
import type { Page } from 'puppeteer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SiteServer, serveSite } from '../../sites/serve';
import { Harness, until } from '../harness';
import { drive, type Panel, seriousFindings } from './panel';

const SHOP = resolve(import.meta.dirname, '../../sites/shop');

/** A tool that never answers and counts how often it ran and was told to stop. */
const SLOW = `<!doctype html><html lang="en"><title>Slow</title><h1>Slow</h1><script>
  globalThis.counts = { ran: 0, aborted: 0 };
  (document.modelContext ?? navigator.modelContext).registerTool({
    name: 'slow_report',
    description: 'Make the yearly report.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    execute: (input, options) => {
      counts.ran++;
      options?.signal?.addEventListener('abort', () => counts.aborted++);
      return new Promise((resolve) => { globalThis.finish = () => resolve('Report: 42 pages.'); });
    },
  });
</script></html>`;

describe.each([
  { name: 'native WebMCP', native: true },
  { name: 'no WebMCP in the browser', native: false },
])('a person chats with the shop ($name)', ({ native }) => {
  let browser: Harness;
  let shop: SiteServer;
  let page: Page;
  let chat: Panel;

  beforeAll(async () => {
    shop = await serveSite(SHOP, { '/slow.html': { body: SLOW } });
    browser = await Harness.start({}, { native });
  });
  afterAll(async () => {
    await browser?.stop();
    await shop?.close();
  });
  const visit = async (path: string) => {
    page = await browser.open(`${shop.origin}${path}`);
    chat = drive(await browser.sidePanel(page));
  };
  beforeEach(() => visit('/index.html'));
  afterEach(async () => {
    await chat.panel.close();
    await page.evaluate(() => localStorage.clear()).catch(() => {});
    await page.close();
  });
  const cartCount = () => page.$eval('#cart-count', (count) => count.textContent);

  it('finds the page’s tools, those of its frame too, and says how many on the icon', async () => {
    await until('11 tools on the chip', async () => /\b11\b/.test(await chat.chip()));
    const worker = await browser.worker();
    await until('11 on the badge', () =>
      worker.evaluate(async () => {
        const [tab] = await chrome.tabs.query({ active: true });
        return (await chrome.action.getBadgeText({ tabId: tab?.id })) === '11';
      }),
    );
    expect(await seriousFindings(chat.panel)).toEqual([]);
  });

  it('searches without asking, shows the call and answers from the result', async () => {
    await chat.ask('Search for hats under 30 euros');
    expect(await chat.ended()).toBe('answered');
    expect(await chat.cards()).toEqual(['search_products done']);
    expect(await chat.lastTurn()).toMatch(/Trail Cap[\s\S]*Wool Beanie/);
    expect(await page.$eval('#found', (found) => found.textContent)).toBe('2 products');
    expect(await seriousFindings(chat.panel)).toEqual([]);
    await chat.view('log');
    await until('the log to list the step’s cost', () =>
      chat.panel.$eval('[data-testid="log"]', (log) =>
        /bytes|B\b/.test((log as HTMLElement).innerText),
      ),
    );
    expect(await seriousFindings(chat.panel)).toEqual([]);
  });

  it('asks before it changes the cart, shows what it will do, and does what was allowed', async () => {
    await chat.ask('Add two trail caps to the cart');
    await chat.card('add_to_cart', 'awaiting-approval');
    expect(await chat.lastTurn()).toContain(new URL(shop.origin).host);
    expect(await chat.values()).toEqual(['trail-cap', '2']);
    expect(await cartCount()).toBe('0');
    await until('Deny to have the focus', () =>
      chat.panel.evaluate(() => document.activeElement?.getAttribute('data-testid') === 'deny'),
    );
    expect(await seriousFindings(chat.panel)).toEqual([]);
    await chat.press('approve');
    expect(await chat.ended()).toBe('answered');
    await chat.card('add_to_cart', 'done');
    expect(await cartCount()).toBe('2');
  });

  it('does nothing that was denied', async () => {
    await chat.ask('Add two trail caps to the cart');
    await chat.press('deny');
    expect(await chat.ended()).not.toBe('stopped');
    expect(await chat.cards()).toContain('add_to_cart denied');
    expect(await cartCount()).toBe('0');
  });

  it('does not run a call whose argument the page’s schema refuses', async () => {
    await chat.ask('Add 50 trail caps to the cart');
    await chat.ended();
    expect(await chat.cards()).toContain('add_to_cart invalid');
    expect(await chat.lastTurn()).toMatch(/at most 20/);
    expect(await cartCount()).toBe('0');
  });

  it('uses a tool of a frame, in that frame, once', async () => {
    await chat.ask('Estimate delivery to 50667');
    expect(await chat.ended()).toBe('answered');
    expect(await chat.cards()).toEqual(['estimate_delivery done']);
    const frame = page.frames().find((one) => one.url().endsWith('/delivery.html'));
    expect(await frame?.$eval('output', (output) => output.textContent)).toBe('4 days, €4.90');
  });

  it('asks for a missing value, then fills in and sends a form tool', async () => {
    await page.goto(`${shop.origin}/contact.html`);
    await until('12 tools on the chip', async () => /\b12\b/.test(await chat.chip()));
    await chat.ask('Send support the message "Where is my parcel?" about delivery');
    // The address is missing: it is asked for, not invented.
    await chat.fill('email', 'ann@example.org');
    expect(await chat.ended()).toBe('answered');
    expect(await chat.cards()).toContain('contact_support done');
    expect(await page.$eval('#contact textarea', (box) => (box as HTMLTextAreaElement).value)).toBe(
      'Where is my parcel?',
    );
    expect(await page.$eval('#sent', (sent) => sent.textContent)).toMatch(/^Thank you/);
  });

  it('follows a call to another page and sees the tools that are there', async () => {
    await chat.ask('Open a product page');
    await chat.fill('product_id', 'ridge-boots');
    expect(await chat.ended()).toBe('answered');
    expect(page.url()).toContain('product.html?id=ridge-boots');
    await until('13 tools on the chip', async () => /\b13\b/.test(await chat.chip()));
    await chat.ask('Choose size 42');
    await chat.press('approve');
    expect(await chat.ended()).toBe('answered');
    expect(await page.$eval('#size', (size) => (size as HTMLSelectElement).value)).toBe('42');
  });

  it('Stop ends the turn, tells the tool, and the next request works', async () => {
    await visitInstead('/slow.html');
    await chat.ask('Make the yearly report');
    await chat.card('slow_report', 'running');
    await chat.press('stop');
    expect(await chat.ended()).toBe('stopped');
    await until('the tool to hear of it', () =>
      page.evaluate(
        () => (globalThis as unknown as { counts: { aborted: number } }).counts.aborted === 1,
      ),
    );
    await chat.ask('Make the yearly report');
    await chat.card('slow_report', 'running');
    await page.evaluate(() => (globalThis as unknown as { finish(): void }).finish());
    expect(await chat.ended()).toBe('answered');
    expect(await page.evaluate(() => (globalThis as unknown as { counts: object }).counts)).toEqual(
      {
        ran: 2,
        aborted: 1,
      },
    );
  });

  it('Stop while it asks for approval leaves nothing behind that could be approved', async () => {
    await chat.ask('Add two trail caps to the cart');
    await chat.card('add_to_cart', 'awaiting-approval');
    await chat.press('stop');
    expect(await chat.ended()).toBe('stopped');
    expect(await chat.panel.$('[data-testid="approve"]')).toBeNull();
    expect(await cartCount()).toBe('0');
  });

  it('goes on while the panel is closed, and shows it when it is opened again', async () => {
    await visitInstead('/slow.html');
    await chat.ask('Make the yearly report');
    await chat.card('slow_report', 'running');
    await chat.panel.close();
    await page.evaluate(() => (globalThis as unknown as { finish(): void }).finish());
    chat = drive(await browser.sidePanel(page));
    await chat.card('slow_report', 'done');
    expect(await chat.ended()).toBe('answered');
    expect(await chat.lastTurn()).toContain('42 pages');
  });

  it('keeps the turn when the worker is ended in mid-call, and the tool runs once', async () => {
    await visitInstead('/slow.html');
    await chat.ask('Make the yearly report');
    await chat.card('slow_report', 'running');
    await browser.killWorker();
    await browser.resumeWorker();
    await page.evaluate(() => (globalThis as unknown as { finish(): void }).finish());
    expect(await chat.ended()).toBe('answered');
    expect(await chat.lastTurn()).toContain('42 pages');
    expect(await page.evaluate(() => (globalThis as unknown as { counts: object }).counts)).toEqual(
      {
        ran: 1,
        aborted: 0,
      },
    );
  });

  async function visitInstead(path: string): Promise<void> {
    await page.goto(`${shop.origin}${path}`);
    await until('one tool on the chip', async () => /\b1\b/.test(await chat.chip()));
  }
});
