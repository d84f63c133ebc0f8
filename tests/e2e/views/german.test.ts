/// <reference types="chrome" />
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import german from '../../../public/_locales/de/messages.json';
import english from '../../../public/_locales/en/messages.json';
import { drive, type Panel } from '../chat/panel';
import { ModelServer } from '../engines/model-server';
import { Harness, until } from '../harness';

/** A tool that fails without a word, and one whose answer is cut: what is said of them is Pagehand's. */
const MUTE = `<!doctype html><html lang="en"><title>Mute</title><h1>Mute</h1><script>
  const context = document.modelContext ?? navigator.modelContext;
  const tool = (name, description, execute) => context.registerTool({
    name, description, inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true }, execute,
  });
  tool('yearly_report', 'Make the yearly report.', () => 'Long. '.repeat(200_000));
  tool('count_stock', 'Count the stock of the warehouse.', () => { throw ''; });
</script></html>`;

/** A German text up to and from its first value. */
const around = (message: string) => message.split(/\$\d/).map((part) => part.trim());

describe.each([
  { name: 'native WebMCP', native: true },
  { name: 'no WebMCP in the browser', native: false },
])('the panel in German ($name)', ({ native }) => {
  let browser: Harness;
  let models: ModelServer;
  let page: Page;
  let chat: Panel;
  let panel: Page;

  beforeAll(async () => {
    browser = await Harness.start({ '/': MUTE }, { native });
    models = await ModelServer.start({});
    const options = await browser.open(browser.url('/options.html'));
    await options.waitForSelector('[data-testid=language]');
    await options.select('[data-testid=language]', 'de');
    await until('German', () => options.evaluate(() => document.documentElement.lang === 'de'));
    await options.close();
    page = await browser.open(browser.origin);
    panel = await browser.sidePanel(page);
    chat = drive(panel);
  });
  afterAll(async () => {
    await browser?.stop();
    await models?.stop();
  });

  test('tells a notice of the turn', async () => {
    await chat.ask('Make the yearly report');
    await chat.ended();
    const notice = await panel.$eval('.notice', (it) => (it as HTMLElement).innerText);
    for (const part of around(german.said_result_cut.message)) expect(notice).toContain(part);
    expect(notice).toContain('1.000.000');
    expect(notice).not.toContain(around(english.said_result_cut.message)[0]);
  });

  test('tells why a call failed', async () => {
    await chat.ask('Count the stock of the warehouse');
    await chat.ended();
    const card = await chat.card('count_stock', 'failed');
    const told = await card?.evaluate((it) => (it as HTMLElement).innerText);
    for (const part of around(german.said_call_failed_silently.message)) {
      expect(told).toContain(part);
    }
    expect(told).not.toContain(around(english.said_call_failed_silently.message)[1]);
  });

  test('tells why a model could not be loaded, where it was chosen, and once', async () => {
    await panel.click('[data-testid=model]');
    const field = await panel.waitForSelector('.models input[type=url]');
    await field?.type(`${models.origin}/missing.gguf`);
    await panel.click(`.models ::-p-aria(${german.addModelDownload.message}[role="button"])`);
    const failure = await until('the failure to show', () =>
      panel.$eval('.current .problem', (it) => (it as HTMLElement).innerText),
    );
    expect(failure).toContain(german.said_refused_missing.message);
    for (const part of around(german.said_download_refused.message)) {
      expect(failure).toContain(part);
    }
    // Said once: the list and the banner do not repeat each other.
    const told = await panel.evaluate(() => document.body.innerText);
    expect(told.split(german.said_refused_missing.message)).toHaveLength(2);
  });

  test('tells why a model cannot run here', async () => {
    const reasons = await panel.$$eval('.models .doubt', (all) =>
      all.map((it) => (it as HTMLElement).textContent ?? ''),
    );
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason).not.toMatch(/\b(?:the|this|needs|cannot|has)\b/i);
  });
});
