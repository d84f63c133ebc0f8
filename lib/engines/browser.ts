import type { Engine } from '../agent/engine';
import { pause } from '../agent/stop';
import { builtInModel } from './browser-model';
import { browserModelStore } from './downloads/browser-store';
import { browserMachine } from './machine';
import { createPromptApi } from './prompt-api';
import { createWebLlm } from './web-llm';
import { createWllama } from './wllama';

export interface BrowserEngineDeps {
  /** Address of a file of the package (`chrome.runtime.getURL`). */
  resource(path: string): string;
  /** Base address that stands for the model hub, from the settings. */
  mirror(): string | undefined;
}

/** The engines that run models, wired to this document. Nothing heavy is loaded until it is asked for. */
export function createBrowserEngines(deps: BrowserEngineDeps): Engine[] {
  const machine = browserMachine();
  const store = browserModelStore();
  const { storage } = navigator;
  const now = () => performance.now();
  return [
    createWebLlm({
      machine,
      caches,
      fetch: (...args) => fetch(...args),
      sleep: pause,
      scratch: async () =>
        (await storage.getDirectory()).getDirectoryHandle('unfinished', { create: true }),
      estimate: () => storage.estimate(),
      persist: () => storage.persist(),
      mirror: deps.mirror,
      now,
      loadModule: () => import('@mlc-ai/web-llm'),
      libraries: () => packagedLibraries(deps.resource('/model-libs/index.json')),
      libraryUrl: (name) => deps.resource(`/model-libs/${name}`),
    }),
    createPromptApi({
      languageModel: builtInModel,
      language: () => navigator.language,
      now,
      sleep: pause,
    }),
    createWllama({
      store,
      machine,
      wasmUrl: deps.resource('/wllama.wasm'),
      loadModule: () => import('@wllama/wllama'),
      sleep: pause,
      mirror: deps.mirror,
      now,
      wasmSupported: hasJspiAndMemory64,
    }),
  ];
}

/** What the build put beside this code; see `modules/engine-assets.ts`. */
async function packagedLibraries(index: string): Promise<string[]> {
  const names: unknown = await (await fetch(index)).json();
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** A module with a 64-bit memory: magic, version, one memory section (flags 4 = 64-bit, 0 pages). */
const MEMORY64 = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 4, 0);

function hasJspiAndMemory64(): boolean {
  return 'Suspending' in WebAssembly && WebAssembly.validate(MEMORY64);
}
