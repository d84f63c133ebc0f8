/**
 * npm run eval -- --engine instant [--all] [--case TEXT] [--verbose]
 *
 * Runs the cases of `cases/` through the real loop and writes `.results/evals-<engine>.json`.
 * See docs/evals.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Engine } from '../../lib/agent/engine';
import { createInstant } from '../../lib/engines/instant';
import { driveCase } from '../../lib/evals/drive';
import { casesOf } from '../../lib/evals/format';
import { type CaseScore, type Difference, scoreCase } from '../../lib/evals/score';
import { readSites } from './sites';
import { totalsOf, totalsTable } from './totals';

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'instant' },
    case: { type: 'string' },
    all: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

async function engineOf(name: string): Promise<Engine> {
  if (name === 'instant') return createInstant();
  if (!/[./]/.test(name)) {
    throw new Error(
      `The engine "${name}" needs a browser. Here run "instant", or the path of a module that exports createEngine().`,
    );
  }
  const loaded: { createEngine?: () => Engine | Promise<Engine> } = await import(
    pathToFileURL(resolve(name)).href
  );
  if (!loaded.createEngine) throw new Error(`${name} exports no createEngine().`);
  return await loaded.createEngine();
}

function inWords({ kind, ...rest }: Difference): string {
  return `${kind} ${Object.values(rest)
    .map((value) => JSON.stringify(value))
    .join(' ')}`;
}

const engine = await engineOf(options.engine);
await engine.load(undefined, () => {}, new AbortController().signal);
const cases = readSites(new URL('./cases/', import.meta.url))
  .flatMap(casesOf)
  .filter((one) => (options.all || !one.heldOut) && one.id.includes(options.case ?? ''));
const scores: CaseScore[] = [];
for (const one of cases) {
  const score = scoreCase(one, await driveCase(one, engine));
  scores.push(score);
  const cost = `${score.steps} steps, ${Math.round(score.tokens)} tokens, ${score.ms.toFixed(0)} ms`;
  console.log(`${score.right ? 'ok  ' : 'FAIL'} ${one.id.padEnd(30)} ${cost}`);
  if (score.right && !options.verbose) continue;
  for (const turn of score.turns) {
    console.log(`       ${turn.ask}`);
    for (const difference of turn.differences) console.log(`       ≠ ${inWords(difference)}`);
    for (const call of turn.calls)
      console.log(`       → ${call.name} ${JSON.stringify(call.arguments)}`);
    if (turn.text !== '') console.log(`       “${turn.text.slice(0, 200)}”`);
  }
}
await engine.unload();

const held = scores.filter((s) => s.heldOut);
const work = scores.filter((s) => !s.heldOut);
const groups = {
  work: totalsOf(work),
  ...(options.all ? { 'held out': totalsOf(held), all: totalsOf(scores) } : {}),
};
console.log(`\n${totalsTable(groups)}`);
mkdirSync('.results', { recursive: true });
const file = `.results/evals-${basename(options.engine).replace(/\.[jt]s$/, '')}.json`;
writeFileSync(file, `${JSON.stringify({ engine: options.engine, groups, scores }, null, 1)}\n`);
console.log(`\nWritten to ${file}.`);
