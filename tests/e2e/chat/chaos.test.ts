import { expect, test } from 'vitest';
import { chaos } from '../chaos/chaos';
import { SEED } from '../fuzz';

/** As many requests as a build has time for; `npm run chaos` goes on for as long as one likes. */
const REQUESTS = 10;

test.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])(
  `whatever ends, closes or crashes, calls run once and turns end, where $name (seed ${SEED})`,
  {
    timeout: 300_000,
  },
  async ({ native }) => {
    const report = await chaos({ seed: SEED, native, ms: 0, atLeast: REQUESTS });
    expect(report.failures).toEqual([]);
    expect(report.calls.ran).toBeGreaterThan(0);
  },
);
