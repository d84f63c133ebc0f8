import type { Page, Target } from 'puppeteer';
import { until } from './harness';

/** How long the pages that do everything at random are kept at it. */
export const SECONDS = Number(process.env['PAGEHAND_FUZZ_SECONDS'] ?? 4);
/** The same page on every run unless asked otherwise, so that a red build means a change made it red. */
export const SEED = Number(process.env['PAGEHAND_FUZZ_SEED'] ?? 20_261_130);

/** Collects what code of the extension throws, in the targets, without anybody catching it. */
export async function watchThrown(targets: readonly Target[]): Promise<readonly string[]> {
  const thrown: string[] = [];
  for (const target of targets) {
    const session = await target.createCDPSession();
    session.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      const text = JSON.stringify(exceptionDetails);
      if (text.includes('chrome-extension://')) thrown.push(text);
    });
    await session.send('Runtime.enable');
  }
  return thrown;
}

/** Has the page do nothing more, and gives how often its tools ran for each id over all documents. */
export async function standStill(page: Page): Promise<Record<string, number>> {
  await until('the page to stand still', async () => {
    await page.evaluate('freeze()');
    return page.evaluate('freeze(), document.readyState === "complete"');
  });
  return (await page.evaluate("JSON.parse(sessionStorage.getItem('runs') ?? '{}')")) as Record<
    string,
    number
  >;
}
