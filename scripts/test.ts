/**
 * `npm test`: lint, types, unit, build, end-to-end, in this order; stops at the first step that
 * fails and closes with one line, `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import * as z from 'zod';
import { findBrowser } from './browser';

const Report = z.object({ numPassedTests: z.number(), numFailedTests: z.number() });
const env = { ...process.env, CHROME_PATH: await findBrowser() };
let passed = 0;
let failed = 0;

function run(name: string, command: string[]): boolean {
  const start = Date.now();
  console.log(`\n== ${name}: ${command.join(' ')}`);
  const { status } = spawnSync('npx', ['--no-install', ...command], { stdio: 'inherit', env });
  const seconds = Math.round((Date.now() - start) / 1000);
  console.log(`== ${name} ${status === 0 ? 'ok' : 'FAILED'}, ${seconds} s`);
  return status === 0;
}

function tests(project: string): boolean {
  const file = `.results/${project}.json`;
  rmSync(file, { force: true });
  const ok = run(project, [
    'vitest',
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  if (!existsSync(file)) {
    failed++;
    return false;
  }
  const report = Report.parse(JSON.parse(readFileSync(file, 'utf8')));
  passed += report.numPassedTests;
  // A suite that dies before its tests counts as one failure: it must never look green.
  failed += report.numFailedTests || (ok ? 0 : 1);
  return ok && report.numPassedTests > 0;
}

mkdirSync('.results', { recursive: true });
const ok =
  run('lint', ['biome', 'ci', '.']) &&
  // Writes the TypeScript settings that everything after it reads.
  run('prepare', ['wxt', 'prepare']) &&
  run('dead code', ['knip']) &&
  run('types', ['tsc', '--noEmit']) &&
  tests('unit') &&
  run('build', ['wxt', 'build']) &&
  tests('e2e');
if (!ok && failed === 0) failed = 1;
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(ok ? 0 : 1);
