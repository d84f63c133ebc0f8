import { expect, test } from 'vitest';
import {
  livePromotions,
  NO_PROMOTIONS,
  promote,
  readPromotions,
  touchPromotion,
} from '../../../../lib/tools/discovery/promotion';
import type { ToolEntry } from '../../../../lib/tools/exposure/entry';
import { DEFAULT_SITE } from '../../../../lib/tools/exposure/rules';
import type { Exposure, PageTool } from '../../../../lib/tools/tool';
import { choose, object, pageTool } from '../exposure/catalog';

const entriesOf = (tools: PageTool[], settings: Record<string, Exposure> = {}) =>
  choose({ tools, site: () => ({ ...DEFAULT_SITE, defer: 'always', tools: settings }) }).registry
    .entries;
const pick = (entries: readonly ToolEntry[], ...names: string[]): ToolEntry[] =>
  names.flatMap((name) => entries.filter((entry) => entry.name === name));
const names = (entries: readonly ToolEntry[]): string[] => entries.map(({ name }) => name);
const ROOM = { maxTokens: 100, cost: () => 30 };

const TOOLS = ['a', 'b', 'c', 'd', 'e'].map((name) => pageTool(name));
const ENTRIES = entriesOf(TOOLS);

test('matches are promoted and shown by name', () => {
  const state = promote(NO_PROMOTIONS, pick(ENTRIES, 'c', 'a'));
  expect(names(livePromotions(state, ENTRIES, ROOM).entries)).toEqual(['a', 'c']);
});

test('over the room the least recently found or used leaves first', () => {
  let state = promote(NO_PROMOTIONS, pick(ENTRIES, 'a', 'b'));
  state = promote(state, pick(ENTRIES, 'c'));
  const first = livePromotions(state, ENTRIES, ROOM);
  expect(names(first.entries)).toEqual(['a', 'b', 'c']);
  state = touchPromotion(first.state, pick(ENTRIES, 'b')[0] as ToolEntry);
  state = promote(state, pick(ENTRIES, 'd'));
  const live = livePromotions(state, ENTRIES, ROOM);
  expect(names(live.entries)).toEqual(['b', 'c', 'd']);
  expect(live.dropped).toMatchObject([{ name: 'a', why: 'made room for tools found later' }]);
  expect(names(livePromotions(live.state, ENTRIES, { ...ROOM, maxTokens: 999 }).entries)).toEqual([
    'b',
    'c',
    'd',
  ]);
});

test('of one search the best matches stay', () => {
  const state = promote(NO_PROMOTIONS, pick(ENTRIES, 'e', 'd', 'c', 'b', 'a'));
  const live = livePromotions(state, ENTRIES, ROOM);
  expect(names(live.entries)).toEqual(['c', 'd', 'e']);
  // The others never were in a prompt: nothing is told of their leaving it.
  expect(live.dropped).toEqual([]);
});

test('the best match is shown whatever it costs', () => {
  const state = promote(NO_PROMOTIONS, pick(ENTRIES, 'a', 'b'));
  const live = livePromotions(state, ENTRIES, { maxTokens: 10, cost: () => 500 });
  expect(names(live.entries)).toEqual(['a']);
});

test('the state survives being written and read', () => {
  const state = promote(NO_PROMOTIONS, pick(ENTRIES, 'a', 'b'));
  expect(readPromotions(JSON.parse(JSON.stringify(state)))).toEqual(state);
});

test.each([undefined, null, 'x', {}, { promoted: [{}] }, { promoted: [{ key: 1 }] }])(
  'a saved state that does not read promotes nothing: %j',
  (saved) => {
    expect(readPromotions(saved)).toEqual(NO_PROMOTIONS);
  },
);

test('after a reload the same tools are found under their new keys', () => {
  const state = promote(NO_PROMOTIONS, pick(ENTRIES, 'a'));
  const reloaded = entriesOf(TOOLS.map((tool) => pageTool(tool.name, { documentId: 'later' })));
  const live = livePromotions(state, reloaded, ROOM);
  expect(live.entries.map(({ key }) => key)).toEqual(['later/a']);
  expect(live).toMatchObject({
    changed: [],
    dropped: [],
    state: { promoted: [{ key: 'later/a' }] },
  });
});

test('a tool of the same name from another origin is not the one that was found', () => {
  const state = promote(NO_PROMOTIONS, pick(ENTRIES, 'a'));
  const elsewhere = entriesOf([pageTool('a', { documentId: 'x', origin: 'https://evil.test' })]);
  const live = livePromotions(state, elsewhere, ROOM);
  expect(live.entries).toEqual([]);
  expect(live.dropped).toMatchObject([{ name: 'a', why: 'no longer on the page' }]);
});

test('two frames of one origin keep their own tools of the same name', () => {
  const frames = ['f1', 'f2'].map((documentId) => pageTool('a', { documentId }));
  const state = promote(NO_PROMOTIONS, entriesOf(frames));
  const reloaded = entriesOf(['g1', 'g2'].map((documentId) => pageTool('a', { documentId })));
  expect(livePromotions(state, entriesOf(frames), ROOM).entries).toHaveLength(2);
  expect(livePromotions(state, reloaded, ROOM).entries).toHaveLength(2);
});

test('a tool that was hidden meanwhile is not restored, one made direct is not doubled', () => {
  const state = promote(NO_PROMOTIONS, pick(ENTRIES, 'a', 'b', 'c'));
  const now = entriesOf(TOOLS, { a: 'hidden', b: 'direct' });
  const live = livePromotions(state, now, ROOM);
  expect(names(live.entries)).toEqual(['c']);
  expect(live.dropped).toMatchObject([{ name: 'a', why: 'you set it to hidden' }]);
});

test('a changed schema is told, and the current one is shown', () => {
  const state = promote(NO_PROMOTIONS, pick(ENTRIES, 'a'));
  const changed = entriesOf([pageTool('a', { inputSchema: object({ q: { type: 'string' } }) })]);
  const live = livePromotions(state, changed, ROOM);
  expect(live.changed).toEqual(['a']);
  expect(live.entries[0]?.schema).toEqual(object({ q: { type: 'string' } }));
  expect(livePromotions(live.state, changed, ROOM).changed).toEqual([]);
});
