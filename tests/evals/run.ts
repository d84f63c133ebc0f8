/**
 * npm run eval -- [--engine instant|MODULE] [--cases DIR] [--all] [--case TEXT] [--verbose] [--json]
 *
 * Runs the repo's own cases, or with `--cases` those of any folder, through the real loop and writes
 * `.results/evals-<engine>[-<folder>].json`. See docs/evals.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine } from '../../lib/agent/engine';
import { driveCase, driveScript } from '../../lib/evals/drive';
import { casesOf } from '../../lib/evals/format';
import { type CaseScore, type Difference, scoreCase } from '../../lib/evals/score';
import { createNamedEngine } from './engines';
import { judgeCase, type Verdict } from './folder/judge';
import { readFolder } from './folder/read';
import { countsOf, reportOf, verdictLines } from './folder/report';
import { readSites } from './sites';
import { totalsOf, totalsTable } from './totals';

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'instant' },
    cases: { type: 'string' },
    case: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    /** Prints the file of results in place of words. */
    json: { type: 'boolean', default: false },
  },
});

/** Words for people; with --json the output is for machines alone. */
function tell(words: string): void {
  if (!options.json) console.log(words);
}

/** Writes and, where machines read, prints what came out. */
function finish(name: string, report: string, results: object): void {
  const file = `.results/evals-${name}.json`;
  const text = JSON.stringify({ engine: options.engine, ...results }, null, 1);
  mkdirSync('.results', { recursive: true });
  writeFileSync(file, `${text}\n`);
  if (options.json) console.log(text);
  tell(`\n${report}\n\nWritten to ${file}.`);
}

async function runOwn(engine: Engine, name: string): Promise<void> {
  const cases = readSites(new URL('./cases/', import.meta.url))
    .flatMap(casesOf)
    .filter((one) => (options.all || !one.heldOut) && one.id.includes(options.case));
  const scores: CaseScore[] = [];
  for (const one of cases) {
    const score = scoreCase(one, await driveCase(one, engine));
    scores.push(score);
    tellScore(score);
  }
  const held = scores.filter((s) => s.heldOut);
  const work = scores.filter((s) => !s.heldOut);
  const groups = {
    work: totalsOf(work),
    ...(options.all ? { 'held out': totalsOf(held), all: totalsOf(scores) } : {}),
  };
  finish(name, totalsTable(groups), { groups, scores });
}

function tellScore(score: CaseScore): void {
  const cost = `${score.steps} steps, ${Math.round(score.tokens)} tokens, ${score.ms.toFixed(0)} ms`;
  tell(`${score.right ? 'ok  ' : 'FAIL'} ${score.id.padEnd(30)} ${cost}`);
  for (const words of score.dropped) tell(`       dropped silently: “${words}”`);
  for (const argument of score.invented) tell(`       invented: ${argument}`);
  for (const ask of score.falseDone) tell(`       told as done: ${ask}`);
  if (score.right && !options.verbose) return;
  for (const turn of score.turns) {
    tell(`       ${turn.ask}`);
    for (const difference of turn.differences) tell(`       ≠ ${inWords(difference)}`);
    for (const call of turn.calls) tell(`       → ${call.name} ${JSON.stringify(call.arguments)}`);
    if (turn.text !== '') tell(`       “${turn.text.slice(0, 200)}”`);
  }
}

function inWords({ kind, ...rest }: Difference): string {
  return `${kind} ${Object.values(rest)
    .map((value) => JSON.stringify(value))
    .join(' ')}`;
}

async function runFolder(folder: string, engine: Engine, name: string): Promise<void> {
  const cases = readFolder(folder).filter(({ id }) => id.includes(options.case));
  const verdicts: Verdict[] = [];
  for (const one of cases) {
    const [trace] = await driveScript(one.script, engine);
    if (!trace) throw new Error(`${one.id} has no turn`);
    const verdict = judgeCase(one, trace);
    verdicts.push(verdict);
    if (options.verbose || !verdict.fullyRight) tell(verdictLines(verdict).join('\n'));
  }
  const counts = countsOf(verdicts);
  finish(`${name}-${basename(resolve(folder))}`, reportOf(verdicts), { counts, cases: verdicts });
}

const engine = await createNamedEngine(options.engine);
await engine.load(undefined, () => {}, new AbortController().signal);
const engineName = basename(options.engine).replace(/\.[jt]s$/, '');
if (options.cases === undefined) await runOwn(engine, engineName);
else await runFolder(options.cases, engine, engineName);
await engine.unload();
