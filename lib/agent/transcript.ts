import { type Listed, type Said, saidIn } from '../said/said';
import { type CallCard, type CallEvent, closeCard, newCard, nextCard } from './call-card';
import type { AgentEvent, Budget, EndReason, Remedy } from './events';

export type { CallCard, CallState } from './call-card';

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

export interface QuestionItem {
  questionId: string;
  text: string;
  said?: Said;
  choices: { value: string; label: string }[];
  form?: EventOf<'question-asked'>['form'];
  /** `open` until answered; `closed` when the turn ended first. `null` answers are dismissals. */
  state: 'open' | 'answered' | 'closed';
  answer?: unknown;
}

/** What a turn shows below the user's message, in the order it happened. `id` is stable. */
export type TranscriptItem =
  | { kind: 'prose'; id: string; step: number; text: string }
  | { kind: 'thinking'; id: string; step: number; text: string }
  | { kind: 'call'; id: string; call: CallCard }
  | { kind: 'question'; id: string; question: QuestionItem }
  /** Calls that could not be read; they went back to the model. */
  | { kind: 'problems'; id: string; step: number; errors: Listed[] }
  | { kind: 'notice'; id: string; level: EventOf<'notice'>['level']; text: string; said?: Said }
  | { kind: 'navigated'; id: string; url: string }
  | {
      kind: 'engine-failed';
      id: string;
      engine: string;
      /** The kind of the engine's error. */
      failure: string;
      message: string;
      said?: Said;
      remedies: Remedy[];
    };

/** What one step cost; filled as its events come. */
export interface TranscriptStep {
  step: number;
  at: number;
  budget?: Budget;
  offered?: EventOf<'tools-chosen'>['offered'];
  left?: EventOf<'tools-chosen'>['left'];
  reply?: Omit<
    EventOf<'model-replied'>,
    'id' | 'at' | 'conversationId' | 'turnId' | 'type' | 'step'
  >;
}

/** One user request and everything that came of it. */
export interface TranscriptTurn {
  turnId: string;
  /** Time of its first event. */
  at: number;
  /** The user's message; `""` where the log starts in mid-turn. */
  ask: string;
  tabId?: number;
  url?: string;
  /** The turn it follows, see `branches.ts`. */
  after?: string;
  /** The user ran one tool themselves. */
  byHand?: boolean;
  engine?: string;
  model?: string;
  /** Set while the turn waits for another one. */
  queued?: { position: number; busyTabId?: number };
  items: TranscriptItem[];
  steps: TranscriptStep[];
  /** Absent while the turn runs. */
  end?: {
    at: number;
    reason: EndReason;
    message: string;
    said?: Said;
    remedies: Remedy[];
    steps: number;
  };
}

/** The chat as views and exports show it: a fold over the log, nothing else is stored. */
export function foldTranscript(events: readonly AgentEvent[]): TranscriptTurn[] {
  let turns: TranscriptTurn[] = [];
  for (const event of events) turns = addToTranscript(turns, event);
  return turns;
}

/**
 * One more event. Returns new arrays and objects along the changed path only, so that a view may
 * compare by identity; costs one copy of the turn's item list.
 */
export function addToTranscript(turns: TranscriptTurn[], event: AgentEvent): TranscriptTurn[] {
  let at = turns.length - 1;
  while (at >= 0 && turns[at]?.turnId !== event.turnId) at--;
  const turn = at >= 0 ? turns[at] : undefined;
  const next = applyToTurn(
    turn ?? { turnId: event.turnId, at: event.at, ask: '', items: [], steps: [] },
    event,
  );
  if (turn === undefined) return [...turns, next];
  return next === turn ? turns : turns.with(at, next);
}

