import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { installFakeModel } from '../../fixtures/prompt-api-fake';
import { Harness, until } from '../harness';

const OPTIONS = "{ expectedOutputs: [{ type: 'text', languages: ['en'] }] }";
const BUTTON = '[data-engine=prompt-api] [data-model=gemini-nano] button';

let harness: Harness;
let folder: string;
let missing: string | undefined;
/** Runs code in a page of the extension without the user's gesture that the harness lends otherwise. */
let evaluate: (expression: string) => Promise<unknown>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prompt-api-'));
  harness = await Harness.start({}, installFakeModel(folder, { missing: true }));
  const view = await harness.open(harness.url('/options.html'));
  const devtools = await view.createCDPSession();
  evaluate = async (expression) =>
    (
      await devtools.send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
        userGesture: false,
      })
    ).result.value;
  missing = await until(
    'a built-in model to download',
    async () => (await evaluate(`LanguageModel.availability(${OPTIONS})`)) === 'downloadable',
    5000,
  ).then(
    () => undefined,
    () => 'this Chromium has no stand-in for the built-in model',
  );
  if (missing) console.warn(`Prompt API download tests are skipped: ${missing}`);
});
afterAll(async () => {
  await harness?.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach((context) => {
  if (missing) context.skip(missing);
});

/** What the host answers to a request, or `undefined` where it does not within four seconds. */
function ask(method: string, params: object): Promise<unknown> {
  return evaluate(`new Promise((resolve) => {
    const port = chrome.runtime.connect({ name: 'pagehand-host' });
    port.onMessage.addListener((message) => {
      if (message.id === 1) resolve(message);
    });
    port.postMessage({ id: 1, method: '${method}', params: ${JSON.stringify(params)} });
    setTimeout(resolve, 4000);
  })`);
}

const status = async () =>
  (await ask('watch', { tabId: 1 })) as { value: { status: { engine: unknown } } };

test('without a click the host downloads nothing and says what to do', async () => {
  await until('the host', () => ask('storage', {}));
  expect(await ask('loadEngine', { engine: 'prompt-api' })).toMatchObject({
    ok: false,
    error: { text: expect.stringMatching(/click/i), said: { code: 'nano-needs-click' } },
  });
});

test('a click in a view begins it, and the host waits for it', async () => {
  const view = await harness.page('/options.html');
  await view.waitForSelector(BUTTON);
  await view.click(BUTTON);
  const loading = await until('the host to wait', async () => {
    const { value } = await status();
    return (value.status.engine as { state: string }).state === 'loading' && value.status.engine;
  });
  expect(loading).toMatchObject({ id: 'prompt-api' });
});
