// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, waitFor } from '@testing-library/preact';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Boundary } from '../../../components/Boundary';
import { CallCard } from '../../../components/chat/CallCard';
import type { Decision } from '../../../components/chat/intents';
import { asJson } from '../../../components/value/as-json';
import { oneLine } from '../../../components/value/one-line';
import * as turns from '../../../entrypoints/gallery/fixtures/turns';
import type { Problem } from '../../../lib/agent/events';
import { type CallCard as Call, foldTranscript } from '../../../lib/agent/transcript';
import type { ListedTool } from '../../../lib/messages/host-api';
import type { JsonSchema } from '../../../lib/tools/tool';
import { speakEnglish } from './english';

const waiting = (): Call => {
  for (const item of foldTranscript(turns.APPROVAL)[0]?.items ?? []) {
    if (item.kind === 'call') return item.call;
  }
  throw new Error('no call');
};

const ORIGIN = 'http://127.0.0.1:44487';
const call = (patch: Partial<Call> & { toolName?: string; title?: string }): Call => ({
  ...waiting(),
  tool: {
    key: 'k',
    name: patch.toolName ?? 'pay_bill',
    origin: ORIGIN,
    ...(patch.title ? { title: patch.title } : {}),
  },
  ...patch,
});

function show(shown: Call, listed?: ListedTool, problems: Problem[] = []) {
  const answers: string[] = [];
  const decisions: Decision[] = [];
  const view = render(
    <CallCard
      call={shown}
      listed={listed}
      intents={{
        answerApproval: async (said) => {
          answers.push(said.decision);
          decisions.push(said);
          return problems;
        },
        runTool: async () => ({ problems: [], outcome: { kind: 'result', value: '' }, ms: 1 }),
      }}
    />,
  );
  return { ...view, answers, decisions };
}

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('an approval', () => {
  beforeEach(speakEnglish);
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  test.each([
    ['another origin in the name', `pay_bill · from https://mybank.example${'\u00a0'.repeat(200)}`],
    ['a name that turns the line around', 'pay\u202e_bill'],
    ['a name of letters that draw nothing', `pay${'\u3164'.repeat(100)}`],
    ['an endless name', 'n'.repeat(5000)],
  ])('says the origin first, in an element of its own: %s', (_, toolName) => {
    const { container, getByTestId } = show(call({ toolName, title: 'Look at the bill' }));
    const origin = getByTestId('tool-origin');
    expect(origin.textContent).toBe(ORIGIN);
    expect(origin.querySelector('bdi')?.textContent).toBe(ORIGIN);
    expect(container.querySelector('.approval')?.textContent?.startsWith(ORIGIN)).toBe(true);
    const name = container.querySelector('.tool-name bdi')?.textContent ?? '';
    expect(name.length).toBeLessThanOrEqual(61);
    expect(name).not.toMatch(/\p{C}|[\u00a0\u3164]/u);
  });

  test('names the tool beside a title', () => {
    const { container } = show(call({ title: 'Look at the bill' }));
    expect(container.querySelector('h2')?.textContent).toContain('Look at the bill');
    expect(container.querySelector('.tool-name')?.textContent).toBe('pay_bill');
  });

  test('shows every argument whole, however long, deep or many', () => {
    const args = {
      text: `${'x'.repeat(5000)}END OF TEXT`,
      nested: { a: { b: { c: [{ d: 'DEEP VALUE' }] } } },
      many: Array.from({ length: 150 }, (_, i) => `item ${i}`),
    };
    const { container } = show(call({ arguments: args }));
    const text = container.textContent ?? '';
    for (const part of ['END OF TEXT', 'DEEP VALUE', 'item 149']) expect(text).toContain(part);
  });

  test('names both sites of a value that another site told', () => {
    const foreign = [{ argument: 'iban', value: 'DE89', origin: 'https://bank.example' }];
    const { getByTestId } = show(call({ arguments: { iban: 'DE89' }, foreign }));
    expect(getByTestId('other-site').textContent).toBe(
      `\u2068DE89\u2069 is known from https://bank.example only. Allowing gives it to ${ORIGIN}.`,
    );
  });

  test('Allow obeys the pointer only once it has stood still', async () => {
    vi.useFakeTimers();
    const { getByTestId, answers } = show(call({}));
    const allow = getByTestId('approve');
    fireEvent.click(allow, { detail: 1 });
    expect(answers).toEqual([]);
    await act(() => void vi.advanceTimersByTime(300));
    fireEvent.click(allow, { detail: 1 });
    expect(answers).toEqual([]);
    await act(() => void vi.advanceTimersByTime(200));
    fireEvent.click(allow, { detail: 1 });
    expect(answers).toEqual(['allow']);
  });

  test('the keyboard need not wait', () => {
    const { getByTestId, answers } = show(call({}));
    fireEvent.click(getByTestId('approve'), { detail: 0 });
    expect(answers).toEqual(['allow']);
  });
});

