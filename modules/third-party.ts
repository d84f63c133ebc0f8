import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Plugin } from 'vite';
import { addViteConfig, defineWxtModule } from 'wxt/modules';

/** What packages bring along that has no folder of its own. */
const WITHIN: Record<string, string[]> = {
  '@wllama/wllama': ['llama.cpp and ggml, MIT License, Copyright (c) 2023-2026 The ggml authors'],
  '@mlc-ai/web-llm': [
    'the Apache TVM web runtime, Apache License 2.0, Copyright The Apache Software Foundation',
    'loglevel, MIT License, Copyright (c) 2013 Tim Perry',
  ],
};
/** Shipped as a file, not bundled. */
const BESIDE = ['@wllama/wllama'];
const LICENCE_FILE = /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i;

/**
 * Writes `THIRD-PARTY.txt` into the package: the licence of every package that any of its scripts
 * contains, as the build itself tells, with the texts their authors wrote.
 */
export default defineWxtModule((wxt) => {
  const folders = new Set(BESIDE.map((name) => join(wxt.config.root, 'node_modules', name)));
  const collect: Plugin = {
    name: 'third-party',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const id of chunk.moduleIds) {
          const folder = packageFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
      }
    },
  };
  addViteConfig(wxt, () => ({ plugins: [collect] }));
  wxt.hook('build:done', async () => {
    const own = readFileSync(join(wxt.config.root, 'LICENSE'), 'utf8');
    const parts = [...folders].sort().map(licenceOf);
    const text = [`Pagehand\n\n${own.trim()}`, ...parts].join(`\n\n${'='.repeat(78)}\n\n`);
    await writeFile(join(wxt.config.outDir, 'THIRD-PARTY.txt'), `${text}\n`);
  });
});

/** The folder of the package that a module is of: the innermost one. */
function packageFolder(id: string): string | undefined {
  const [path = ''] = id.replace(/^\0/, '').split('?', 1);
  const mark = `${sep}node_modules${sep}`;
  const at = path.lastIndexOf(mark);
  if (at < 0) return undefined;
  const [scope = '', name = ''] = path.slice(at + mark.length).split(sep);
  const folder =
    path.slice(0, at + mark.length) + (scope.startsWith('@') ? join(scope, name) : scope);
  return existsSync(join(folder, 'package.json')) ? folder : undefined;
}

function licenceOf(folder: string): string {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { name: string; version: string; license?: string; author?: string | { name?: string } };
  if (license === undefined) throw new Error(`${name} names no licence`);
  const files = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .sort();
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const by = typeof author === 'string' ? author : author?.name;
  const within = (WITHIN[name] ?? []).map((part) => `It contains ${part}.`);
  const head = `${name} ${version}\nLicence: ${license}${texts.length === 0 && by ? `\nCopyright: ${by}` : ''}`;
  return [head, ...within, ...texts].join('\n\n');
}
