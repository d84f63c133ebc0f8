import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../lib/agent/events';
import { missingEnds, withinMessage } from '../../../lib/host/some-events';

const base = { at: 0, conversationId: 'c', turnId: 't' };
const result = (id: string, length: number): AgentEvent => ({
  ...base,
  type: 'call-finished',
  id,
  callId: id,
  ok: true,
  result: 'x'.repeat(length),
  shown: 'x',
  ms: 1,
  mayHaveRun: false,
});
const lengths = (events: AgentEvent[]) =>
  events.map((e) => (e.type === 'call-finished' ? (e.result ?? '').length : -1));

it('a view gets the newest results whole, and the beginning of those that do not fit', () => {
  const events = [result('1', 50_000), result('2', 40_000), result('3', 30_000)];
  const [first = 0, ...rest] = lengths(withinMessage(events, 75_000));
  expect(rest).toEqual([40_000, 30_000]);
  expect(first).toBeLessThan(3_000);
  expect(withinMessage(events, 120_000)).toEqual(events);
});

it('a log that broke off gets an end for each open turn, and no other', () => {
  const end: AgentEvent = {
    ...base,
    type: 'turn-ended',
    id: '2',
    reason: 'answered',
    message: '',
    remedies: [],
    steps: 1,
  };
  const open = { ...result('3', 1), turnId: 'open' };
  const ends = missingEnds(
    [result('1', 1), end, open, { ...open, id: '4' }],
    () => 'new',
    () => 9,
  );
  expect(ends).toMatchObject([{ type: 'turn-ended', turnId: 'open', id: 'new', at: 9 }]);
});
