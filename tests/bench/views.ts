import puppeteer, { type Page } from 'puppeteer';
import { startGallery } from '../e2e/views/gallery';

interface Sample {
  /** Tasks of the main thread over 50 ms while the answer streamed. */
  longTasks: number;
  longestMs: number;
  /** From a key press to the paint after it: 95 of 100 are faster, and the slowest of all. */
  keyMs: number;
  slowestKeyMs: number;
  keys: number;
}

/**
 * Typing while an answer streams, in the real panel: how often the main thread is held up, with
 * nothing above the answer and with 2 000 events above it. Read the ratio, not the milliseconds.
 */
export async function bench(): Promise<void> {
  const gallery = await startGallery();
  const browser = await puppeteer.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    headless: true,
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 360, height: 720 });
    const samples: Record<number, Sample> = {};
    for (const earlier of [0, 2000]) {
      samples[earlier] = await typeWhileStreaming(
        page,
        `${gallery.origin}/gallery.html?stream=${earlier}`,
      );
      const { longTasks, longestMs, keyMs, slowestKeyMs, keys } = samples[earlier];
      process.stdout.write(
        `${String(earlier).padStart(5)} events above: ${longTasks} long tasks, longest ${longestMs.toFixed(0)} ms, ` +
          `95 % of ${keys} keys within ${keyMs.toFixed(0)} ms, slowest ${slowestKeyMs.toFixed(0)} ms\n`,
      );
    }
    const ratio = (samples[2000]?.keyMs ?? 0) / Math.max(1, samples[0]?.keyMs ?? 1);
    process.stdout.write(`views: a key with 2 000 events / with none = ${ratio.toFixed(2)}\n`);
  } finally {
    await browser.close();
    await gallery.stop();
  }
}

async function typeWhileStreaming(page: Page, url: string): Promise<Sample> {
  await page.goto(url);
  await page.waitForSelector('[data-testid=composer]');
  await page.evaluate(() => {
    const seen = { tasks: [] as number[], keys: [] as number[] };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      seen.tasks.push(...list.getEntries().map((entry) => entry.duration));
    }).observe({ type: 'longtask' });
    new PerformanceObserver((list) => {
      const typed = list.getEntries().filter((entry) => entry.name === 'keydown');
      seen.keys.push(...typed.map((entry) => entry.duration));
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  await page.type('[data-testid=composer]', 'Go');
  await page.keyboard.press('Enter');
  await page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: { tasks: number[]; keys: number[] } };
    seen.tasks.length = 0;
    seen.keys.length = 0;
  });
  let keys = 0;
  while ((await page.evaluate(() => document.body.dataset['stream'])) !== 'done') {
    // Five times as fast as anyone types: any faster, and the keys would queue for themselves.
    await page.keyboard.press('a', { delay: 20 });
    keys += 1;
  }
  return page.evaluate((keys) => {
    const { seen } = globalThis as unknown as { seen: { tasks: number[]; keys: number[] } };
    return {
      longTasks: seen.tasks.length,
      longestMs: Math.max(0, ...seen.tasks),
      keyMs: seen.keys.sort((a, b) => a - b)[Math.floor(seen.keys.length * 0.95)] ?? 0,
      slowestKeyMs: Math.max(0, ...seen.keys),
      keys,
    };
  }, keys);
}