describe('the values of an approval', () => {
  beforeEach(speakEnglish);
  afterEach(cleanup);

  const listed = (inputSchema: JsonSchema): ListedTool => ({
    tool: {
      key: 'k',
      name: 'add_to_cart',
      description: 'Adds one product.',
      inputSchema,
      origin: ORIGIN,
      documentId: 'd',
      frameId: 0,
      surface: 'native',
    },
    exposure: 'direct',
    exposureBy: 'auto',
    reason: { text: '' },
    compact: { name: 'add_to_cart', description: '', parameters: {} },
    bytes: 1,
    tokens: 1,
  });
  const CART = listed({
    type: 'object',
    properties: {
      sku: { type: 'string' },
      qty: { type: 'integer', minimum: 1, default: 1 },
      note: { type: 'string', default: 'none' },
    },
    required: ['sku'],
  });

  test('are inputs; what is not touched is sent as the model wrote it', async () => {
    const { getByLabelText, queryByLabelText, getByTestId, decisions } = show(
      call({ arguments: { qty: 2, sku: 'B-7' } }),
      CART,
    );
    expect((getByLabelText('sku') as HTMLTextAreaElement).value).toBe('B-7');
    expect((getByLabelText('qty') as HTMLInputElement).value).toBe('2');
    expect(queryByLabelText('note')).toBeNull();
    fireEvent.click(getByTestId('approve'));
    await waitFor(() => expect(decisions).toHaveLength(1));
    expect(decisions[0]).not.toHaveProperty('arguments');
  });

  test('changed ones are checked as typed, marked, and sent with the rest as it was', async () => {
    const { getByLabelText, getByTestId, container, decisions } = show(
      call({ arguments: { qty: 2, sku: 'B-7', unknown: { deep: true } } }),
      CART,
    );
    const qty = getByLabelText('qty');
    fireEvent.input(qty, { target: { value: '0' } });
    await waitFor(() => expect(qty.getAttribute('aria-invalid')).toBe('true'));
    fireEvent.click(getByTestId('approve'));
    expect(decisions).toEqual([]);
    expect(document.activeElement).toBe(qty);
    fireEvent.input(qty, { target: { value: '3' } });
    await waitFor(() => expect(container.textContent).toContain('it was: 2'));
    fireEvent.click(getByTestId('approve'));
    await waitFor(() =>
      expect(decisions[0]?.arguments).toEqual({ qty: 3, sku: 'B-7', unknown: { deep: true } }),
    );
  });

  test('with problems of the host the call still waits', async () => {
    const problems = [{ path: 'sku', message: 'No such product.' }];
    const { getByLabelText, getByTestId, findByText } = show(
      call({ arguments: { sku: 'B-7' } }),
      CART,
      problems,
    );
    fireEvent.input(getByLabelText('sku'), { target: { value: 'B-8' } });
    fireEvent.click(getByTestId('approve'));
    await findByText('No such product.');
    expect((getByTestId('approve') as HTMLButtonElement).disabled).toBe(false);
  });

  test('nothing of a value is out of sight, whatever the schema says of it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('sku', 'qty', 'note', 'more'), fc.jsonValue({ maxDepth: 3 })),
        fc.constantFrom('string', 'integer', 'object', 'array', 'boolean'),
        (args, type) => {
          const properties = { sku: { type }, qty: { type }, note: { enum: ['a', 'b'] } };
          const tool = listed({ type: 'object', properties });
          const { container, unmount } = show(call({ arguments: args }), tool);
          const inputs = [...container.querySelectorAll('input, textarea, select')];
          const shown = [
            container.textContent ?? '',
            ...inputs.map((input) => (input as HTMLInputElement).value),
          ].join('\n');
          const missing = leaves(args).filter((leaf) => {
            const asJson = JSON.stringify(leaf).slice(1, -1);
            return !shown.includes(leaf) && !shown.includes(asJson);
          });
          unmount();
          expect(missing).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('the page’s words stand as the page’s, and the button is named after the deed', () => {
    const { container, getByTestId } = show(call({ title: 'Add to cart' }), CART);
    expect(container.querySelector('.page-says')?.textContent).toBe(
      'The page says:Adds one product.',
    );
    expect(getByTestId('approve').textContent).toContain('Add to cart');
  });

  test('says who calls it binding: the page, or the name', () => {
    const binding = { reason: 'consequential', canRemember: false } as const;
    const byName = show(
      call({
        toolName: 'delete_note',
        consequential: true,
        approval: { ...binding, word: 'delete' },
      }),
    );
    expect(byName.container.textContent).toContain('name says “delete”');
    expect(byName.container.textContent).not.toContain('The page says this');
    expect(byName.getByTestId('approve').className).toBe('binding');
    cleanup();
    const byPage = show(call({ consequential: true, approval: binding }));
    expect(byPage.container.textContent).toContain('The page says this');
  });
});

/** Every text and number of a value, as it is written. */
function leaves(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.replaceAll('\n', '')];
  if (typeof value === 'number') return [String(value)];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(leaves);
}

describe('what a page gave', () => {
  beforeEach(speakEnglish);
  afterEach(cleanup);

  test.each([
    ['lists', '['.repeat(9900) + ']'.repeat(9900)],
    ['objects', `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`],
  ])('a result of nested %s is a card like any other', (_, result) => {
    const { container, queryByTestId } = show({ ...call({}), state: 'done', result });
    expect(queryByTestId('undrawable')).toBeNull();
    expect(container.querySelector('[data-state=done]')).not.toBeNull();
  });

  test('nested arguments are drawn up to a mark', () => {
    const { container } = show(call({ arguments: { nested: deep(5000) } }));
    expect(container.textContent).toContain('…');
  });

  test('any JSON is one short line', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 30 }),
        fc.integer({ min: 2, max: 200 }),
        (value, limit) => {
          expect(oneLine(asJson(value), limit).length).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });

  test('a part that cannot be drawn takes nothing else along', () => {
    const Broken = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    const { container, getByTestId } = render(
      <div>
        <Boundary>
          <Broken />
        </Boundary>
        <p>still here</p>
      </div>,
    );
    expect(getByTestId('undrawable').textContent).toBe('This cannot be shown here.');
    expect(container.textContent).toContain('still here');
  });
});
