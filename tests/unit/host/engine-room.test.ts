import { afterEach, expect, test, vi } from 'vitest';
import type { Engine, ModelChoice } from '../../../lib/agent/engine';
import { createEngineRoom } from '../../../lib/host/engine-room';

const never = new AbortController().signal;

afterEach(() => vi.useRealTimers());

function room(installed: Record<string, boolean>, idle = 0) {
  const loads: (string | undefined)[] = [];
  let unloads = 0;
  const turn = { runs: false };
  const holds: { load?: Promise<void>; unload?: Promise<void> } = {};
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
    load: async (model) => {
      loads.push(model);
      await holds.load;
    },
    generate: () => expect.fail('not asked for'),
    countTokens: () => 0,
    unload: async () => {
      unloads++;
      await holds.unload;
    },
    deleteModel: async () => {},
  };
  const made = createEngineRoom({
    engines: [engine, { ...engine, id: 'instant', load: async () => {} }],
    onChange: () => {},
    idleMinutes: async () => idle,
    busy: () => turn.runs,
  });
  return { room: made, loads, unloads: () => unloads, turn, holds };
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

const minutes = (n: number) => vi.advanceTimersByTimeAsync(n * 60_000);

test('a model that nobody uses gives its memory back, also after its first load', async () => {
  vi.useFakeTimers();
  const { room: engines, unloads } = room({ small: true }, 15);
  await engines.use('wllama', 'small', never);
  await minutes(14);
  expect(unloads()).toBe(0);
  await minutes(2);
  expect(unloads()).toBe(1);
  expect(engines.state().state).toBe('unloaded');
});

test('a turn that waits for its user keeps its model; idle time counts from its end', async () => {
  vi.useFakeTimers();
  const { room: engines, unloads, turn } = room({ small: true }, 15);
  turn.runs = true;
  await engines.use('wllama', 'small', never);
  await minutes(40);
  expect(unloads()).toBe(0);
  turn.runs = false;
  engines.rest();
  await minutes(14);
  expect(unloads()).toBe(0);
  await minutes(2);
  expect(unloads()).toBe(1);
});

test('a long download is not idle time', async () => {
  vi.useFakeTimers();
  const { room: engines, holds } = room({ small: true, large: false }, 15);
  await engines.load('wllama', 'small');
  let arrived = () => {};
  holds.load = new Promise((resolve) => {
    arrived = resolve;
  });
  const loaded = engines.load('wllama', 'large');
  await minutes(60);
  arrived();
  await loaded;
  expect(engines.state()).toMatchObject({ model: 'large', state: 'ready' });
});

test('no turn is given an engine that is on its way out, and none loads before it is gone', async () => {
  const { room: engines, loads, holds } = room({ small: true });
  await engines.use('wllama', 'small', never);
  let gone = () => {};
  holds.unload = new Promise((resolve) => {
    gone = resolve;
  });
  const failed = engines.failed({ text: 'The graphics card was lost.' });
  const used = engines.use('wllama', 'small', never);
  await new Promise((resolve) => setTimeout(resolve));
  expect(loads).toEqual(['small']);
  gone();
  await failed;
  await used;
  expect(loads).toEqual(['small', 'small']);
});

test('deleting the model that an engine chose by itself unloads it first', async () => {
  const { room: engines, unloads } = room({ small: true });
  await engines.use('wllama', undefined, never);
  await engines.deleteModel('wllama', 'small');
  expect(unloads()).toBe(1);
});

test('the engine that needs no model works while another one is downloaded', async () => {
  const { room: engines, loads, holds } = room({ big: false });
  let arrive = () => {};
  holds.load = new Promise((resolve) => {
    arrive = resolve;
  });
  const loading = engines.load('wllama', 'big');
  await vi.waitFor(() => expect(loads).toEqual(['big']));
  expect((await engines.use('instant', undefined, never)).id).toBe('instant');
  expect(engines.state()).toMatchObject({ id: 'wllama', state: 'loading' });
  arrive();
  await loading;
  expect(engines.state()).toMatchObject({ id: 'wllama', state: 'ready' });
});
