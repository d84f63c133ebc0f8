import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBatch } from '../../../lib/page/inspector/check';
import { cutJson } from '../../../lib/page/inspector/cut';
import {
  EMPTY_PAGE_LOG,
  type InspectedDocument,
  type PageLog,
  withEntries,
  withoutDocument,
} from '../../../lib/page/inspector/event';
import { panelPage, tabOfPanel } from '../../../lib/page/inspector/panel-page';
import { callerOf, readStack } from '../../../lib/page/inspector/stack';
import { changesBetween } from '../../../lib/page/inspector/tools';
import { MAX_ENTRY, type PageEntry } from '../../../lib/page/inspector/wire';
import { watchOutcome, withMember, wrapMethod } from '../../../lib/page/inspector/wrap';

describe('who called, by the stack', () => {
  const base = 'chrome-extension://abc/';
  const self = `${base}content-scripts/page-inspector.js`;
  const shim = `${base}content-scripts/page-shim.js`;

  test.each([
    ['    at add (https://a.test/x.js:3:14)', { fn: 'add', url: 'https://a.test/x.js' }],
    ['    at https://a.test/x.js:3:14', { fn: '', url: 'https://a.test/x.js' }],
    ['    at async Shop.add [as run] (file:///x.js:3:14)', { fn: 'Shop.add [as run]' }],
    ['    at add (https://a.test/(x).js?q=1:2:3:14)', { url: 'https://a.test/(x).js?q=1:2' }],
    [
      '    at eval (eval at load (https://a.test/x.js:3:14), <anonymous>:1:1)',
      { fn: 'eval', url: 'https://a.test/x.js' },
    ],
  ])('%s', (line, place) => {
    expect(readStack(`Error: no place\n${line}`)).toMatchObject([
      { ...place, line: 3, column: 14 },
    ]);
  });

  test('what has no place is passed over, and any text can be read', () => {
    expect(readStack('Error: x\n    at new Promise (<anonymous>)\n    at native')).toEqual([]);
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), (text) => {
        for (const { line, column } of readStack(`    at ${text}`))
          expect([line, column].every(Number.isInteger)).toBe(true);
      }),
    );
  });

  test('Pagehand’s own scripts are not the page', () => {
    const at = (url: string) => `    at f (${url}:1:1)`;
    const page = 'https://a.test/x.js';
    const caller = (...urls: string[]) => callerOf(urls.map(at).join('\n'), base, self);
    expect(caller(self, page)).toMatchObject({ pagehand: false, places: [{ url: page }] });
    expect(caller(self, shim)).toEqual({ pagehand: true, places: [] });
    expect(caller(self, shim, page)).toMatchObject({ pagehand: true, places: [{ url: page }] });
    expect(caller(self)).toEqual({ pagehand: false, places: [] });
    expect(caller(self, ...Array.from({ length: 25 }, () => page)).places).toHaveLength(8);
  });
});

describe('values of the page', () => {
  test('are cut in width, depth and length while they are written', () => {
    expect(cutJson({ a: [1, 'x', null, true], b: { c: undefined } }, 100).text).toBe(
      '{"a":[1,"x",null,true],"b":{}}',
    );
    expect(cutJson('plain', 100)).toEqual({ text: 'plain', length: 5 });
    expect(cutJson(undefined, 100).text).toBe('undefined');
    expect(cutJson({ at: new Date(0) }, 100).text).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
    expect(cutJson([12n, Symbol('s')], 100).text).toBe('["12","Symbol(s)"]');
    const wide = cutJson(
      Array.from({ length: 1e6 }, () => 'x'.repeat(50)),
      4000,
    );
    expect(wide.text).toMatch(/"…"\]$/);
    expect(cutJson('x'.repeat(1e6), 4000)).toMatchObject({ length: 1e6 });
    expect(cutJson('x'.repeat(1e6), 4000).text).toHaveLength(4000);
    let deep: unknown = 1;
    for (let n = 0; n < 50_000; n++) deep = { deep };
    expect(cutJson(deep, 4000).text).toMatch(/"…"/);
    const circle: Record<string, unknown> = {};
    circle['in'] = circle;
    expect(cutJson(circle, 4000).text).toMatch(/"…"/);
  });

  test('never throw, whatever they do when they are read', () => {
    const bad = {
      get a() {
        throw new Error('no');
      },
    };
    expect(cutJson(bad, 100).text).toBe('…');
    expect(cutJson(new Proxy({}, { ownKeys: () => [], getPrototypeOf: () => null }), 9).text).toBe(
      '{}',
    );
    expect(cutJson(JSON.parse('{"__proto__":{"x":1}}'), 99).text).toBe('{"__proto__":{"x":1}}');
  });
});

