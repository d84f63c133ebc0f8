import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modelContextPage } from '../../../library/model-context-page';

const ABOUT = { url: 'https://shop.example/cart', title: 'Shop' };
const signal = new AbortController().signal;
const pay = { name: 'pay', description: 'Pays.', inputSchema: { type: 'object', properties: {} } };

/** A page with these tools, and what was called on it. */
function pageWith(tools: unknown[], answer: (input: unknown) => unknown = () => 'done') {
  const calls: { tool: unknown; input: unknown }[] = [];
  const page = modelContextPage(
    {
      getTools: async () => tools,
      executeTool: async (tool, input) => {
        calls.push({ tool, input });
        return answer(input);
      },
    },
    ABOUT,
  );
  return { page, calls };
}

describe("a page's own model context", () => {
  test('a call reaches the registered tool, with arguments of both kinds', async () => {
    const { page, calls } = pageWith([pay]);
    const [tool] = (await page.collect(signal)).tools;
    if (!tool) throw new Error('no tool');
    expect(await page.call(tool, { sum: 3 }, signal)).toEqual({ kind: 'result', value: 'done' });
    expect(calls[0]?.tool).toBe(pay);
    expect(calls[0]?.input).toEqual({ sum: 3 });
    expect(String(calls[0]?.input)).toBe('{"sum":3}');
  });

  test('a tool that was changed or removed since is not called', async () => {
    const tools: unknown[] = [pay];
    const { page, calls } = pageWith(tools);
    const [tool] = (await page.collect(signal)).tools;
    if (!tool) throw new Error('no tool');
    tools[0] = { ...pay, description: 'Pays everything.' };
    expect(await page.call(tool, {}, signal)).toMatchObject({
      kind: 'changed',
      tool: { description: 'Pays everything.' },
    });
    tools.pop();
    expect(await page.call(tool, {}, signal)).toEqual({ kind: 'changed' });
    expect(calls).toEqual([]);
  });

  test('what the tool throws is a result; an abort rejects and calls nothing', async () => {
    const { page, calls } = pageWith([pay], () => {
      throw new Error('The till is closed.');
    });
    const [tool] = (await page.collect(signal)).tools;
    if (!tool) throw new Error('no tool');
    expect(await page.call(tool, {}, signal)).toEqual({
      kind: 'error',
      message: 'The till is closed.',
      mayHaveRun: true,
    });
    await expect(page.call(tool, {}, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    expect(calls.length).toBe(1);
  });

  test('whatever a page lists is read without a throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.anything()), async (tools) => {
        const found = await pageWith(tools).page.collect(signal);
        expect(found.tools.length).toBeLessThanOrEqual(tools.length);
      }),
    );
  });
});
