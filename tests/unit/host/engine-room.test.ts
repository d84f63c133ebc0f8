import { expect, test } from 'vitest';
import type { Engine, ModelChoice } from '../../../lib/agent/engine';
import { createEngineRoom } from '../../../lib/host/engine-room';

const never = new AbortController().signal;

function room(installed: Record<string, boolean>) {
  const loads: (string | undefined)[] = [];
  const models = Object.entries(installed).map(
    ([id, there]): ModelChoice => ({
      id,
      label: id,
      sizeBytes: 1,
      contextWindow: 1,
      dialect: 'hermes',
      installed: there,
    }),
  );
  const engine: Engine = {
    id: 'wllama',
    dialect: 'hermes',
    contextWindow: 1,
    describe: async () => ({ id: 'wllama', label: 'llama.cpp', available: true, models }),
    load: async (model) => void loads.push(model),
    generate: () => expect.fail('not asked for'),
    countTokens: () => 0,
    unload: async () => {},
  };
  const made = createEngineRoom({
    engines: [engine],
    onChange: () => {},
    idleMinutes: async () => 0,
  });
  return { room: made, loads };
}

test('a turn starts a model that is on the machine', async () => {
  const { room: engines, loads } = room({ small: true });
  await engines.use('wllama', 'small', never);
  expect(loads).toEqual(['small']);
});

test.each([
  [{ small: false }, 'small'],
  [{ small: true }, 'https://elsewhere.test/large.gguf'],
  [{ small: false }, undefined],
])('a turn never downloads: %j has no %s', async (installed, model) => {
  const { room: engines, loads } = room(installed);
  await expect(engines.use('wllama', model, never)).rejects.toMatchObject({ kind: 'not-loaded' });
  expect(loads).toEqual([]);
});

test('a click downloads', async () => {
  const { room: engines, loads } = room({ small: false });
  await engines.load('wllama', 'small');
  expect(loads).toEqual(['small']);
  // Once it is ready, turns use it.
  await engines.use('wllama', 'small', never);
});
