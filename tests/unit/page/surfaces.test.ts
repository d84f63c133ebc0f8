// @vitest-environment happy-dom
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { readRegistration } from '../../../lib/page/shim/registry';
import { execute, type ModelContextLike } from '../../../lib/page/surfaces/native';
import { polyfillContexts, polyfillSurface } from '../../../lib/page/surfaces/polyfill';
import { readTools } from '../../../lib/page/surfaces/read';
import { runTool } from '../../../lib/page/surfaces/run';
import type { SaidError } from '../../../lib/page/surfaces/said-error';
import { resultText, thrownText } from '../../../lib/page/surfaces/text';

const never = new AbortController().signal;

describe('readTools', () => {
  test('reads interface objects that neither spread nor serialise', () => {
    class Tool {
      get name() {
        return 'echo';
      }
      get description() {
        return 'Echoes';
      }
      get inputSchema() {
        return null;
      }
      get annotations() {
        return null;
      }
      toJSON() {
        return {};
      }
    }
    expect(readTools([new Tool()], 'native')).toEqual([
      {
        name: 'echo',
        title: '',
        description: 'Echoes',
        schema: '',
        hints: [],
        surface: 'native',
        sizes: [6, 0],
      },
    ]);
  });

  test('takes schemas as objects and as text', () => {
    const schemas = readTools([{ inputSchema: { a: 1 } }, { inputSchema: '{"a":1}' }], 'polyfill');
    expect(schemas.map(({ schema }) => schema)).toEqual(['{"a":1}', '{"a":1}']);
  });

  test('leaves out what throws, and keeps the rest', () => {
    const bad = {
      get name() {
        throw new Error('no');
      },
    };
    expect(readTools([bad, null, { name: 'fine' }], 'polyfill').map(({ name }) => name)).toEqual([
      'fine',
    ]);
    fc.assert(fc.property(fc.anything(), (list) => Array.isArray(readTools(list, 'polyfill'))));
  });

  test('keeps the size of what it cuts', () => {
    const deep = (levels: number) => {
      let schema = {};
      for (let i = 0; i < levels; i++) schema = { a: schema };
      return schema;
    };
    const [tool] = readTools(
      [{ name: 'x', description: 'd'.repeat(9000), inputSchema: deep(100_000) }],
      'native',
    );
    expect(tool?.description).toHaveLength(8000);
    expect(tool?.schema).toBe('');
    expect(tool?.sizes[0]).toBe(9000);
    expect(tool?.sizes[1]).toBeGreaterThan(100_000);
  });
});

test('a hint is true only where it is true itself, wherever tools are read', () => {
  const annotations = {
    readOnlyHint: 'false',
    untrustedContentHint: 1,
    consequentialHint: {},
    debugging: true,
  };
  const given = { name: 'x', description: 'x', annotations, execute() {} };
  for (const strict of [true, false]) {
    const registered = readRegistration(given, strict);
    expect(readTools([registered], 'native')[0]?.hints).toEqual(['debugging']);
  }
  expect(readTools([given], 'polyfill')[0]?.hints).toEqual(['debugging']);
});

describe('execute', () => {
  const context = (answer: (input: unknown) => unknown) => {
    const inputs: unknown[] = [];
    const executeTool = async (_tool: unknown, input: unknown) => {
      inputs.push(input);
      return answer(input);
    };
    return { inputs, context: { executeTool } as unknown as ModelContextLike };
  };

  test('gives contexts that take text the JSON text, and others an object', async () => {
    const { context: old } = context((input) => JSON.parse(input as string));
    expect(await execute(old, {}, '{"a":{"b":[1]}}', never)).toEqual({ a: { b: [1] } });
    const { context: text } = context((input) => `${input as string}`);
    expect(await execute(text, {}, '{"a":1}', never)).toBe('{"a":1}');
    const { inputs, context: now } = context((input) => JSON.stringify(input));
    expect(await execute(now, {}, '{"toString":1}', never)).toBe('{"toString":1}');
    expect(inputs).toEqual([{ toString: 1 }]);
  });

  test('never tries again, whatever the tool says', async () => {
    const { inputs, context: failing } = context(() => {
      throw new Error('Failed to parse input: the recipe has no servings');
    });
    await expect(execute(failing, {}, '{}', never)).rejects.toThrow();
    expect(inputs).toHaveLength(1);
  });
});

