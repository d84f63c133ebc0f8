import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../lib/agent/events';
import type { Database } from '../../../lib/host/database';
import { createLogs } from '../../../lib/host/logs';
import { createShowing } from '../../../lib/host/showing';
import type { Turns } from '../../../lib/host/turns';
import { createViews } from '../../../lib/host/views';
import type { ConversationInfo, HostPush } from '../../../lib/messages/host-api';
import type { HostConnection } from '../../../lib/messages/rpc';

const INFO: ConversationInfo = {
  id: 'c',
  title: '',
  origin: '',
  createdAt: 1,
  updatedAt: 1,
  turns: 1,
};

/** A view as the panel is one: a snapshot replaces what it shows, events are added to it. */
function createView() {
  let shown: string[] = [];
  let isAsking = false;
  let held: HostPush[] = [];
  const take = (push: HostPush) => {
    if (push.push === 'snapshot') shown = push.snapshot.events.map(({ id }) => id);
    if (push.push === 'events') shown = [...shown, ...push.events.map(({ id }) => id)];
  };
  const connection: HostConnection = {
    signal: new AbortController().signal,
    push: (push) => void (isAsking ? held.push(push) : take(push)),
  };
  return {
    connection,
    shown: () => shown,
    /** What the port does: pushes wait until the answer was sent. */
    async ask(request: () => Promise<{ events: AgentEvent[] }>) {
      isAsking = true;
      const { events } = await request();
      shown = events.map(({ id }) => id);
      isAsking = false;
      for (const push of held) take(push);
      held = [];
    },
  };
}

/** Between two tasks, where only a promise that resolves comes. */
async function afterMicrotasks(count: number, work: () => void): Promise<void> {
  for (let i = 0; i < count; i++) await Promise.resolve();
  work();
}

it('a view that comes at any moment shows every event, once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.constantFrom('watch', 'show', 'tell'), { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(12), { maxLength: 3 }),
      async (scheduler, count, ways, hops) => {
        const pause = (name: string) => scheduler.schedule(Promise.resolve(), name);
        const stored: AgentEvent[] = [];
        const database = {
          /** What it holds is read at one moment, and arrives at another. */
          async events() {
            await pause('read');
            const read = [...stored];
            await pause('read arrives');
            for (const hop of hops.splice(0)) void afterMicrotasks(hop, emit);
            return read;
          },
          async addEvents(events: readonly AgentEvent[]) {
            await pause('write');
            stored.push(...events);
            await pause('write is told');
            return undefined;
          },
        } as unknown as Database;
        const views = createViews();
        let n = 0;
        const newId = () => String(n++).padStart(3, '0');
        const logs = createLogs({ database, newId, now: () => 0, show: views.events });
        const showing = createShowing({
          background: () => Promise.reject(new Error('not asked')),
          conversations: undefined as never,
          turns: { take: logs.take } as unknown as Turns,
          views,
          status: () => ({ busy: null, queue: [], engine: { id: 'instant', state: 'ready' } }),
        });
        const emitted: string[] = [];
        const log = logs.of('c', 't');
        const emit = () => {
          emitted.push(String(n).padStart(3, '0'));
          log.emit({ type: 'step-started', step: n });
        };
        const steps = Array.from({ length: count }, (_, step) => ({
          label: `event ${step}`,
          builder: async () => emit(),
        }));
        scheduler.scheduleSequence(steps);
        const shown = ways.map((way) => {
          const view = createView();
          views.add(view.connection);
          const begin = async () => {
            await pause(way);
            if (way !== 'tell') {
              await view.ask(() => showing[way](view.connection, 1, INFO));
              return;
            }
            // A view that watches the tab is moved to the conversation by somebody else.
            views.watch(view.connection, 1, 'another');
            await showing.tell(1, INFO);
          };
          return { view, begun: begin() };
        });
        await scheduler.waitAll();
        await Promise.all(shown.map(({ begun }) => begun));
        await scheduler.waitAll();
        for (const { view } of shown) expect(view.shown()).toEqual(emitted);
      },
    ),
    { numRuns: 300 },
  );
});
