import { describe, expect, test } from 'vitest';
import { delegates } from '../../../lib/page/frames';

const parent = 'https://top.test';
const child = 'https://shop.test';
const may = (allow: string, { src = `${child}/x`, index = 0, origin = child } = {}) =>
  delegates({ index: -1, delegations: [{ index: 0, allow, src }] }, parent, index, origin);

describe('delegates', () => {
  test.each([
    ['tools', true],
    ['camera; tools', true],
    ['tools *', true],
    ["tools 'src'", true],
    [`tools ${child}`, true],
    [`tools 'none'`, false],
    ["tools 'self'", false],
    ['tools https://else.test', false],
    ['toolsmith', false],
    ['', false],
  ])('allow="%s" → %s', (allow, answer) => {
    expect(may(allow)).toBe(answer);
  });

  test('is only for the iframe at that place', () => {
    expect(may('tools', { index: 1 })).toBe(false);
    expect(may('tools', { index: -1 })).toBe(false);
  });

  test('without a list is for the origin the frame was sent to, not where it went since', () => {
    expect(may('tools', { origin: 'https://else.test' })).toBe(false);
    expect(may('tools *', { origin: 'https://else.test' })).toBe(true);
  });

  test('reaches a sandboxed frame, whose origin is its own', () => {
    expect(may('tools', { origin: 'null' })).toBe(true);
    expect(may("tools 'self'", { origin: 'null' })).toBe(false);
  });
});