describe('polyfillSurface', () => {
  const call = (context: object) =>
    polyfillSurface(context).call({ name: 'echo' }, '{"a":1}', never);

  test('callTool: an MCP result around one text is that text', async () => {
    const callTool = async (request: unknown) => ({
      content: [{ type: 'text', text: JSON.stringify(request) }],
    });
    expect(await call({ callTool })).toBe('{"name":"echo","arguments":{"a":1}}');
  });

  test('callTool: an MCP error is an error in the tool’s words', async () => {
    const callTool = () => ({ isError: true, content: [{ type: 'text', text: 'sold out' }] });
    await expect(call({ callTool })).rejects.toMatchObject({ said: 'sold out' });
  });

  test('modelContextTesting takes a name and JSON text', async () => {
    const executeTool = (...args: unknown[]) => JSON.stringify(args);
    expect(await call({ listTools: () => [], executeTool })).toBe('["echo","{\\"a\\":1}"]');
  });

  test('an early navigator.modelContext takes a name and an object', async () => {
    const executeTool = (...args: unknown[]) => ({ args });
    expect(await call({ listTools: () => [], registerTool() {}, executeTool })).toBe(
      '{"args":["echo",{"a":1}]}',
    );
  });

  test('lists only this window’s tools', async () => {
    const getTools = async () => [
      { name: 'mine', window },
      { name: 'theirs', window: {} },
      { name: 'new', source: {} },
    ];
    const tools = await polyfillSurface({ getTools, executeTool() {} }).list();
    expect(tools.map(({ name }) => name)).toEqual(['mine']);
  });
});

describe('polyfillContexts', () => {
  afterEach(() => {
    Reflect.deleteProperty(document, 'modelContext');
    Reflect.deleteProperty(navigator, 'modelContext');
  });

  test('finds each context once, skips ours, elements and getters that throw', () => {
    const context = { getTools() {}, executeTool() {} };
    const put = (holder: object, get: () => unknown) =>
      Object.defineProperty(holder, 'modelContext', { configurable: true, get });
    put(document, () => context);
    put(navigator, () => context);
    expect(polyfillContexts(new Set())).toEqual([context]);
    expect(polyfillContexts(new Set([context]))).toEqual([]);
    put(document, () => document.createElement('img'));
    put(navigator, () => {
      throw new Error('no');
    });
    expect(polyfillContexts(new Set())).toEqual([]);
  });
});

describe('runTool', () => {
  const run = (execute: () => unknown, signal = never) => runTool(execute, {}, signal, () => {});

  test('gives the value as text', async () => {
    expect(await run(() => ({ a: 1 }))).toBe('{"a":1}');
    expect(await run(async () => 'late')).toBe('late');
  });

  test.each([
    () => {
      throw new Error('why');
    },
    () => Promise.reject(new Error('why')),
  ])('keeps what was thrown', async (execute) => {
    await expect(run(execute)).rejects.toMatchObject({ said: 'why' } satisfies Partial<SaidError>);
  });

  test('keeps what a tool resolves with on being stopped, for those who wait for it', async () => {
    const work = (_: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve({ applied: 2, remaining: 3 }));
      });
    const stop = new AbortController();
    const at = (linger: number) => runTool(work, {}, stop.signal, () => {}, linger);
    const [patient, prompt] = [at(10_000), at(0)];
    stop.abort(new Error('stop'));
    await expect(prompt).rejects.toThrow('stop');
    expect(await patient).toBe('{"applied":2,"remaining":3}');
  });

  test('a tool that fails on being stopped was stopped', async () => {
    const stop = new AbortController();
    const work = (_: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const running = runTool(work, {}, stop.signal, () => {}, 10_000);
    stop.abort(new Error('stop'));
    await expect(running).rejects.toThrow('stop');
  });

  test('ends with the abort, also where the tool does not', async () => {
    const stop = new AbortController();
    const running = run(() => new Promise(() => {}), stop.signal);
    stop.abort(new Error('stop'));
    await expect(running).rejects.toThrow('stop');
    const executed: string[] = [];
    await expect(run(() => executed.push('ran'), stop.signal)).rejects.toThrow('stop');
    expect(executed).toEqual([]);
  });
});

describe('words', () => {
  test.each([
    ['', 'Operation succeeded'],
    [undefined, 'undefined'],
    [null, 'null'],
    [42, '42'],
    [Number.NaN, 'NaN'],
    [10n, '10'],
    [true, 'true'],
    [Symbol('s'), 'Symbol(s)'],
    [new Map(), '{}'],
    [() => 1, 'undefined'],
  ])('of the result %s are "%s"', (value, text) => {
    expect(resultText(value)).toBe(text);
  });

  test('of anything thrown are text', () => {
    expect(thrownText(new Error('a'))).toBe('a');
    expect(thrownText('b')).toBe('b');
    expect(thrownText({ code: 7 })).toBe('{"code":7}');
    expect(thrownText(null)).toBe('null');
    fc.assert(fc.property(fc.anything(), (thrown) => typeof thrownText(thrown) === 'string'));
  });
});
