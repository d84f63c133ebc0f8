import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createQueue, type Job } from '../../../lib/host/queue';

/** A job that runs until it is finished by hand or stopped. */
function job(tabId: number, heard: string[]): Job & { finish(): void } {
  let finish = () => {};
  return {
    tabId,
    conversationId: `c${tabId}`,
    turnId: `t${tabId}`,
    onQueued: (position, busy) => heard.push(`${tabId} waits at ${position} for ${busy}`),
    run: (signal) => {
      heard.push(`${tabId} runs`);
      return new Promise((resolve) => {
        finish = () => {
          heard.push(`${tabId} ends`);
          resolve();
        };
        signal.addEventListener('abort', () => {
          heard.push(`${tabId} aborted`);
          resolve();
        });
      });
    },
    onDropped: async () => void heard.push(`${tabId} dropped`),
    finish: () => finish(),
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('runs one turn at a time, in order, and tells each its place once', async () => {
  const heard: string[] = [];
  const queue = createQueue(() => {});
  const [a, b, c] = [job(1, heard), job(2, heard), job(3, heard)];
  for (const one of [a, b, c]) queue.add(one);
  a.finish();
  await settled();
  expect(heard).toEqual(['1 runs', '2 waits at 1 for 1', '3 waits at 2 for 1', '1 ends', '2 runs']);
});

it('thirty jobs at once are told thirty things, not one for every move of the line', async () => {
  const told: string[] = [];
  const queue = createQueue(() => {});
  const jobs = Array.from({ length: 30 }, (_, n) => ({
    ...job(n, []),
    onQueued: (position: number) => void told.push(`${n} at ${position}`),
  }));
  for (const one of jobs) queue.add(one);
  expect(told).toHaveLength(29);
  expect(queue.waiting().map(({ tabId }) => tabId)).toEqual(jobs.slice(1).map((j) => j.tabId));
});

it('Stop aborts the turn that runs and drops the one that waits', async () => {
  const heard: string[] = [];
  const queue = createQueue(() => {});
  for (const one of [job(1, heard), job(2, heard), job(3, heard)]) queue.add(one);
  heard.length = 0;
  await queue.stop('c2');
  expect(heard).toEqual(['2 dropped']);
  expect(queue.waiting().map(({ tabId }) => tabId)).toEqual([3]);
  await queue.stop('c1');
  await settled();
  expect(heard.slice(1)).toEqual(['1 aborted', '3 runs']);
  expect(queue.running()?.tabId).toBe(3);
});

it('never runs two jobs at once and loses none, whatever is stopped when', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constant('add'), fc.constant('finish'), fc.nat(9)), { maxLength: 40 }),
      async (actions) => {
        const heard: string[] = [];
        const jobs: ReturnType<typeof job>[] = [];
        const queue = createQueue(() => {});
        for (const action of actions) {
          if (action === 'add') {
            const next = job(jobs.length, heard);
            jobs.push(next);
            queue.add(next);
          } else if (action === 'finish') {
            jobs[queue.running()?.tabId ?? -1]?.finish();
          } else await queue.stop(`c${action}`);
          await settled();
        }
        for (let left = jobs.length; left > 0; left--) {
          jobs[queue.running()?.tabId ?? -1]?.finish();
          await settled();
        }
        const ends = heard.filter((line) => /ends|aborted|dropped/.test(line));
        expect(new Set(ends.map((line) => line.split(' ')[0])).size).toBe(jobs.length);
        let active = 0;
        for (const line of heard) {
          if (line.endsWith(' runs')) active++;
          if (/ ends| aborted/.test(line)) active--;
          expect(active).toBeLessThanOrEqual(1);
        }
      },
    ),
    { numRuns: 60 },
  );
});
