import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { LaunchOptions, Page } from 'puppeteer';
import { build } from 'vite';
import type { GenerateRequest } from '../../../../lib/agent/engine';
import type { StoredModel } from '../../../../lib/engines/downloads/model';
import { stripRemoteCode } from '../../../../scripts/strip-remote-code';
import { Harness, until } from '../../harness';
import type { Lab } from './main';

const BUILT = resolve(import.meta.dirname, '../../../../.output/chrome-mv3');

/**
 * The built extension with one more page, which serves as its offscreen document and lets tests drive
 * the engines there. The product's own files are those of the production build.
 */
export class EngineLab {
  private constructor(
    readonly harness: Harness,
    private readonly page: Page,
    private readonly folder: string,
  ) {}

  /** @param libraries model libraries of web-llm, as a build with `PAGEHAND_MODEL_LIBS` would have */
  static async start(
    options: LaunchOptions = {},
    libraries: Record<string, Uint8Array> = {},
    prepare: (folder: string) => void = () => {},
  ): Promise<EngineLab> {
    const folder = mkdtempSync(join(tmpdir(), 'engine-lab-'));
    cpSync(BUILT, folder, { recursive: true });
    const names = Object.keys(libraries);
    for (const name of names)
      writeFileSync(join(folder, 'model-libs', name), libraries[name] ?? '');
    writeFileSync(join(folder, 'model-libs/index.json'), JSON.stringify(names));
    prepare(folder);
    await build({
      configFile: false,
      logLevel: 'error',
      root: import.meta.dirname,
      base: '/lab/',
      plugins: [stripRemoteCode()],
      build: {
        outDir: join(folder, 'lab'),
        emptyOutDir: true,
        chunkSizeWarningLimit: 10_000,
        minify: false,
      },
    });
    const harness = await Harness.start({}, { enableExtensions: [folder], ...options });
    return new EngineLab(harness, await openLab(harness), folder);
  }

  /** Calls a function of the lab in the offscreen document. */
  call<K extends keyof Lab>(
    name: K,
    ...args: Lab[K] extends (...a: infer A) => unknown ? A : never
  ): Promise<Lab[K] extends (...a: never) => infer R ? Awaited<R> : never> {
    return this.page.evaluate(
      `lab.${name}(...${JSON.stringify(args).replaceAll('null', 'undefined')})`,
    ) as never;
  }

  evaluate<T>(expression: string): Promise<T> {
    return this.page.evaluate(expression) as Promise<T>;
  }

  /**
   * A new host document: what was in memory is gone, as after a restart of the browser.
   * @param first code that runs in it before anything else
   */
  async restart(first?: string): Promise<void> {
    const added = first === undefined ? undefined : await this.page.evaluateOnNewDocument(first);
    await this.page.reload();
    await until('the lab', () => this.page.evaluate('typeof lab === "object"'));
    if (added) await this.page.removeScriptToEvaluateOnNewDocument(added.identifier);
  }

  /** Workers that run now, theirs included. */
  workers(): number {
    return this.page.workers().length;
  }

  /** Hands a file to the store as an options page would, from a page of its own. */
  async importFile(name: string, bytes: Uint8Array): Promise<StoredModel> {
    const view = await this.harness.open(this.harness.url('/lab/index.html'));
    try {
      return (await view.evaluate(
        `(async () => {
          const bytes = Uint8Array.from(atob(${JSON.stringify(Buffer.from(bytes).toString('base64'))}), (c) => c.charCodeAt(0));
          return lab.importFile(new File([bytes], ${JSON.stringify(name)}));
        })()`,
      )) as StoredModel;
    } finally {
      await view.close();
    }
  }

  async stop(): Promise<void> {
    await this.harness.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function openLab(harness: Harness): Promise<Page> {
  const worker = await harness.worker();
  await worker.evaluate(`(async () => {
    if (await chrome.offscreen.hasDocument()) await chrome.offscreen.closeDocument();
    await chrome.offscreen.createDocument({ url: 'lab/index.html', reasons: ['WORKERS'], justification: 'test' });
  })()`);
  const target = await harness.browser.waitForTarget((t) => t.url().endsWith('/lab/index.html'));
  const page = await target.asPage();
  await until('the lab', () => page.evaluate('typeof lab === "object"'));
  return page;
}

export function request(user: string, more: Partial<GenerateRequest> = {}): GenerateRequest {
  return {
    system: 'You help on this page.',
    messages: [{ role: 'user', content: user }],
    tools: [],
    facts: {},
    maxTokens: 200,
    ...more,
  };
}
