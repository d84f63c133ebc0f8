import type { Page } from 'puppeteer';
import type { Pagehand } from '../tests/e2e/launch';

/**
 * Holds one conversation through the real side panel: opens the page, opens the panel as a click on
 * the icon does, types each request, answers what is asked, and prints what the panel shows.
 * Resolves to whether every request ended in an answer.
 */
export async function converse(options: {
  pagehand: Pagehand;
  url: string;
  asks: string[];
  /** Allow or deny what asks for approval. */
  allow: boolean;
  screenshot: string;
  say: (line: string) => void;
}): Promise<boolean> {
  const { pagehand, say } = options;
  const page = await pagehand.browser.newPage();
  await page.goto(options.url);
  await page.bringToFront();
  const panel = await pagehand.openPanel(page);
  await panel.waitForSelector('[data-testid="composer"]:not([disabled])');
  await panel.waitForSelector('[data-testid="page-chip"][data-tools]');
  say(`\n${await text(panel, '[data-testid="page-chip"]')}  ${options.url}\n`);

  let good = true;
  for (const [index, ask] of options.asks.entries()) {
    await panel.type('[data-testid="composer"]', ask);
    await panel.keyboard.press('Enter');
    for (;;) {
      await panel.waitForFunction(
        (turns) =>
          document.querySelector('[data-testid="approve"], [data-testid="question"] form') ||
          document.querySelectorAll('[data-testid="turn"][data-end]').length === turns,
        { timeout: 120_000 },
        index + 1,
      );
      if (await panel.$('[data-testid="question"] form')) {
        say('  (asked for values that only you know; nobody is here to give them: stopped)');
        await panel.click('[data-testid="stop"]');
        await panel.waitForSelector('[data-testid="turn"]:last-child[data-end]');
        break;
      }
      const approve = await panel.$('[data-testid="approve"]');
      if (!approve) break;
      say(`  (asked for approval: ${options.allow ? 'allowed' : 'denied; use --allow to allow'})`);
      // Allow obeys the pointer only once it has stood still for a moment.
      await panel.waitForSelector('[data-testid="approve"][data-armed="true"]');
      await panel.click(`[data-testid="${options.allow ? 'approve' : 'deny'}"]`);
      await panel.waitForFunction(() => !document.querySelector('[data-testid="approve"]'));
    }
    const last = (await panel.$$('[data-testid="turn"]')).at(-1);
    say((await last?.evaluate((turn) => (turn as HTMLElement).innerText)) ?? '');
    say('');
    const reason = await last?.evaluate((turn) => turn.getAttribute('data-end'));
    good &&= reason === 'answered' || reason === 'asked';
  }
  await panel.screenshot({ path: options.screenshot as `${string}.png` });
  return good;
}

async function text(panel: Page, selector: string): Promise<string> {
  return panel.$eval(selector, (element) =>
    (element as HTMLElement).innerText.replace(/\s+/g, ' '),
  );
}
