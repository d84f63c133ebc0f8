import { expect, expectTypeOf, test } from 'vitest';
import type { Budget as LoggedBudget } from '../../../../lib/agent/events';
import {
  type Budget,
  estimateTokens,
  freeTokens,
  historyRoom,
  savedTokens,
  shouldShortenHistory,
  toolShares,
} from '../../../../lib/tools/budget';

const BUDGET: Budget = {
  window: 4_096,
  instructions: 300,
  direct: 600,
  promoted: 200,
  manifest: 200,
  history: 1_000,
  reply: 512,
  schemaBytes: 4_000,
  allToolsTokens: 9_000,
};

test('the budget is the one that is logged', () => {
  expectTypeOf<Budget>().toEqualTypeOf<LoggedBudget>();
});

test('history has what instructions, tools and reply leave', () => {
  expect(historyRoom(BUDGET)).toBe(4_096 - 300 - 1_000 - 512);
  expect(freeTokens(BUDGET)).toBe(historyRoom(BUDGET) - 1_000);
  expect(historyRoom({ ...BUDGET, direct: 9_000 })).toBe(0);
});

test('schemas that eat a quarter of the window shorten the conversation a quarter earlier', () => {
  const bare = { ...BUDGET, instructions: 0, reply: 0, direct: 0, promoted: 0, manifest: 0 };
  const heavy = { ...bare, direct: 1_024 };
  const at = (budget: Budget): number => {
    let history = 0;
    while (!shouldShortenHistory({ ...budget, history }, 1)) history++;
    return history;
  };
  expect(at(bare) - at(heavy)).toBe(1_024);
});

test('shares leave over half of the window to the conversation, and bound large windows', () => {
  const shares = toolShares(4_096, { instructions: 300, reply: 512 });
  expect(shares.direct + shares.promoted + shares.manifest).toBeLessThan((4_096 - 812) * 0.6);
  expect(toolShares(1_000_000, { instructions: 0, reply: 0 })).toEqual({
    direct: 8_000,
    promoted: 6_000,
    manifest: 4_000,
  });
  expect(toolShares(512, { instructions: 400, reply: 512 })).toEqual({
    direct: 0,
    promoted: 0,
    manifest: 0,
  });
});

test('what deferral saved is never negative', () => {
  expect(savedTokens(BUDGET)).toBe(8_000);
  expect(savedTokens({ ...BUDGET, allToolsTokens: 10 })).toBe(0);
});

test('tokens: none for nothing, more for scripts that cost more', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('add two mugs to the cart')).toBe(6);
  expect(estimateTokens('أضف كوبين إلى عربة التسوق')).toBeGreaterThan(9);
});
