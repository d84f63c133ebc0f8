import { resolve } from 'node:path';
import type { Page } from 'puppeteer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SiteServer, serveSite } from '../../sites/serve';
import { Harness, until } from '../harness';
import { drive, type Panel } from './panel';

const SHOP = resolve(import.meta.dirname, '../../sites/shop');

/** A tool that changes something and answers when the test says so. */
const SLOW = `<!doctype html><html lang="en"><title>Slow</title><h1>Slow</h1><script>
  globalThis.aborted = 0;
  (document.modelContext ?? navigator.modelContext).registerTool({
    name: 'start_backup',
    description: 'Start a backup.',
    inputSchema: { type: 'object', properties: {} },
    execute: (input, options) => {
      options?.signal?.addEventListener('abort', () => aborted++);
      return new Promise((resolve) => { globalThis.finish = () => resolve('Backed up.'); });
    },
  });
</script></html>`;

describe('a whole conversation by keyboard alone', () => {
  let browser: Harness;
  let shop: SiteServer;
  let page: Page;
  let chat: Panel;
  beforeAll(async () => {
    shop = await serveSite(SHOP, { '/slow.html': { body: SLOW } });
    browser = await Harness.start({});
  });
  afterAll(async () => {
    await browser?.stop();
    await shop?.close();
  });
  const visit = async (path: string) => {
    page = await browser.open(`${shop.origin}${path}`);
    chat = drive(await browser.sidePanel(page));
    await focusOn('composer');
  };
  beforeEach(() => visit('/slow.html'));
  afterEach(async () => {
    await chat.panel.close();
    await page.close();
  });
  const focused = () =>
    chat.panel.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? 'nothing');
  const focusOn = (what: string) =>
    until(`the focus on ${what}`, async () => (await focused()) === what);
  const text = () =>
    chat.panel.$eval('[data-testid="composer"]', (box) => (box as HTMLTextAreaElement).value);
  const type = (words: string) => chat.panel.keyboard.type(words);
  const key = (name: 'Enter' | 'Escape' | 'Tab') => chat.panel.keyboard.press(name);
  const ask = async (words: string) => {
    await type(words);
    await key('Enter');
  };
  const allow = async () => {
    await focusOn('deny');
    await key('Tab');
    await focusOn('approve');
    await key('Enter');
    await focusOn('composer');
  };

  /** The card says so when it is on disk that the call begins; the page runs it a moment later. */
  const runs = async () => {
    await chat.card('start_backup', 'running');
    await until('the page to run it', () =>
      page.evaluate(() => typeof Reflect.get(globalThis, 'finish') === 'function'),
    );
  };

  it('the composer has the focus at the start; Allow gives it back, and Escape stops the call', async () => {
    await ask('Start a backup');
    await allow();
    await runs();
    await key('Escape');
    expect(await chat.ended()).toBe('stopped');
    expect(await page.evaluate(() => Reflect.get(globalThis, 'aborted'))).toBe(1);
    expect(await focused()).toBe('composer');
  });

  it('what is typed after Deny stands in the composer', async () => {
    await ask('Start a backup');
    await focusOn('deny');
    await key('Enter');
    await focusOn('composer');
    await type('thanks');
    expect(await text()).toBe('thanks');
  });

  it('letters typed beside every field are not lost', async () => {
    await ask('Start a backup');
    await focusOn('deny');
    await type('no');
    expect(await text()).toBe('no');
    expect(await chat.cards()).toEqual(['start_backup awaiting-approval']);
  });

  it('a message sent meanwhile waits in sight, and goes when the answer is there', async () => {
    await ask('Start a backup');
    await allow();
    await runs();
    await ask('Start a backup again');
    const next = await chat.panel.waitForSelector('[data-testid="next"]');
    expect(await next?.evaluate((line) => line.textContent)).toContain('Start a backup again');
    await page.evaluate(() => Reflect.get(globalThis, 'finish')());
    await until('the next turn', async () => (await chat.lastTurn()).includes('again'));
    await chat.card('start_backup', 'awaiting-approval');
    expect(await chat.panel.$('[data-testid="next"]')).toBeNull();
  });

  it('a remembered approval takes no focus', async () => {
    await ask('Start a backup');
    await focusOn('deny');
    await chat.panel.select('[data-testid="remember"]', 'chat');
    await chat.press('approve');
    await runs();
    await page.evaluate(() => Reflect.get(globalThis, 'finish')());
    expect(await chat.ended()).toBe('answered');
    await focusOn('composer');
    await chat.panel.evaluate(() => {
      const trail: string[] = [];
      Object.assign(globalThis, { trail });
      document.addEventListener('focusin', ({ target }) =>
        trail.push((target as HTMLElement).dataset['testid'] ?? ''),
      );
    });
    await ask('Start a backup once more');
    await runs();
    await type('typed meanwhile');
    expect(await chat.panel.evaluate(() => Reflect.get(globalThis, 'trail'))).toEqual([]);
    expect(await text()).toBe('typed meanwhile');
  });

  it('a draft outlives the panel and stays with its tab', async () => {
    await type('half a thought');
    const other = await browser.open(`${shop.origin}/index.html`);
    await until('an empty composer', async () => (await text()) === '');
    await other.close();
    await page.bringToFront();
    await until('the draft', async () => (await text()) === 'half a thought');
    await chat.panel.close();
    chat = drive(await browser.sidePanel(page));
    await until('the draft after reopening', async () => (await text()) === 'half a thought');
  });

  it('the list of models closes with Escape after a button in it was pressed', async () => {
    await chat.panel.click('[data-testid="model"]');
    await chat.panel.waitForSelector('#models');
    await key('Escape');
    await until('no list', async () => (await chat.panel.$('#models')) === null);
    await focusOn('composer');
  });
});
