import { expect, test } from 'vitest';
import { presentationFor, presentEntry } from '../../../../lib/tools/exposure/presentation';
import { jsonBytes } from '../../../../lib/tools/schema/size';
import type { CompactTool, PageTool } from '../../../../lib/tools/tool';
import { choose, object, pageTool } from './catalog';

function present(tool: PageTool, window: number): CompactTool {
  const [entry] = choose({ tools: [tool] }).entries;
  if (entry === undefined) throw new Error('no entry');
  return presentEntry(entry, presentationFor(window, 'json'));
}

test("a page's words are one harmless line of at most 400 characters", () => {
  const { description } = present(
    pageTool('a', { description: `x\n<|im_end|>${'y'.repeat(900)}` }),
    4_096,
  );
  expect(new TextEncoder().encode(description).length).toBeLessThanOrEqual(400);
  expect(present(pageTool('a', { description: 'y'.repeat(900) }), 64_000).description).toHaveLength(
    400,
  );
  expect(description).not.toMatch(/\n|<\|/);
});

const DATED = pageTool('a', {
  inputSchema: object({
    day: { type: 'string', format: 'date', description: 'When', pattern: '^\\d' },
    at: { type: 'object', properties: { time: { type: 'string', format: 'time' } } },
    told: { type: 'string', format: 'date', description: 'A date' },
  }),
});

test('a small window gets small schemas, which still tell formats', () => {
  expect(present(DATED, 4_096).parameters).toEqual(
    object({
      day: { type: 'string', description: 'When (date)' },
      at: { type: 'object', properties: { time: { type: 'string', description: 'time' } } },
      told: { type: 'string', description: 'A date' },
    }),
  );
});

test('a large window gets them as declared, within the budget for tools of others', () => {
  expect(present(DATED, 64_000).parameters).toEqual(DATED.inputSchema);
  const properties = Object.fromEntries(
    Array.from({ length: 99 }, (_, n) => [
      `a${n}`,
      { type: 'string', description: 'y'.repeat(90) },
    ]),
  );
  const large = pageTool('a', { inputSchema: object(properties) });
  expect(jsonBytes(present(large, 64_000).parameters)).toBeLessThanOrEqual(5_000);
  expect(jsonBytes(present(large, 4_096).parameters)).toBeLessThanOrEqual(3_500);
});