function applyToTurn(turn: TranscriptTurn, event: AgentEvent): TranscriptTurn {
  switch (event.type) {
    case 'turn-started':
      return {
        ...turn,
        ask: event.ask,
        ...(event.byHand ? { byHand: true } : {}),
        ...(event.after === undefined ? {} : { after: event.after }),
        tabId: event.tabId,
        url: event.url,
        engine: event.engine,
        model: event.model,
        queued: undefined,
      };
    case 'turn-queued':
      return { ...turn, queued: { position: event.position, busyTabId: event.busyTabId } };
    case 'step-started':
      return {
        ...turn,
        queued: undefined,
        steps: [...turn.steps, { step: event.step, at: event.at }],
      };
    case 'tools-chosen':
      return withStep(turn, event, {
        budget: event.budget,
        offered: event.offered,
        left: event.left,
      });
    case 'model-replied': {
      const {
        id: _id,
        at: _at,
        conversationId: _c,
        turnId: _t,
        type: _y,
        step: _s,
        ...reply
      } = event;
      return withStep(turn, event, { reply });
    }
    case 'text':
      return withText(turn, event);
    case 'reply-problems':
      return withItem(turn, {
        kind: 'problems',
        id: event.id,
        step: event.step,
        errors: event.errors,
      });
    case 'notice':
      return withItem(turn, {
        kind: 'notice',
        id: event.id,
        level: event.level,
        text: event.text,
        ...saidIn(event),
      });
    case 'page-navigated':
      return withItem(turn, { kind: 'navigated', id: event.id, url: event.url });
    case 'engine-failed':
      return withItem(turn, {
        kind: 'engine-failed',
        id: event.id,
        engine: event.engine,
        failure: event.kind,
        message: event.message,
        ...saidIn(event),
        remedies: event.remedies,
      });
    case 'call-proposed':
    case 'call-invalid':
    case 'approval-asked':
    case 'approval-answered':
    case 'call-started':
    case 'call-finished':
    case 'tool-searched':
      return withCall(turn, event);
    case 'question-asked':
      return withItem(turn, {
        kind: 'question',
        id: event.id,
        question: {
          questionId: event.questionId,
          text: event.text,
          ...saidIn(event),
          choices: event.choices,
          form: event.form,
          state: 'open',
        },
      });
    case 'question-answered':
      return mapItems(turn, (item) =>
        item.kind === 'question' && item.question.questionId === event.questionId
          ? { ...item, question: { ...item.question, state: 'answered', answer: event.answer } }
          : item,
      );
    case 'turn-ended':
      return closeTurn(turn, event);
    case 'catalog-collected':
    case 'tools-advertised':
    case 'prompt-sent':
    case 'deferred-tool-call':
    case 'brief-updated':
      return turn;
  }
}

const withItem = (turn: TranscriptTurn, item: TranscriptItem): TranscriptTurn => ({
  ...turn,
  items: [...turn.items, item],
});

function mapItems(
  turn: TranscriptTurn,
  change: (item: TranscriptItem) => TranscriptItem,
): TranscriptTurn {
  let changed = false;
  const items = turn.items.map((item) => {
    const next = change(item);
    if (next !== item) changed = true;
    return next;
  });
  return changed ? { ...turn, items } : turn;
}

function withStep(
  turn: TranscriptTurn,
  event: { step: number; at: number },
  patch: Partial<TranscriptStep>,
): TranscriptTurn {
  const at = turn.steps.findLastIndex((s) => s.step === event.step);
  const step = turn.steps[at];
  if (step === undefined) {
    return { ...turn, steps: [...turn.steps, { step: event.step, at: event.at, ...patch }] };
  }
  return { ...turn, steps: turn.steps.with(at, { ...step, ...patch }) };
}

/** Pieces of one step's reply join the piece before them, unless something else came between. */
function withText(turn: TranscriptTurn, event: EventOf<'text'>): TranscriptTurn {
  const last = turn.items.at(-1);
  if (last?.kind === event.channel && last.step === event.step) {
    const joined = { ...last, text: last.text + event.text };
    return { ...turn, items: turn.items.with(-1, joined) };
  }
  return withItem(turn, {
    kind: event.channel,
    id: event.id,
    step: event.step,
    text: event.text,
  });
}

function withCall(turn: TranscriptTurn, event: CallEvent): TranscriptTurn {
  const at = turn.items.findLastIndex((i) => i.kind === 'call' && i.call.callId === event.callId);
  const item = turn.items[at];
  if (item?.kind === 'call') {
    const call = nextCard(item.call, event);
    return { ...turn, items: turn.items.with(at, { ...item, call }) };
  }
  const call = newCard(event, turn.steps.at(-1)?.step ?? 0);
  return withItem(turn, { kind: 'call', id: event.id, call });
}

/** A turn that ended has no open card: nobody will ever answer or finish one. */
function closeTurn(turn: TranscriptTurn, event: EventOf<'turn-ended'>): TranscriptTurn {
  const closed = mapItems(turn, (item) => {
    if (item.kind === 'question' && item.question.state === 'open') {
      return { ...item, question: { ...item.question, state: 'closed' } };
    }
    if (item.kind !== 'call') return item;
    const call = closeCard(item.call);
    return call === item.call ? item : { ...item, call };
  });
  return {
    ...closed,
    queued: undefined,
    end: {
      at: event.at,
      reason: event.reason,
      message: event.message,
      ...saidIn(event),
      remedies: event.remedies,
      steps: event.steps,
    },
  };
}
