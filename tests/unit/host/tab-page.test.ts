import { expect, it } from 'vitest';
import * as z from 'zod';
import { createTabPage } from '../../../lib/host/tab-page';
import { type callBackground, WorkerLostError } from '../../../lib/messages/background-api';
import { MisfitError } from '../../../lib/messages/misfit';
import type { JsonObject, PageTool } from '../../../lib/tools/tool';

const tool = { key: 'd/t', name: 't' } as PageTool;

/** A background whose answers are scripted; records what it was asked. */
function background(answers: (unknown | Error)[]) {
  const asked: { method: string; params: JsonObject }[] = [];
  const ask = (async (method: string, params: JsonObject) => {
    asked.push({ method, params });
    if (method === 'cancel') return null;
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    if (answer === undefined) return new Promise(() => {});
    return answer;
  }) as unknown as typeof callBackground;
  return { asked, ask };
}
let n = 0;
const newId = () => `id${n++}`;
const never = new AbortController().signal;

it('asks again under the same id when the worker ended in mid-call', async () => {
  const { asked, ask } = background([new WorkerLostError(true), { kind: 'result', value: 'done' }]);
  const outcome = await createTabPage(1, newId, ask).call(tool, { a: 1 }, never);
  expect(outcome).toEqual({ kind: 'result', value: 'done' });
  expect(asked).toHaveLength(2);
  expect(asked[1]?.params['callId']).toBe(asked[0]?.params['callId']);
  expect(asked.map((one) => one.params['again'])).toEqual([false, true]);
});

it('sends a call anew that no worker heard', async () => {
  const { asked, ask } = background([new WorkerLostError(false), { kind: 'result', value: 'x' }]);
  await createTabPage(1, newId, ask).call(tool, {}, never);
  expect(asked.map((one) => one.params['again'])).toEqual([false, false]);
});

it('notices a worker that ended without a word', async () => {
  // The first request is never answered, and the worker that is there knows nothing of it.
  const asked: { method: string; params: JsonObject }[] = [];
  const ask = (async (method: string, params: JsonObject) => {
    asked.push({ method, params });
    if (method === 'busyWith') return false;
    return asked.some((one) => one.params['again'] === true)
      ? { kind: 'result', value: 'late' }
      : new Promise(() => {});
  }) as unknown as typeof callBackground;
  expect(await createTabPage(1, newId, ask, 1).call(tool, {}, never)).toMatchObject({
    value: 'late',
  });
  expect(asked.filter(({ method }) => method === 'callTool')).toHaveLength(2);
});

it('waits for a worker that is still at it', async () => {
  let answer = (_value: unknown) => {};
  let checks = 0;
  const ask = (async (method: string) => {
    if (method !== 'busyWith')
      return new Promise((resolve) => {
        answer = resolve;
      });
    if (++checks === 5) answer({ kind: 'result', value: 'in the end' });
    return true;
  }) as unknown as typeof callBackground;
  expect(await createTabPage(1, newId, ask, 1).call(tool, {}, never)).toMatchObject({
    value: 'in the end',
  });
});

it('gives up after three lost workers and says that the call may have run', async () => {
  const { ask } = background([1, 2, 3].map(() => new WorkerLostError(true)));
  expect(await createTabPage(1, newId, ask).call(tool, {}, never)).toMatchObject({
    kind: 'error',
    mayHaveRun: true,
  });
});

it('never repeats a call that failed for another reason', async () => {
  const { asked, ask } = background([new Error('no such tab'), { kind: 'result', value: '!' }]);
  expect(await createTabPage(1, newId, ask).call(tool, {}, never)).toMatchObject({
    kind: 'error',
    message: 'no such tab',
    mayHaveRun: false,
  });
  expect(asked).toHaveLength(1);
});

it('a call whose outcome cannot be read was heard: it is not run again by itself', async () => {
  const misfit = new MisfitError('callTool', new z.ZodError([]));
  const { asked, ask } = background([misfit, { kind: 'result', value: '!' }]);
  expect(await createTabPage(1, newId, ask).call(tool, {}, never)).toMatchObject({
    kind: 'error',
    mayHaveRun: true,
  });
  expect(asked).toHaveLength(1);
});

it('wakes a tab once, however long that takes', async () => {
  const asked: string[] = [];
  let checks = 0;
  let awake = (_value: unknown) => {};
  const ask = (async (method: string) => {
    asked.push(method);
    if (method !== 'busyWith') return new Promise((resolve) => (awake = resolve));
    if (++checks === 5) awake(null);
    return true;
  }) as unknown as typeof callBackground;
  await createTabPage(1, newId, ask, 1).wake?.(never);
  expect(asked.filter((method) => method === 'wakeTab')).toHaveLength(1);
});

it('Stop ends the call at once, tells the page, and starts nothing afterwards', async () => {
  const { asked, ask } = background([]);
  const stop = new AbortController();
  const page = createTabPage(4, newId, ask);
  const call = page.call(tool, {}, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(call).rejects.toThrow('stopped');
  expect(asked.map((a) => a.method)).toEqual(['callTool', 'cancel']);
  expect(asked[1]?.params).toEqual({ tabId: 4, id: asked[0]?.params['callId'] });
  await expect(page.call(tool, {}, stop.signal)).rejects.toThrow('stopped');
  await expect(page.collect(stop.signal)).rejects.toThrow('stopped');
  expect(asked).toHaveLength(2);
});
