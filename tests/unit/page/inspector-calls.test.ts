import { beforeEach, describe, expect, test } from 'vitest';
import { type Unstamped, watchCalls } from '../../../lib/page/inspector/calls';

type Call = Extract<Unstamped, { kind: 'called' }>;
type End = Extract<Unstamped, { kind: 'ended' }>;

const never = new AbortController().signal;
const PAGE = {
  pagehand: false,
  places: [{ fn: '', url: 'https://a.test/x.js', line: 1, column: 1 }],
};
const OURS = { pagehand: true, places: [] };

describe('whose a call is', () => {
  let told: Unstamped[];
  let who: typeof PAGE | typeof OURS;
  let calls: ReturnType<typeof watchCalls>;
  beforeEach(() => {
    told = [];
    who = PAGE;
    calls = watchCalls(
      (entry) => told.push(entry),
      () => who,
    );
  });
  const begun = () =>
    told
      .filter((entry): entry is Call => entry.kind === 'called')
      .map(({ tool, by, args }) => `${by} ${tool} ${args?.text ?? '?'}`);
  const ends = () =>
    told
      .filter((entry): entry is End => entry.kind === 'ended')
      .map(({ outcome, said }) => `${outcome} ${said?.text ?? ''}`.trim());
  const ask = (tool: string, inner: () => unknown, more: object = {}) =>
    calls.asked(inner, undefined, [], { tool, input: { a: 1 }, elsewhere: false, ...more }, true);
  const tool = (name: string, execute: (input: unknown) => unknown) =>
    calls.seen({ name, execute }, name, true, never);
  const later = <T>(work: () => T) => new Promise<T>((done) => setTimeout(() => done(work())));

  test('a page’s, seen in three places, is one', async () => {
    const add = tool('add', () => 3);
    await ask('add', () =>
      later(() => {
        const value = add.execute({ a: 1 });
        calls.activated('add');
        return `${value}`;
      }),
    );
    expect(begun()).toEqual(['page add {"a":1}']);
    expect(ends()).toEqual(['result 3']);
  });

  test('a failed one has what the tool threw, not what its caller got', async () => {
    const bad = tool('bad', () => {
      throw new Error('the reason');
    });
    const asked = ask('bad', async () => {
      await later(() => {});
      try {
        bad.execute({});
      } catch {
        throw new Error('stock phrase');
      }
    });
    await expect(asked).rejects.toThrow('stock phrase');
    expect(ends()).toEqual(['error the reason']);
  });

  test('one that its caller gave up is cancelled', async () => {
    const stop = new AbortController();
    const asked = ask('slow', () => later(() => {}).then(() => Promise.reject(new Error('gone'))), {
      signal: stop.signal,
    });
    stop.abort();
    await expect(asked).rejects.toThrow('gone');
    expect(ends()).toEqual(['cancelled gone']);
  });

  test('Pagehand’s own is nobody’s, by whichever way it comes', async () => {
    const add = tool('add', () => 3);
    who = OURS;
    add.execute({ a: 1 });
    await ask('form', async () => calls.activated('form'));
    expect(told).toEqual([]);
  });

  test('somebody else’s shows with what it gave and got, or as a mere fact', () => {
    who = { pagehand: false, places: [] };
    const add = tool('add', () => ({ sum: 3 }));
    add.execute({ a: 1, b: 2 });
    calls.activated('add');
    calls.activated('form');
    calls.cancelled('form');
    expect(begun()).toEqual(['other add {"a":1,"b":2}', 'other form ?']);
    expect(ends()).toEqual(['result {"sum":3}', 'cancelled']);
  });

  test('a page’s and somebody else’s of one tool, at once, are two', async () => {
    const add = tool('add', () => 3);
    const asked = ask('add', () => later(() => add.execute({ a: 1 })));
    await asked;
    calls.activated('add');
    who = { pagehand: false, places: [] };
    add.execute({ a: 9 });
    calls.activated('add');
    expect(begun()).toEqual(['page add {"a":1}', 'other add {"a":9}']);
  });

  test('a tool that calls a tool: both are the page’s', async () => {
    const inner = tool('inner', () => 'in');
    const outer = tool('outer', () => ask('inner', async () => inner.execute({ a: 1 })));
    await ask('outer', async () => outer.execute({ a: 1 }));
    expect(begun()).toEqual(['page outer {"a":1}', 'page inner {"a":1}']);
    expect(ends()).toEqual(['result in', 'result in']);
  });

  test('one that another frame has told of is not told again', async () => {
    const add = tool('add', () => 3);
    calls.claim('add');
    who = { pagehand: false, places: [] };
    add.execute({ a: 1 });
    calls.activated('add');
    expect(told).toEqual([]);
    add.execute({ a: 2 });
    expect(begun()).toEqual(['other add {"a":2}']);
  });

  test('what a page’s own context asks the browser’s is the same call', async () => {
    const native = () => ask('add', async () => 'ok');
    const asked = calls.asked(
      () => later(() => {}).then(native),
      undefined,
      [],
      { tool: 'add', input: { a: 1 }, elsewhere: false },
      false,
    );
    expect(await asked).toBe('ok');
    expect(begun()).toEqual(['page add {"a":1}']);
  });

  test('once it has given way a tool only runs', () => {
    const stop = new AbortController();
    const { execute } = calls.seen({ execute: () => 5 }, 'add', true, stop.signal);
    stop.abort();
    expect(execute()).toBe(5);
    expect(told).toEqual([]);
  });
});
