/** `npm run chaos -- --minutes N --seed S`: with the browser's own WebMCP, then with the shim. */
import { parseArgs } from 'node:util';
import { chaos } from './chaos';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '20261130' },
    verbose: { type: 'boolean', default: false },
  },
});
const ms = (Number(values.minutes) * 60_000) / 2;
let failed = false;
console.log(
  '| seed | WebMCP | requests | faults | turns | events | started | ok | ran on the page | failures |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
for (const native of [true, false]) {
  const told = values.verbose ? (line: string) => console.error(line) : undefined;
  const report = await chaos({ seed: Number(values.seed), native, ms, atLeast: 1, told });
  const faults = Object.values(report.faults).reduce((sum, count) => sum + count, 0);
  const { started, ok, ran } = report.calls;
  const { failures, ...figures } = report;
  console.log(
    `| ${report.seed} | ${native ? 'browser' : 'shim'} | ${report.steps} | ${faults} | ${report.turns} | ${report.events} | ${started} | ${ok} | ${ran} | ${failures.length} |`,
  );
  console.error(JSON.stringify(figures));
  for (const failure of failures) console.error(`FAILED: ${failure}`);
  failed ||= failures.length > 0;
}
process.exit(failed ? 1 : 0);
