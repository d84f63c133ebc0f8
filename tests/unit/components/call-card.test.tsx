// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CallCard } from '../../../components/chat/CallCard';
import { suggestionsFor } from '../../../components/chat/suggestions';
import { SHOP_TOOLS } from '../../../entrypoints/gallery/fixtures/tools';
import * as turns from '../../../entrypoints/gallery/fixtures/turns';
import type { AgentEvent } from '../../../lib/agent/events';
import { type CallCard as Call, foldTranscript } from '../../../lib/agent/transcript';
import type { RunToolResult } from '../../../lib/messages/host-api';
import type { JsonObject } from '../../../lib/tools/tool';
import { speakEnglish } from './english';

function callOf(events: AgentEvent[]): Call {
  for (const item of foldTranscript(events)[0]?.items ?? []) {
    if (item.kind === 'call') return item.call;
  }
  throw new Error('no call');
}

function show(call: Call) {
  const ran: { key: string; args: JsonObject }[] = [];
  const result: RunToolResult = {
    problems: [],
    outcome: { kind: 'result', value: '{"ok":true}' },
    ms: 12,
  };
  const view = render(
    <CallCard
      call={call}
      listed={SHOP_TOOLS.find(({ tool }) => tool.key === call.tool?.key)}
      intents={{
        answerApproval: async () => [],
        runTool: async (key, args) => {
          ran.push({ key, args });
          return result;
        },
      }}
    />,
  );
  const fold = view.container.querySelector('details');
  if (fold) {
    act(() => {
      fold.open = true;
      fold.dispatchEvent(new Event('toggle'));
    });
  }
  return { ...view, ran };
}

/** A tool that calls itself by markup, in a call with markup everywhere. */
const HOSTILE: Call = {
  ...callOf(turns.DONE),
  name: '<img src=x onerror=alert(1)>',
  tool: { key: 'k', name: '<img src=x onerror=alert(1)>', origin: 'https://evil.example' },
  arguments: { '<b>': '<script>alert(1)</script>', ['__proto__']: 'x' },
  result: '<iframe src="https://evil.example"></iframe>',
};

describe('a call card', () => {
  test.each([null, 'undefined'])('says in words that the tool gave back nothing (%s)', (result) => {
    const { container } = show({ ...callOf(turns.DONE), result });
    expect(container.textContent).not.toContain('undefined');
    expect(container.textContent).toContain('The tool gave nothing back');
  });

  beforeEach(speakEnglish);
  afterEach(cleanup);

  test.each([
    ['done', turns.DONE],
    ['running', turns.RUNNING],
    ['failed', turns.FAILED],
    ['denied', turns.DENIED],
    ['invalid', turns.INVALID],
    ['awaiting-approval', turns.APPROVAL],
  ])('says its state: %s', (state, events) => {
    expect(show(callOf(events)).getByTestId('call-card').dataset['state']).toBe(state);
  });

  test('shows arguments as rows, what was mended, and the result as a tree', () => {
    const { getByTestId } = show(callOf(turns.DONE));
    const text = getByTestId('call-card').textContent ?? '';
    expect(text).toContain('max_price');
    expect(text).toContain('Mended: "120" → 120 for "max_price"');
    expect(text).toContain('count: 2');
  });

  test('puts each problem beside its argument, also a missing one', () => {
    const { container } = show(callOf(turns.INVALID));
    const rows = [...container.querySelectorAll('.argument')].map((row) => row.textContent);
    expect(rows).toEqual([
      'quantity40"quantity" must be at most 10.',
      'skumissingMissing required argument "sku".',
    ]);
  });

  test('warns that a failed call may have taken effect', () => {
    expect(show(callOf(turns.FAILED)).container.textContent).toContain('may have taken effect');
  });

  test('opens the form of its tool, filled in, and runs it', async () => {
    const { getByText, getByLabelText, ran, container } = show(callOf(turns.INVALID));
    fireEvent.click(getByText('Fill in the form yourself'));
    expect((getByLabelText('quantity') as HTMLInputElement).value).toBe('40');
    fireEvent.input(getByLabelText('quantity'), { target: { value: '4' } });
    fireEvent.input(getByLabelText('sku'), { target: { value: 'BT-204' } });
    fireEvent.click(getByText('Run'));
    await waitFor(() => expect(container.textContent).toContain('Done in 12ms'));
    expect(ran).toEqual([{ key: 'doc0/add_to_cart', args: { sku: 'BT-204', quantity: 4 } }]);
  });

  test('offers no form once the page is gone', () => {
    const call = callOf(turns.INVALID);
    const gone = {
      ...call,
      tool: { key: 'old/add', name: 'add_to_cart', origin: 'https://a.example' },
    };
    expect(show(gone).queryByText('Fill in the form yourself')).toBeNull();
  });

  test('a hostile page’s names, values and results stay text', () => {
    const { container } = show(HOSTILE);
    for (const tag of ['img', 'script', 'iframe', 'b']) {
      expect(container.querySelector(tag)).toBeNull();
    }
    expect(container.textContent).toContain('<script>alert(1)</script>');
  });

  test('a result of a million entries is drawn a hundred at a time', () => {
    const call = {
      ...HOSTILE,
      result: JSON.stringify(Array.from({ length: 100_000 }, (_, i) => i)),
    };
    const { container, getByText } = show(call);
    expect(container.querySelectorAll('.value .json-tree li').length).toBeLessThan(110);
    fireEvent.click(getByText('Show 99900 more'));
    expect(container.querySelectorAll('.value .json-tree li').length).toBeLessThan(210);
  });
});

describe('suggestions', () => {
  test('come from the page’s tools: safe ones first, hidden ones never, with what is left to say', () => {
    expect(suggestionsFor(SHOP_TOOLS)).toEqual([
      { text: 'Show the cart', complete: true },
      { text: 'Search products', complete: false },
      { text: 'Add to cart', complete: false },
      { text: 'Place the order', complete: false },
    ]);
  });
});
