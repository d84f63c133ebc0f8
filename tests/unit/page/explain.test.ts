import { describe, expect, test } from 'vitest';
import { explainFailure } from '../../../lib/page/explain';
import type { PageTool } from '../../../lib/tools/tool';

const tool = { name: 'buy' } as PageTool;
const explain = (message: string, more: { said?: string; ran?: boolean } = {}) =>
  explainFailure(tool, { message, ...more });

describe('explainFailure', () => {
  test('what the tool said comes before what the browser says', () => {
    const generic = 'Tool was executed but the invocation failed. For example, the script …';
    expect(explain(generic, { said: 'out of stock' })).toEqual({
      kind: 'error',
      message: 'out of stock',
      mayHaveRun: true,
    });
    expect(explain(generic).message).toContain('"buy" failed, and the browser does not pass on');
  });

  test.each([
    'Input contains a parameter "zzz" but there is no such parameter for the tool',
    'Invalid value "x" for parameter n',
    'Form validation failed: n: too large. ',
    'Access to the feature "tools" is disallowed by permissions policy.',
    'Target frame is detached.',
    "Failed to execute 'executeTool' on 'ModelContext': parameter 1 is not an object.",
  ])('"%s" proves that nothing ran', (message) => {
    expect(explain(message).mayHaveRun).toBe(false);
  });

  test('a tool that says the same words may have run all the same', () => {
    const message = 'Invalid value "x" for parameter n';
    expect(explain(message, { said: message }).mayHaveRun).toBe(true);
  });

  test('what is known of the run wins', () => {
    expect(explain('gone', { ran: false })).toMatchObject({
      kind: 'error',
      message: '"buy" was withdrawn, or its frame went away, while it was being called.',
      mayHaveRun: false,
    });
  });

  test('an answer that is no longer kept is not a call that did not run', () => {
    expect(explain('lost', { ran: true })).toMatchObject({
      message: '"buy" ran, but its answer is no longer kept.',
      mayHaveRun: true,
    });
  });

  test('no message is still a message, and none is too long', () => {
    expect(explain('').message).toBe('"buy" failed without saying why.');
    expect(explain('x'.repeat(1e6)).message).toHaveLength(4000);
  });
});
