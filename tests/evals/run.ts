/**
 * npm run eval -- --engine instant [--all] [--case TEXT] [--strategy single|conductor] [--verbose]
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
import { driveCase } from './drive';
import { casesOf, readSites } from './format';
import { type CaseScore, scoreCase } from './score';
import { totalsOf, totalsTable } from './totals';

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'instant' },
    strategy: { type: 'string', default: 'auto' },
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

const { strategy } = options;
if (strategy !== 'auto' && strategy !== 'single' && strategy !== 'conductor') {
  throw new Error(`--strategy is auto, single or conductor, not "${strategy}".`);
}
const engine = await engineOf(options.engine);
await engine.load(undefined, () => {}, new AbortController().signal);
const cases = readSites(new URL('./cases/', import.meta.url))
  .flatMap(casesOf)
  .filter((one) => (options.all || !one.heldOut) && one.id.includes(options.case ?? ''));
const scores: CaseScore[] = [];
for (const one of cases) {
  const score = scoreCase(one, await driveCase(one, engine, { settings: { strategy } }));
  scores.push(score);
  const cost = `${score.steps} steps, ${Math.round(score.tokens)} tokens, ${score.ms.toFixed(0)} ms`;
  console.log(`${score.right ? 'ok  ' : 'FAIL'} ${one.id.padEnd(30)} ${cost}`);
  if (!score.right)
    console.log(`       ${one.turns.map((t) => t.ask).join(' // ')}\n       ${score.why}`);
  if (options.verbose || !score.right) {
    for (const call of score.calls)
      console.log(`       → ${call.name} ${JSON.stringify(call.arguments)}`);
    if (score.text !== '') console.log(`       “${score.text.slice(0, 200)}”`);
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
writeFileSync(
  file,
  `${JSON.stringify({ engine: options.engine, strategy, groups, scores }, null, 1)}\n`,
);
console.log(`\nWritten to ${file}.`);
