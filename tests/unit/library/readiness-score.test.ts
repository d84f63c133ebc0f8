import { expect, test } from 'vitest';
import type { Finding } from '../../../lib/tools/readiness/finding';
import { readinessScore } from '../../../lib/tools/readiness/score';

const finding = (tool: string, severity: Finding['severity']): Finding => ({
  rule: 'injection',
  severity,
  tool,
  values: [],
  rewrite: '',
});

test('the score is the mean of the tools, less what concerns the whole page', () => {
  expect(readinessScore(['a', 'b'], [])).toBe(100);
  expect(readinessScore(['a', 'b'], [finding('a', 'error')])).toBe(75);
  expect(readinessScore(['a', 'b'], [finding('a', 'error'), finding('', 'warning')])).toBe(60);
  expect(readinessScore([], [finding('', 'warning')])).toBeUndefined();
});

test('one tool cannot lose more than it has', () => {
  const many = Array.from({ length: 5 }, () => finding('a', 'error'));
  expect(readinessScore(['a', 'b'], many)).toBe(50);
});
