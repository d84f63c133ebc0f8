// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render } from '@testing-library/preact';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Boundary } from '../../../components/Boundary';
import { CallCard } from '../../../components/chat/CallCard';
import { asJson } from '../../../components/value/as-json';
import { oneLine } from '../../../components/value/one-line';
import * as turns from '../../../entrypoints/gallery/fixtures/turns';
import { type CallCard as Call, foldTranscript } from '../../../lib/agent/transcript';
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

function show(shown: Call) {
  const answers: string[] = [];
  const view = render(
    <CallCard
      call={shown}
      intents={{
        answerApproval: (_id, decision) => void answers.push(decision),
        runTool: async () => ({ problems: [], outcome: { kind: 'result', value: '' }, ms: 1 }),
      }}
    />,
  );
  return { ...view, answers };
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
