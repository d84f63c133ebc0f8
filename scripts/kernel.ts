/** `npm run kernel`: builds the reader's arithmetic with clang; the result is committed. */
import { spawnSync } from 'node:child_process';

const { status, error } = spawnSync(
  'clang',
  [
    '--target=wasm32',
    '-O3',
    '-msimd128',
    '-nostdlib',
    '-ffast-math',
    '-Wl,--no-entry',
    '-Wl,--strip-all',
    '-o',
    'public/reader/kernel.wasm',
    'lib/reader/kernel/kernel.c',
  ],
  { stdio: 'inherit' },
);
if (error) console.error('clang with lld is needed: apt-get install clang lld');
process.exit(status ?? 1);
