import fc from 'fast-check';
import { expect, test } from 'vitest';
import { originOfFrame } from '../../../lib/page/frames';
import { addressSeenFrom, originOf } from '../../../lib/tools/origin';

const frame = (frameId: number, parentFrameId: number, url: string) => ({
  frameId,
  parentFrameId,
  url,
});

test.each([
  ['its address', 'https://a.test/x', 'https://a.test'],
  ['a blob of it', 'blob:https://a.test/0-1', 'https://a.test'],
  ['a blank document', 'about:blank', 'https://top.test'],
  ['srcdoc', 'about:srcdoc', 'https://top.test'],
  ['data', 'data:text/html,x', 'null'],
])('the origin of %s is the browser’s word, not the claim', (_, url, origin) => {
  const all = [frame(0, -1, 'https://top.test/'), frame(7, 0, url)];
  expect(originOfFrame(all[1] as (typeof all)[1], all, 'https://bank.example')).toBe(origin);
  expect(originOfFrame(all[1] as (typeof all)[1], all, 'null')).toBe('null');
});

test('blank frames whose parents go in circles have no origin', () => {
  const all = [frame(1, 2, 'about:blank'), frame(2, 1, 'about:blank')];
  expect(originOfFrame(all[0] as (typeof all)[0], all, 'https://bank.example')).toBe('null');
});

test('no claim makes an origin that no address of the tab has', () => {
  const url = fc.oneof(fc.webUrl(), fc.constantFrom('about:blank', 'about:srcdoc', 'data:,x', ''));
  fc.assert(
    fc.property(fc.array(url, { minLength: 1, maxLength: 8 }), fc.string(), (urls, claimed) => {
      const all = urls.map((address, at) => frame(at, at - 1, address));
      const known = new Set(['null', ...urls.map(originOf)]);
      for (const one of all) expect(known).toContain(originOfFrame(one, all, claimed));
    }),
  );
});

test('elsewhere an address is its origin', () => {
  const there = 'https://a.test/u/alice?session=1';
  expect(addressSeenFrom('https://a.test', there)).toBe(there);
  expect(addressSeenFrom('https://b.test', there)).toBe('https://a.test');
  expect(addressSeenFrom('null', 'file:///home/alice')).toBe('null');
});