describe('wrapping', () => {
  const around = (inner: (...args: unknown[]) => unknown, self: unknown, args: unknown[]) =>
    `wrapped ${Reflect.apply(inner, self, args)}`;

  test('a method is wrapped where it is defined, once, and put back', () => {
    class Context {
      greet(who: string) {
        return `hello ${who}`;
      }
    }
    const before = Context.prototype.greet;
    const [a, b] = [new Context(), new Context()];
    const stop = new AbortController();
    expect(wrapMethod(a, 'greet', around, stop.signal)).toBe(true);
    expect(wrapMethod(b, 'greet', around, stop.signal)).toBe(false);
    const kept = a.greet;
    expect(b.greet('you')).toBe('wrapped hello you');
    expect(Object.hasOwn(a, 'greet')).toBe(false);
    stop.abort();
    expect(Context.prototype.greet).toBe(before);
    expect(kept.call(a, 'you')).toBe('hello you');
  });

  test('what somebody wrapped again meanwhile stays, and passes on', () => {
    const object = { greet: () => 'hello' };
    const stop = new AbortController();
    wrapMethod(object, 'greet', around, stop.signal);
    const ours = object.greet;
    const theirs = () => `their ${ours()}`;
    object.greet = theirs;
    stop.abort();
    expect(object.greet).toBe(theirs);
    expect(object.greet()).toBe('their hello');
  });

  test('frozen objects are left alone', () => {
    const frozen = Object.freeze({ greet: () => 'hello' });
    expect(wrapMethod(frozen, 'greet', around, new AbortController().signal)).toBe(false);
    expect(frozen.greet()).toBe('hello');
  });

  test('a tool with another function is the page’s tool in all else', () => {
    class Tool {
      #secret = 'kept';
      name = 'x';
      execute = () => 'old';
      get description() {
        return this.#secret;
      }
    }
    const tool = Object.freeze(new Tool());
    const seen = withMember(tool, 'execute', () => 'new');
    expect([seen.name, seen.description, seen.execute()]).toEqual(['x', 'kept', 'new']);
    expect(Object.keys(seen)).toEqual(['name', 'execute']);
    expect({ ...seen }.execute()).toBe('new');
    expect(seen instanceof Tool).toBe(true);
    expect(tool.execute()).toBe('old');
  });

  test('an outcome that is looked at settles alike, and what looks may fail', async () => {
    const told: unknown[] = [];
    const tell = (value: unknown) => {
      told.push(value);
      throw new Error('of the inspector');
    };
    expect(await watchOutcome(Promise.resolve(1), tell, tell)).toBe(1);
    await expect(watchOutcome(Promise.reject(new Error('why')), tell, tell)).rejects.toThrow('why');
    expect(watchOutcome('sync', tell, tell)).toBe('sync');
    expect(told).toEqual([1, new Error('why'), 'sync']);
  });
});

