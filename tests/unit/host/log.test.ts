import { expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../../lib/agent/events';
import { createTurnLog } from '../../../lib/host/log';

function setup(addEvents: (events: readonly AgentEvent[]) => Promise<void>) {
  const shown: AgentEvent[] = [];
  const settled: AgentEvent[] = [];
  const errors: unknown[] = [];
  let n = 0;
  const log = createTurnLog({
    conversationId: 'c',
    turnId: 't',
    database: { addEvents },
    newId: () => String(n++).padStart(3, '0'),
    now: () => 7,
    show: (events) => shown.push(...events),
    onStored: (event) => settled.push(event),
    onStoreError: (error) => errors.push(error),
  });
  return { log, shown, settled, errors };
}

it('joins streamed text of one channel and keeps the order of everything else', async () => {
  const stored: AgentEvent[] = [];
  const { log, shown, settled } = setup(async (events) => void stored.push(...events));
  log.emit({ type: 'step-started', step: 1 });
  for (const text of ['He', 'llo', '!'])
    log.emit({ type: 'text', step: 1, channel: 'prose', text });
  log.emit({ type: 'text', step: 1, channel: 'thinking', text: 'hm' });
  log.emit({ type: 'notice', level: 'info', text: 'x' });
  await log.flush();
  expect(shown.map((e) => (e.type === 'text' ? `${e.channel}:${e.text}` : e.type))).toEqual([
    'step-started',
    'prose:Hello!',
    'thinking:hm',
    'notice',
  ]);
  expect(stored).toEqual(shown);
  expect(settled).toEqual(shown);
  expect(shown[0]).toMatchObject({ id: '000', at: 7, conversationId: 'c', turnId: 't' });
});

it('shows text that stays alone, without waiting for another event', async () => {
  vi.useFakeTimers();
  const { log, shown } = setup(async () => {});
  log.emit({ type: 'text', step: 1, channel: 'prose', text: 'a' });
  expect(shown).toEqual([]);
  vi.runAllTimers();
  expect(shown).toHaveLength(1);
  vi.useRealTimers();
});

it('goes on when the disk is full, and says so', async () => {
  const { log, shown, settled, errors } = setup(() => Promise.reject(new Error('quota')));
  log.emit({ type: 'step-started', step: 1 });
  log.emit({ type: 'step-started', step: 2 });
  await log.flush();
  expect(shown).toHaveLength(2);
  expect(errors).toHaveLength(2);
  expect(settled).toEqual([]);
});
