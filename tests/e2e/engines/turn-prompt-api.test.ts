import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { EngineDescription } from '../../../lib/agent/engine';
import { installFakeModel } from '../../fixtures/prompt-api-fake';
import { drive } from '../chat/panel';
import { Harness, until } from '../harness';
import { openHost } from './host';

/** A page with one tool. */
const CLOCK = `<!doctype html><html lang="en"><title>Clock</title><h1>Clock</h1><script>
  (document.modelContext ?? navigator.modelContext).registerTool({
    name: 'read_clock',
    description: 'Read the clock.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    execute: () => 'Half past nine',
  });
</script></html>`;

let harness: Harness;
let host: Awaited<ReturnType<typeof openHost>>;
let folder: string;
let missing: string | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prompt-api-'));
  harness = await Harness.start({ '/': CLOCK }, installFakeModel(folder));
  host = await openHost(harness);
  missing = await until(
    'the built-in model',
    async () => {
      const engines = (await host.call('describeEngines', {})) as EngineDescription[];
      return engines.find((engine) => engine.id === 'prompt-api')?.available;
    },
    5000,
  ).then(
    () => undefined,
    () => 'this Chromium has no stand-in for the built-in model',
  );
  if (missing) console.warn(`Prompt API tests are skipped: ${missing}`);
});
afterAll(async () => {
  await harness?.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach((context) => {
  if (missing) context.skip(missing);
});

test('a whole turn with Chrome’s model: prompt, constrained reply, answer', async () => {
  await host.set({ engine: 'prompt-api' });
  const page = await harness.open(`${harness.origin}/`);
  const chat = drive(await harness.sidePanel(page));
  await until('one tool on the chip', async () => /\b1\b/.test(await chat.chip()));
  await chat.ask('What time is it?');
  expect(await chat.ended()).toBe('answered');
  const replies = (await host.events(`${harness.origin}/`)).filter(
    (event) => event.type === 'model-replied',
  );
  expect(replies).toHaveLength(1);
  // The stand-in repeats what it read, and ends with the smallest reply the constraint allows.
  const raw = replies[0]?.raw ?? '';
  expect(raw).toContain('read_clock(): Read the clock.');
  expect(raw).toContain('User: What time is it?');
  expect(JSON.parse(raw.slice(raw.lastIndexOf('{')))).toEqual({ type: 'message', text: '' });
});
