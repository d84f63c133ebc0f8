import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { addViteConfig, defineWxtModule } from 'wxt/modules';
import { stripRemoteCode } from '../scripts/strip-remote-code';

/** Folder with the model libraries of web-llm (`*.wasm`) that this build shall contain. */
const LIBRARIES = 'PAGEHAND_MODEL_LIBS';

/**
 * Ships everything the engines execute within the package: llama.cpp's WebAssembly, and the model
 * libraries of web-llm from the folder named by `PAGEHAND_MODEL_LIBS`, listed in an index that the
 * engine reads. Takes the addresses of code on content networks out of the bundle.
 */
export default defineWxtModule((wxt) => {
  const wllama = dirname(createRequire(import.meta.url).resolve('@wllama/wllama'));
  const folder = process.env[LIBRARIES];
  const libraries = folder
    ? readdirSync(folder).filter((name) => name.endsWith('.wasm') && isWasm(join(folder, name)))
    : [];
  wxt.hook('build:publicAssets', (_, files) => {
    files.push({ absoluteSrc: join(wllama, 'wasm/wllama.wasm'), relativeDest: 'wllama.wasm' });
    files.push({ contents: JSON.stringify(libraries), relativeDest: 'model-libs/index.json' });
    for (const name of libraries) {
      files.push({
        absoluteSrc: resolve(folder ?? '', name),
        relativeDest: `model-libs/${name}`,
      });
    }
  });
  addViteConfig(wxt, () => ({ plugins: [stripRemoteCode()] }));
});

function isWasm(path: string): boolean {
  return readFileSync(path)
    .subarray(0, 4)
    .equals(Buffer.from([0, 0x61, 0x73, 0x6d]));
}
