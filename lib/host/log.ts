import type { AgentEvent, EventBody } from '../agent/events';
import type { Database, Trouble } from './database';

/** Pieces of streamed text are joined for this long before they become one event. */
const TEXT_MS = 80;

/** The log of one turn: stamps events, joins text, stores and shows them in the order they happened. */
export interface TurnLog {
  emit(body: EventBody): void;
  /** Resolves once everything emitted so far is stored. */
  flush(): Promise<void>;
}

type Text = Extract<EventBody, { type: 'text' }>;

export function createTurnLog(options: {
  conversationId: string;
  turnId: string;
  database: Pick<Database, 'addEvents'>;
  newId: () => string;
  now: () => number;
  /** Called with each event as it happens, before it is stored. */
  show: (events: AgentEvent[]) => void;
  /** Called with each event once the database holds it; with the reason where that is for now only. */
  onStored: (event: AgentEvent, trouble: Trouble | undefined) => void;
}): TurnLog {
  const { conversationId, turnId, database, newId, now, show } = options;
  let stored: Promise<void> = Promise.resolve();
  let pending: { body: Text; timer: ReturnType<typeof setTimeout> } | undefined;

  const write = (body: EventBody) => {
    const event = { ...body, id: newId(), at: now(), conversationId, turnId } as AgentEvent;
    show([event]);
    stored = stored
      .then(() => database.addEvents([event]))
      .then(
        (trouble) => options.onStored(event, trouble),
        // It stays among those that are not stored yet: nobody misses it while the host lives.
        () => {},
      );
  };
  const writePending = () => {
    if (!pending) return;
    clearTimeout(pending.timer);
    const { body } = pending;
    pending = undefined;
    write(body);
  };

  return {
    emit(body) {
      if (body.type !== 'text') {
        writePending();
        write(body);
        return;
      }
      const joins = pending?.body.step === body.step && pending.body.channel === body.channel;
      if (pending && joins) {
        pending.body = { ...pending.body, text: pending.body.text + body.text };
        return;
      }
      writePending();
      pending = { body, timer: setTimeout(writePending, TEXT_MS) };
    },
    async flush() {
      writePending();
      await stored;
    },
  };
}
