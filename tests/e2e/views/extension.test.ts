/// <reference types="chrome" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ElementHandle, Frame, Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../lib/messages/host-api';
import { type SiteServer, serveSite } from '../../sites/serve';
import { drive, seriousFindings } from '../chat/panel';
import { openHost } from '../engines/host';
import { Harness, until } from '../harness';

const SHOP = resolve(import.meta.dirname, '../../sites/shop');

let shop: SiteServer;
let browser: Harness;
let page: Page;

beforeAll(async () => {
  shop = await serveSite(SHOP);
  browser = await Harness.start({}, { native: true });
  page = await browser.open(`${shop.origin}/index.html`);
});
afterAll(async () => {
  await browser?.stop();
  await shop?.close();
});

/** The trimmed text of the first element that has some. */
function textOf(where: Page | Frame, selector: string): Promise<string> {
  return until(`text in ${selector}`, () =>
    where.$eval(selector, (element) => (element as HTMLElement).innerText.trim()),
  );
}

describe('the options page of the real extension', () => {
  test('shows engines, storage and machine, and keeps a change across a reload', async () => {
    const options = await browser.open(browser.url('/options.html'));
    await options.waitForSelector('[data-engine=wllama] .model');
    expect(await textOf(options, '.storage')).toMatch(/used/);
    expect(await seriousFindings(options)).toEqual([]);

    await options.select('[data-testid=language]', 'ar');
    await until('Arabic', () => options.evaluate(() => document.documentElement.dir === 'rtl'));
    await options.reload();
    await options.waitForSelector('[data-testid=theme]');
    expect(await options.evaluate(() => document.documentElement.lang)).toBe('ar');
    await options.select('[data-testid=language]', '');
    await until('left to right', () =>
      options.evaluate(() => document.documentElement.dir === 'ltr'),
    );
    await options.select('[data-testid=theme]', 'dark');
    await until('dark', () =>
      options.evaluate(() => getComputedStyle(document.body).backgroundColor === 'rgb(31, 32, 35)'),
    );
    await options.close();
  });
});

describe('the side panel of the real extension', () => {
  test('what the user shares of the page is among the tools shown to the model, and only then', async () => {
    await page.bringToFront();
    const panel = await browser.sidePanel(page);
    const chat = drive(panel);
    const press = (name: string) => panel.click(`[data-testid=${name}]`);
    const checked = (name: string) =>
      panel.$eval(`[data-testid=${name}]`, (it) => it.getAttribute('aria-checked') === 'true');
    /** What the log's newest event of that kind tells of the tools shown to the model. */
    const offered = async () => {
      await chat.view('log');
      await panel.type('.log-view [type=search]', 'tools chosen');
      const rows = await panel.waitForSelector('[data-type=tools-chosen]:last-child');
      await (await rows?.$('.log-row'))?.click();
      const branch = await panel.waitForSelector(
        '.log-detail ::-p-xpath(.//li[button[contains(., "offered")]])',
      );
      await branch?.$eval('.json-branch', (offer) => (offer as HTMLElement).click());
      await branch?.waitForSelector(':scope > ul .json-branch');
      await branch?.$$eval(':scope > ul .json-branch', (tools) => {
        for (const tool of tools) (tool as HTMLElement).click();
      });
      const text = await branch?.evaluate((list) => (list as HTMLElement).innerText);
      await chat.view('chat');
      return text;
    };
    await chat.ask('search for hats');
    await chat.ended();
    const before = await offered();
    expect(before).toContain('search_products');
    expect(before).not.toContain('read_page_text');

    await press('share');
    await press('share-text');
    await until('the switch to be on', () => checked('share-text'));
    expect(await checked('share-selection')).toBe(false);
    expect(await seriousFindings(panel)).toEqual([]);
    await panel.keyboard.press('Escape');
    expect(await textOf(panel, '#share-state')).toContain('Page text');
    await chat.ask('search for boots');
    await chat.ended();
    const after = await offered();
    expect(after).toContain('read_page_text');
    expect(after).not.toContain('read_selection');
    await panel.close();
  });
});

describe('the DevTools panel of the real extension', () => {
  let panel: Frame;
  beforeAll(async () => {
    await page.bringToFront();
    panel = (await browser.devtoolsPanel(page, 'Pagehand')).panel;
    await panel.waitForSelector('.dev-row');
  });
  const press = (selector: string) =>
    panel.$eval(selector, (element) => (element as HTMLElement).click());

  test('lists the page’s tools and what a model sees of one', async () => {
    expect(await textOf(panel, '.count')).toMatch(/^11 tools/);
    await press('[data-tool=search_products] .dev-row');
    expect(await textOf(panel, '[data-testid=tool-detail] .value-text')).toContain(
      'search_products(',
    );
    expect(await seriousFindings(panel)).toEqual([]);
  });

  test('runs the selected tool from its form', async () => {
    await press('[data-tool=search_products] .dev-row');
    await press('[data-testid=tool-detail] .bar button');
    await panel.waitForSelector('[data-testid=schema-form]');
    await press('[data-testid=schema-form] button[type=submit]');
    expect(await textOf(panel, '.outcome')).toContain('Done in');
    expect(await seriousFindings(panel)).toEqual([]);
  });

  test('shows what a request would do, without doing it', async () => {
    await press('[data-testid=dev-ask]');
    await panel.type('[data-testid=ask]', 'search for hats under 30 euros');
    await press('[data-testid=ask] + button');
    const outcome = await textOf(panel, '[data-testid=ask-outcome]');
    expect(outcome).toContain('search_products');
    expect(outcome).toContain('max_price');
    expect(await page.evaluate(() => location.pathname)).toBe('/index.html');
  });

  test('checks the tools’ readiness', async () => {
    await press('[data-testid=dev-readiness]');
    await panel.waitForSelector('[data-testid=readiness]');
    expect(await seriousFindings(panel)).toEqual([]);
  });

  test('replays what was recorded here, without touching the page', async () => {
    const host = await openHost(browser);
    const worker = await browser.worker();
    const tabId = await worker.evaluate(async (url) => {
      const tabs = await chrome.tabs.query({});
      return tabs.find((tab) => tab.url === url)?.id ?? -1;
    }, page.url());
    const { conversation } = (await host.call('watch', { tabId })) as Snapshot;
    const { filename, text } = (await host.call('exportConversation', {
      conversationId: conversation.id,
      format: 'eval',
    })) as { filename: string; text: string };
    const folder = await mkdtemp(join(tmpdir(), 'pagehand-'));
    const path = join(folder, filename);
    await writeFile(path, text);
    const before = await page.evaluate(() => document.body.innerHTML);
    await press('[data-testid=dev-evals]');
    const file = await panel.waitForSelector('[data-testid=replay-file]');
    await (file as ElementHandle<HTMLInputElement>).uploadFile(path);
    expect(await textOf(panel, '[data-testid=replayed]')).toContain('1 of 1 as recorded');
    expect(await page.evaluate(() => document.body.innerHTML)).toBe(before);
    expect(await seriousFindings(panel)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test('hides a tool from the model on this site, and the list follows', async () => {
    await press('[data-testid=dev-tools]');
    await press('[data-tool=get_cart] .dev-row, [data-tool=view_cart] .dev-row');
    await panel.select('[data-testid=tool-detail] .field-row select', 'hidden');
    await until('the tool to be hidden', async () =>
      (await textOf(panel, '.dev-row[aria-pressed=true]')).includes('Hidden'),
    );
  });
});
