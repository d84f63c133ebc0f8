import fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelNames } from '../../../../lib/tools/names';

const named = (key: string, name: string, frameId = 0) => ({ key, name, frameId });

test('a valid name stays as the page wrote it', () => {
  const { byKey, byName } = modelNames([named('d/add_to-Cart2', 'add_to-Cart2')]);
  expect(byKey.get('d/add_to-Cart2')).toBe('add_to-Cart2');
  expect(byName.get('add_to-Cart2')).toBe('d/add_to-Cart2');
});

test('of equal names the page keeps its own and frames are numbered', () => {
  const { byKey } = modelNames([named('f/search', 'search', 3), named('d/search', 'search', 0)]);
  expect(byKey.get('d/search')).toBe('search');
  expect(byKey.get('f/search')).toBe('search_2');
});

test('a number is never one that a tool is really called by', () => {
  const { byKey } = modelNames([
    named('a', 'search', 0),
    named('b', 'search', 1),
    named('c', 'search_2', 2),
  ]);
  expect([...byKey.values()].sort()).toEqual(['search', 'search_2', 'search_3']);
  expect(byKey.get('c')).toBe('search_2');
});

test.each([
  ['cart.add/item', 'cart_add_item'],
  ['café größe', 'cafe_gro_e'],
  ['検索', 'tool'],
  ['', 'tool'],
  ['x'.repeat(200), 'x'.repeat(64)],
])('%s is spelled %s', (name, spelled) => {
  expect(modelNames([named('k', name)]).byKey.get('k')).toBe(spelled);
});

test('a tool that lives on keeps its name when others come and go', () => {
  const before = modelNames([named('f/search', 'search', 3)]);
  const after = modelNames([named('d/search', 'search', 0), named('f/search', 'search', 3)], {
    previous: before,
  });
  expect(after.byKey.get('f/search')).toBe('search');
  expect(after.byKey.get('d/search')).toBe('search_2');
});

test("a page cannot take the name of one of Pagehand's own tools", () => {
  const { byKey } = modelNames([named('d/ask_user', 'ask_user')], {
    reserved: new Set(['ask_user']),
  });
  expect(byKey.get('d/ask_user')).toBe('ask_user_2');
});

test('every tool has one name of its own, within what models take, both ways', () => {
  const tools = fc.uniqueArray(
    fc.record({
      key: fc.string(),
      name: fc.oneof(fc.string(), fc.constantFrom('a', 'a_2', 'a.b', '__proto__', 'constructor')),
      frameId: fc.nat(3),
    }),
    { selector: ({ key }) => key },
  );
  fc.assert(
    fc.property(tools, (list) => {
      const { byKey, byName } = modelNames(list);
      expect(byKey.size).toBe(list.length);
      expect(byName.size).toBe(list.length);
      for (const [key, name] of byKey) {
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(byName.get(name)).toBe(key);
      }
      expect([...modelNames([...list].reverse()).byKey].sort()).toEqual([...byKey].sort());
    }),
  );
});
