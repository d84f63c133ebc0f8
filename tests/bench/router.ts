/**
 * Measures the router beside others in one process: how often it finds the tool a request needs, on
 * corpora that none of this project wrote and on a small one of its own, and how time and memory
 * grow with the catalog. Prints tables; asserts nothing.
 *
 * PAGEHAND_CORPORA          folder of corpora (default ../shared/corpora)
 * STACKLINE_TOOL_ROUTER     folder with a build or source of @stackline/tool-router
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Corpus, readCorpora } from './router/corpora';
import { makeCatalog, runLarge } from './router/large';
import {
  compareRuns,
  developed,
  heldOut,
  meanRecall,
  type Outcome,
  type RankerRun,
  runCorpus,
} from './router/measure';
import {
  loadStackline,
  miniSearch,
  ours,
  plainBm25,
  type Ranker,
  wordOverlap,
} from './router/rankers';

const LARGE = 10_000;
const GROWTH = [100, 1_000, 10_000, 100_000];

export async function bench(): Promise<void> {
  const stackline = await loadStackline(process.env.STACKLINE_TOOL_ROUTER);
  const rankers = [ours, wordOverlap, plainBm25, miniSearch, ...(stackline ? [stackline] : [])];
  if (stackline === undefined) {
    say('@stackline/tool-router left out: STACKLINE_TOOL_ROUTER names no folder with it.');
  }
  const root = resolve(process.env.PAGEHAND_CORPORA ?? '../shared/corpora');
  const corpora = readCorpora(root);
  if (corpora.length === 0) {
    say(`No corpora in ${root}: only the small one of this project is measured.`);
  }
  const own = readCorpora(fileURLToPath(new URL('./router', import.meta.url)));
  for (const corpus of [...own, ...corpora]) reportCorpus(corpus, rankers);
  reportLarge(rankers);
  reportGrowth();
}

function reportCorpus(corpus: Corpus, rankers: readonly Ranker[]): void {
  say(`\n${corpus.name}: ${corpus.tools.length} tools, ${corpus.queries.length} queries`);
  say(row('recall at 1 / 5, %', 'all', 'developed on', 'held out', 'ms a query'));
  const runs = rankers.map((ranker) => {
    const run = runCorpus(corpus, ranker);
    const { outcomes } = run;
    say(
      row(
        run.ranker,
        percent(outcomes),
        percent(developed(outcomes)),
        percent(heldOut(outcomes)),
        run.msPerQuery.toFixed(2),
      ),
    );
    return run;
  });
  const [first, ...others] = runs;
  if (first !== undefined) for (const other of others) reportPairs(first, other);
}

function reportPairs(first: RankerRun, other: RankerRun): void {
  const pair = (a: readonly Outcome[], b: readonly Outcome[]) =>
    (['at1', 'at5'] as const)
      .map((key) => {
        const { won, lost, chance } = compareRuns(a, b, key);
        return `${won} : ${lost} (p ${chance < 0.001 ? '< .001' : `= ${chance.toFixed(3)}`})`;
      })
      .join(', ');
  say(`  against ${other.ranker}, queries won : lost at 1, at 5`);
  say(`    all       ${pair(first.outcomes, other.outcomes)}`);
  say(`    held out  ${pair(heldOut(first.outcomes), heldOut(other.outcomes))}`);
}

function reportLarge(rankers: readonly Ranker[]): void {
  say(`\n${LARGE} tools, and ours as a share of each`);
  say(row('', 'build ms', 'p50 ms', 'p95 ms', 'MB'));
  const catalog = makeCatalog(LARGE);
  const [first, ...others] = rankers;
  if (first === undefined) return;
  runLarge(first, catalog.slice(0, 1000), 50);
  const best = runLarge(first, catalog, 200);
  say(row(first.name, ...figures(best)));
  for (const ranker of others) {
    const run = runLarge(ranker, catalog, 40);
    const share = (mine: number, theirs: number) => `${(theirs / mine).toFixed(1)}×`;
    say(row(ranker.name, ...figures(run)));
    say(
      row(
        '  against ours',
        share(best.buildMs, run.buildMs),
        share(best.p50, run.p50),
        share(best.p95, run.p95),
        share(best.megabytes, run.megabytes),
      ),
    );
  }
}

function reportGrowth(): void {
  say('\nGrowth with the catalog (pagehand)');
  say(row('tools', 'build ms', 'p50 ms', 'p95 ms', 'MB'));
  for (const size of GROWTH) {
    say(row(String(size), ...figures(runLarge(ours, makeCatalog(size), 100))));
  }
}

function figures({ buildMs, p50, p95, megabytes }: ReturnType<typeof runLarge>): string[] {
  return [buildMs.toFixed(0), p50.toFixed(2), p95.toFixed(2), megabytes.toFixed(1)];
}

function percent(outcomes: readonly Outcome[]): string {
  if (outcomes.length === 0) return '–';
  const { at1, at5 } = meanRecall(outcomes);
  return `${at1.toFixed(1)} / ${at5.toFixed(1)}`;
}

const row = (head: string, ...cells: string[]): string =>
  `  ${head.padEnd(22)}${cells.map((cell) => cell.padStart(16)).join('')}`;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
