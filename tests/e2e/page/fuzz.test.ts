import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SECONDS, SEED, standStill, watchThrown } from '../fuzz';
import { until } from '../harness';
import { isWorker } from '../launch';
import { type Drive, drive } from './drive';

/** A page that happens to throw and hang for the whole time gets this much more to answer once. */
const EXTRA_MS = 30_000;

describe.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])('a page that does everything at random, where $name', ({ native }) => {
  let d: Drive;
  beforeAll(async () => {
    d = await drive({ native });
  });
  afterAll(() => d?.stop());

  test(`no call is lost or doubled, nothing of ours throws, the catalog is the truth (seed ${SEED})`, {
    timeout: SECONDS * 1000 + 60_000,
  }, async () => {
    // In a long run over the browser's own forms the browser itself would lose the tab.
    const forms = !native || SECONDS < 30;
    const { page, tabId } = await d.open(`/hostile/fuzz.html?seed=${SEED}&forms=${forms}`);
    const worker = d.harness.browser.targets().find(isWorker);
    const thrown = await watchThrown([page.target(), ...(worker ? [worker] : [])]);

    const outcomes = new Map<string, Awaited<ReturnType<Drive['call']>>>();
    const end = Date.now() + SECONDS * 1000;
    const answered = () => [...outcomes.values()].some(({ kind }) => kind === 'result');
    const goesOn = () => Date.now() < end || (!answered() && Date.now() < end + EXTRA_MS);
    for (let i = 0; goesOn(); i++) {
      const { tools } = await d.collect(tabId, i % 3 === 0);
      await Promise.all(
        [i, i + 1].map(async (at) => {
          const tool = tools[(at * 7 + SEED) % Math.max(1, tools.length)];
          if (!tool || tool.surface === 'form') return;
          const id = `${i}-${at}`;
          const stopAfter = at % 5 === 0 ? 20 : undefined;
          outcomes.set(id, await d.call(tabId, tool, { id }, { limitMs: 400, stopAfter }));
        }),
      );
    }
    const runs = await standStill(page);
    expect(Object.values(runs).filter((times) => times !== 1)).toEqual([]);
    for (const [id, outcome] of outcomes) {
      const ran = runs[id] ?? 0;
      const what = { id, outcome, ran };
      if (outcome.kind === 'changed') expect(what).toMatchObject({ ran: 0 });
      if (outcome.kind === 'error' && !outcome.mayHaveRun) expect(what).toMatchObject({ ran: 0 });
      if (outcome.kind === 'result' && outcome.value !== null)
        expect(what).toMatchObject({ ran: 1 });
    }
    // Enough happened for this to mean something.
    expect(Array.from(outcomes.values(), ({ kind }) => kind)).toContain('result');
    expect(thrown).toEqual([]);

    // The page may still take back what it did last: equal once quiet, and then for good.
    await until('the catalog to be the page’s truth', async () => {
      const { tools } = await d.collect(tabId);
      const listed = tools.map(({ description }) => description).sort();
      return JSON.stringify(listed) === JSON.stringify(await page.evaluate('truth()'));
    });
  });
});
