import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import puppeteer from 'puppeteer';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER_FLAGS, findBrowser } from '../../scripts/browser';
import { libraryDocs } from '../../scripts/library-docs';
import { buildPackage } from '../../scripts/package';
import { serveSite } from '../sites/serve';

const ROOT = resolve(import.meta.dirname, '../..');
let folder = '';
/** An empty project in which the packed library is installed. */
let project = '';

function run(command: string, args: string[], cwd: string): string {
  const ran = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(`${command} ${args.join(' ')}\n${ran.stdout}${ran.stderr}`);
  return ran.stdout.trim();
}

const node = (...args: string[]): string => run(process.execPath, args, project);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-'));
  project = join(folder, 'project');
  const built = await buildPackage(join(folder, 'package'));
  const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], built);
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  // The dependencies come from here, so that no registry is asked.
  const { dependencies } = JSON.parse(await readFile(join(built, 'package.json'), 'utf8'));
  const local = Object.keys(dependencies).map((name) => join(ROOT, 'node_modules', name));
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  run('npm', [...install, join(folder, packed), ...local], project);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a bundler makes of a few lines of the project, minified. */
async function bundled(code: string): Promise<string> {
  const entry = join(project, 'entry.js');
  await writeFile(entry, code);
  const result = await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: 'oxc',
      target: 'es2022',
      lib: { entry, formats: ['es'], fileName: 'out' },
    },
  });
  const [first] = Array.isArray(result) ? result : [result];
  const chunk = first && 'output' in first ? first.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error('nothing was bundled');
  // Vite leaves the blanks of ES libraries alone; a site's build does not.
  return chunk.code;
}

const kilobytes = (code: string): number => gzipSync(code).length / 1024;

describe('the packed library, installed into an empty project', () => {
  test('every example compiles against its types, as ES modules of Node', async () => {
    await cp(join(ROOT, 'library/examples'), join(project, 'examples'), { recursive: true });
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2022',
          lib: ['es2024', 'dom'],
          strict: true,
          noEmit: true,
          types: [],
        },
        include: ['examples'],
      }),
    );
    expect(node(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.')).toBe('');
  });

  test('docs/library.md is what `npm run docs:library` writes', async () => {
    expect(await readFile(join(ROOT, 'docs/library.md'), 'utf8')).toBe(libraryDocs());
  });

  test('is imported from ES modules, by every subpath', () => {
    const code = `
      import * as all from 'pagehand';
      for (const part of ['tools', 'calls', 'agent', 'router']) {
        for (const name of Object.keys(await import('pagehand/' + part)))
          if (!(name in all)) throw new Error(name);
      }
      console.log(all.rankTools([{ name: 'pay', description: '' }], 'pay')[0].name);`;
    expect(node('--input-type=module', '-e', code)).toBe('pay');
  });

  test('is required from CommonJS, by every subpath', () => {
    const code = `
      const all = require('pagehand');
      for (const part of ['tools', 'calls', 'agent', 'router'])
        for (const name of Object.keys(require('pagehand/' + part)))
          if (!(name in all)) throw new Error(name);
      const { calls } = all.parseToolCalls('<tool_call>{"name":"pay"', new Set(['pay']));
      console.log(calls[0].name);`;
    expect(node('--input-type=commonjs', '-e', code)).toBe('pay');
  });

  test('a bundler takes only what is imported', async () => {
    const rank = await bundled("export { rankTools } from 'pagehand';");
    expect(kilobytes(rank)).toBeLessThan(5);
    const router = await bundled("export { createToolRouter } from 'pagehand/router';");
    expect(kilobytes(router)).toBeLessThan(25);
    const global = await readFile(join(project, 'node_modules/pagehand/global/router.js'), 'utf8');
    expect(kilobytes(global)).toBeLessThan(25);
  });

  test('has no code of the extension or the repository in it', async () => {
    const root = join(project, 'node_modules/pagehand');
    const files = await readdir(root, { recursive: true });
    expect(
      files.filter((file) => /(^|\/)(host|page|messages|settings|tests)\//.test(file)),
    ).toEqual([]);
    for (const file of files.filter((name) => name.endsWith('.js'))) {
      const code = await readFile(join(root, file), 'utf8');
      expect(code, file).not.toMatch(/\b(chrome|browser)\.(runtime|storage|tabs|scripting)\b/);
    }
  });

  test('a page answers with its own tools, and takes the router as one script', async () => {
    const page = join(project, 'site');
    await mkdir(page, { recursive: true });
    await cp(join(ROOT, 'docs/recipes/agent-on-your-page.html'), join(page, 'index.html'));
    await build({ root: page, configFile: false, logLevel: 'error', build: { target: 'esnext' } });
    await cp(join(project, 'node_modules/pagehand/global/router.js'), join(page, 'dist/router.js'));
    const site = await serveSite(join(page, 'dist'));
    const browser = await puppeteer.launch({
      executablePath: await findBrowser(),
      args: [...BROWSER_FLAGS, '--enable-features=WebMCP'],
    });
    try {
      const tab = await browser.newPage();
      await tab.goto(site.origin);
      await tab.locator('button').click();
      await tab.waitForFunction(() => document.querySelector('output')?.textContent !== '');
      expect(await tab.$eval('output', (output) => output.textContent)).toBe('Open from 9 to 18.');
      await tab.addScriptTag({ url: `${site.origin}/router.js` });
      const chosen = await tab.evaluate(
        `PagehandToolRouter.routeTools([{ name: 'pay' }, { name: 'open' }], 'pay', { maxTools: 1 }).tools[0].name`,
      );
      expect(chosen).toBe('pay');
    } finally {
      await browser.close();
      await site.close();
    }
  });
});