test('what changed of a tool is cut around the change', () => {
  const fields = { title: '', description: 'a', inputSchema: '', annotations: '' };
  const schema = `{"long":"${'x'.repeat(5000)}","n":`;
  const changes = changesBetween(
    { ...fields, inputSchema: `${schema}1}` },
    { ...fields, description: 'b', inputSchema: `${schema}22}` },
  );
  expect(changes.map(({ field }) => field)).toEqual(['description', 'inputSchema']);
  expect(changes[0]).toMatchObject({ before: 'a', after: 'b' });
  expect(changes[1]?.before).toMatch(/^…x+","n":1}$/);
  expect(changes[1]?.after).toMatch(/^…x+","n":22}$/);
  expect(changes[1]?.after.length).toBeLessThan(100);
  expect(changesBetween(fields, { ...fields })).toEqual([]);
});

describe('what comes out of a page', () => {
  const entry: PageEntry = { kind: 'removed', at: 1, tool: 't', form: false };

  test('is read entry by entry; what is none is counted', () => {
    const text = JSON.stringify(entry);
    expect(readBatch({ entries: [text, 'x', '{}', text], leftOut: 5 })).toEqual({
      entries: [entry, entry],
      leftOut: 7,
    });
  });

  test('is nothing where the batch itself is too large or no batch', () => {
    const none = { entries: [], leftOut: 1 };
    expect(readBatch(null)).toEqual(none);
    expect(readBatch({ entries: ['x'.repeat(MAX_ENTRY + 1)], leftOut: 0 })).toEqual(none);
    expect(readBatch({ entries: Array.from({ length: 101 }, () => '{}'), leftOut: 0 })).toEqual(
      none,
    );
  });

  test('any JSON at all is an entry or is dropped', () => {
    fc.assert(
      fc.property(fc.array(fc.json(), { maxLength: 20 }), (entries) => {
        const read = readBatch({ entries, leftOut: 0 });
        expect(read.entries.length + read.leftOut).toBe(entries.length);
      }),
    );
  });
});

describe('the log of the page', () => {
  const doc: InspectedDocument = {
    documentId: 'd1',
    frameId: 0,
    origin: 'https://a.test',
    url: 'https://a.test/',
  };
  const NOW = 1_700_000_000_000;
  const log = (...entries: PageEntry[]) => withEntries(EMPTY_PAGE_LOG, doc, entries, 0, NOW);
  const called = (call: string, more: object = {}): PageEntry => ({
    kind: 'called',
    at: NOW,
    call,
    tool: 't',
    by: 'page',
    elsewhere: false,
    places: [],
    ...more,
  });
  const ended = (call: string): PageEntry => ({
    kind: 'ended',
    at: NOW,
    call,
    outcome: 'result',
    ms: 3,
    said: { text: 'ok', length: 2 },
  });
  const places = [{ fn: 'f', url: 'https://a.test/x.js', line: 3, column: 1 }];
  const registered: PageEntry = {
    kind: 'registered',
    at: NOW,
    tool: 't',
    form: false,
    found: false,
    description: 'x',
    places,
  };

  test('a call and its end are one event', () => {
    const { events, open } = log(called('1'), called('2'), ended('1'), ended('1'), ended('none'));
    expect(events).toMatchObject([
      { type: 'page-call', end: { outcome: 'result', ms: 3, said: { text: 'ok' } } },
      { type: 'page-call' },
    ]);
    expect(events[1]).not.toHaveProperty('end');
    expect(open.size).toBe(1);
  });

  test('calls of the same number in two documents are two', () => {
    const first = log(called('1'));
    const both = withEntries(
      first,
      { ...doc, documentId: 'd2' },
      [called('1'), ended('1')],
      0,
      NOW,
    );
    expect(both.events.map((event) => event.type === 'page-call' && !!event.end)).toEqual([
      false,
      true,
    ]);
  });

  test('what a document had begun ends with it, and nothing else', () => {
    const both = withEntries(log(called('1')), { ...doc, documentId: 'd2' }, [called('1')], 0, NOW);
    const { events } = withoutDocument(both, 'd1');
    expect(events).toMatchObject([{ end: { outcome: 'gone' } }, { documentId: 'd2' }]);
    expect(events[1]).not.toHaveProperty('end');
  });

  test('a tool has the place of its last registration, until it is taken away', () => {
    const moved = {
      ...registered,
      places: [{ fn: '', url: 'https://a.test/y.js', line: 9, column: 1 }],
    };
    expect(log(registered, moved).registrations.get('d1/t')?.places[0]?.line).toBe(9);
    const removed: PageEntry = { kind: 'removed', at: NOW, tool: 't', form: false };
    expect(log(registered, removed).registrations.has('d1/t')).toBe(false);
    expect(log(registered).registrations.get('d1/t')).not.toHaveProperty('frameUrl');
    const framed = withEntries(EMPTY_PAGE_LOG, { ...doc, frameId: 4 }, [registered], 0, NOW);
    expect(framed.registrations.get('d1/t')).toMatchObject({ frameUrl: 'https://a.test/' });
  });

  test('a document’s time is held to what can be', () => {
    const { events } = log(called('1', { at: 9e15 }), called('2', { at: -9e15 }));
    expect(events.map(({ at }) => at)).toEqual([NOW, NOW - 600_000]);
  });

  test('stays bounded, and says what was left out in one place', () => {
    let kept: PageLog = EMPTY_PAGE_LOG;
    for (let n = 0; n < 60; n++) {
      const entries = Array.from({ length: 100 }, (_, m) => called(`${n}/${m}`));
      kept = withEntries(kept, doc, entries, 0, NOW);
    }
    kept = withEntries(kept, doc, [], 7, NOW);
    kept = withEntries(kept, doc, [], 5, NOW);
    expect(kept.events).toHaveLength(1000);
    expect(kept.events.at(-1)).toMatchObject({ type: 'page-left-out', count: 12 });
    expect(kept.open.size).toBeLessThanOrEqual(3000);
    expect(new Set(kept.events.map(({ id }) => id)).size).toBe(1000);
  });
});

test('the address of a panel says its tab, and no other address does', () => {
  expect(tabOfPanel(`chrome-extension://abc${panelPage(12)}`)).toBe(12);
  for (const other of [
    '',
    'x',
    '/options.html?tab=3',
    '/devtools-panel.html',
    '/devtools-panel.html?tab=x',
  ])
    expect(tabOfPanel(`chrome-extension://abc${other}`)).toBeUndefined();
});
