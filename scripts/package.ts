import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

const ROOT = resolve(import.meta.dirname, '..');
const ENTRIES = ['index', 'tools', 'calls', 'agent', 'router'];
/** What the library needs at run time, in the versions of this repository. */
const DEPENDENCIES = [
  '@cfworker/json-schema',
  'chrono-node',
  'jsonrepair',
  're2js',
  'tokenx',
  'zod',
] as const;
/** Published for `import` alone, so the CommonJS build brings it along. */
const ESM_ONLY = ['tokenx'];

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  dependencies: Record<string, string>;
}

const isOf = (names: readonly string[], id: string): boolean =>
  names.some((name) => id === name || id.startsWith(`${name}/`));

/** Builds the npm package into `out`, which is emptied first. Rejects with what went wrong. */
export async function buildPackage(out = join(ROOT, '.output/package')): Promise<string> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await modules(join(out, 'esm'), 'es', DEPENDENCIES);
  await modules(
    join(out, 'cjs'),
    'cjs',
    DEPENDENCIES.filter((name) => !ESM_ONLY.includes(name)),
  );
  for (const name of ESM_ONLY) {
    const from = join(ROOT, 'node_modules', name, 'LICENSE');
    await cp(from, join(out, 'cjs/vendor', name, 'LICENSE'));
  }
  await globalRouter(join(out, 'global'));
  await declarations(out);
  await writeFile(join(out, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
  await cp(join(ROOT, 'LICENSE'), join(out, 'LICENSE'));
  await cp(join(ROOT, 'docs/library.md'), join(out, 'README.md'));
  return out;
}

/** One file a module, so that whoever bundles takes only what is imported. */
async function modules(
  outDir: string,
  format: 'es' | 'cjs',
  external: readonly string[],
): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      lib: {
        entry: Object.fromEntries(
          ENTRIES.map((name) => [`library/${name}`, join(ROOT, `library/${name}.ts`)]),
        ),
        formats: [format],
      },
      rolldownOptions: {
        external: (id) => isOf(external, id),
        output: {
          preserveModules: true,
          preserveModulesRoot: ROOT,
          // npm leaves folders called node_modules out of a package.
          entryFileNames: ({ name }) => `${name.replace('node_modules/', 'vendor/')}.js`,
        },
      },
    },
  });
  const type = format === 'es' ? 'module' : 'commonjs';
  await writeFile(
    join(outDir, 'package.json'),
    `${JSON.stringify({ type, sideEffects: false })}\n`,
  );
}

async function globalRouter(outDir: string): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      minify: 'oxc',
      lib: {
        entry: join(ROOT, 'library/router.ts'),
        formats: ['iife'],
        name: 'PagehandToolRouter',
        fileName: () => 'router.js',
      },
    },
  });
}

/** The same declarations for both builds; ES modules of Node want the endings of files. */
async function declarations(out: string): Promise<void> {
  const tsc = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      '-p',
      join(ROOT, 'library'),
      '--outDir',
      join(out, 'esm'),
    ],
    { encoding: 'utf8' },
  );
  if (tsc.status !== 0) throw new Error(`The declarations could not be written:\n${tsc.stdout}`);
  for (const file of await readdir(join(out, 'esm'), { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue;
    const text = await readFile(join(out, 'esm', file), 'utf8');
    const ended = text.replace(/((?:from |import\()['"]\.{1,2}\/[^'"]+)(['"])/g, '$1.js$2');
    for (const build of ['esm', 'cjs']) {
      const to = join(out, build, file);
      await mkdir(resolve(to, '..'), { recursive: true });
      await writeFile(to, ended);
    }
  }
}

async function manifest(): Promise<object> {
  const own: Manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const exported = (name: string) => ({
    import: { types: `./esm/library/${name}.d.ts`, default: `./esm/library/${name}.js` },
    require: { types: `./cjs/library/${name}.d.ts`, default: `./cjs/library/${name}.js` },
  });
  return {
    name: own.name,
    version: own.version,
    description: own.description,
    license: own.license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    main: './cjs/library/index.js',
    module: './esm/library/index.js',
    types: './cjs/library/index.d.ts',
    unpkg: './global/router.js',
    exports: {
      ...Object.fromEntries(
        ENTRIES.map((name) => [name === 'index' ? '.' : `./${name}`, exported(name)]),
      ),
      './router.global.js': './global/router.js',
      './package.json': './package.json',
    },
    files: ['esm', 'cjs', 'global'],
    dependencies: Object.fromEntries(
      DEPENDENCIES.map((name) => [name, own.dependencies[name] ?? '*']),
    ),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(await buildPackage());
}
