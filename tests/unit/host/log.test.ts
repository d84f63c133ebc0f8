import { expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../../lib/agent/events';
import type { Trouble } from '../../../lib/host/database';
import { createTurnLog } from '../../../lib/host/log';

function setup(addEvents: (events: readonly AgentEvent[]) => Promise<Trouble | undefined>) {
  const shown: AgentEvent[] = [];
  const settled: AgentEvent[] = [];
  let n = 0;
  const log = createTurnLog({
    conversationId: 'c',
    turnId: 't',
    database: { addEvents },
    newId: () => String(n++).padStart(3, '0'),
    now: () => 7,
    show: (events) => shown.push(...events),
    onStored: (event) => settled.push(event),
  });
  return { log, shown, settled };
}

it('joins streamed text of one channel and keeps the order of everything else', async () => {
  const stored: AgentEvent[] = [];
  const { log, shown, settled } = setup(async (events) => {
    stored.push(...events);
    return undefined;
  });
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
  const { log, shown } = setup(async () => undefined);
  log.emit({ type: 'text', step: 1, channel: 'prose', text: 'a' });
  expect(shown).toEqual([]);
  vi.runAllTimers();
  expect(shown).toHaveLength(1);
  vi.useRealTimers();
});

it('what cannot be stored at all is shown all the same, and counts as not stored', async () => {
  const { log, shown, settled } = setup(() => Promise.reject(new Error('broken')));
  log.emit({ type: 'step-started', step: 1 });
  log.emit({ type: 'step-started', step: 2 });
  await log.flush();
  expect(shown).toHaveLength(2);
  expect(settled).toEqual([]);
});
