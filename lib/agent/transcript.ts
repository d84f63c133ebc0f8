import type { AgentEvent, Budget, EndReason, Problem, Remedy, ToolRef } from './events';

/** What a call card shows. A turn that ended leaves none of the first three behind. */
export type CallState =
  | 'proposed'
  | 'awaiting-approval'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  | 'invalid';

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

/** One call from the model's wish to its result. */
export interface CallCard {
  callId: string;
  step: number;
  /** Time of the first event about the call. */
  at: number;
  name: string;
  /** Absent where the model named no tool of the page. */
  tool?: ToolRef;
  arguments: unknown;
  state: CallState;
  readOnly: boolean;
  consequential: boolean;
  deferred: boolean;
  fixes: string[];
  unsourced: string[];
  unchecked: string[];
  /** Of an invalid call; each has the path of its argument. */
  problems: Problem[];
  approval?: {
    reason: EventOf<'approval-asked'>['reason'];
    canRemember: boolean;
    decision?: EventOf<'approval-answered'>['decision'];
    by?: EventOf<'approval-answered'>['by'];
    remember?: boolean;
  };
  startedAt?: number;
  ms?: number;
  /** Full, as the tool gave it; `null` where nothing came back. Absent until the call finished. */
  result?: string | null;
  /** What the model got to read of the result. */
  shown?: string;
  /** Why it failed or was invalid, in words. */
  error?: string;
  navigatedTo?: string;
  mayHaveRun: boolean;
  /** Of a `tool_search`. */
  search?: Omit<EventOf<'tool-searched'>, 'id' | 'at' | 'conversationId' | 'turnId' | 'type'>;
}

export interface QuestionItem {
  questionId: string;
  text: string;
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
  | { kind: 'problems'; id: string; step: number; errors: string[] }
  | { kind: 'notice'; id: string; level: EventOf<'notice'>['level']; text: string }
  | { kind: 'navigated'; id: string; url: string }
  | { kind: 'engine-failed'; id: string; engine: string; message: string; remedies: Remedy[] };

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
  engine?: string;
  model?: string;
  strategy?: EventOf<'turn-started'>['strategy'];
  /** Set while the turn waits for another one. */
  queued?: { position: number; busyTabId?: number };
  items: TranscriptItem[];
  steps: TranscriptStep[];
  /** Absent while the turn runs. */
  end?: { at: number; reason: EndReason; message: string; remedies: Remedy[]; steps: number };
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
        tabId: event.tabId,
        url: event.url,
        engine: event.engine,
        model: event.model,
        strategy: event.strategy,
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
      return withItem(turn, { kind: 'notice', id: event.id, level: event.level, text: event.text });
    case 'page-navigated':
      return withItem(turn, { kind: 'navigated', id: event.id, url: event.url });
    case 'engine-failed':
      return withItem(turn, {
        kind: 'engine-failed',
        id: event.id,
        engine: event.engine,
        message: event.message,
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

type CallEvent = EventOf<
  | 'call-proposed'
  | 'call-invalid'
  | 'approval-asked'
  | 'approval-answered'
  | 'call-started'
  | 'call-finished'
  | 'tool-searched'
>;

function withCall(turn: TranscriptTurn, event: CallEvent): TranscriptTurn {
  const at = turn.items.findLastIndex((i) => i.kind === 'call' && i.call.callId === event.callId);
  const item = turn.items[at];
  if (item?.kind === 'call') {
    return {
      ...turn,
      items: turn.items.with(at, { ...item, call: applyToCall(item.call, event) }),
    };
  }
  const blank: CallCard = {
    callId: event.callId,
    step: turn.steps.at(-1)?.step ?? 0,
    at: event.at,
    name: '',
    arguments: {},
    state: 'proposed',
    readOnly: false,
    consequential: false,
    deferred: false,
    fixes: [],
    unsourced: [],
    unchecked: [],
    problems: [],
    mayHaveRun: false,
  };
  return withItem(turn, { kind: 'call', id: event.id, call: applyToCall(blank, event) });
}

function applyToCall(call: CallCard, event: CallEvent): CallCard {
  switch (event.type) {
    case 'call-proposed':
      return {
        ...call,
        step: event.step,
        name: event.tool.name,
        tool: event.tool,
        arguments: event.arguments,
        readOnly: event.readOnly,
        consequential: event.consequential,
        deferred: event.deferred,
        fixes: event.fixes,
        unsourced: event.unsourced,
        unchecked: event.unchecked,
      };
    case 'call-invalid':
      return {
        ...call,
        name: event.name,
        tool: event.tool ?? call.tool,
        arguments: event.arguments,
        state: 'invalid',
        problems: event.problems,
        error: event.message,
      };
    case 'approval-asked':
      return {
        ...call,
        state: 'awaiting-approval',
        approval: { reason: event.reason, canRemember: event.canRemember },
      };
    case 'approval-answered':
      return {
        ...call,
        state: event.decision === 'deny' ? 'denied' : 'proposed',
        approval: {
          reason: call.approval?.reason ?? 'changes',
          canRemember: call.approval?.canRemember ?? false,
          decision: event.decision,
          by: event.by,
          remember: event.remember,
        },
      };
    case 'call-started':
      return { ...call, state: 'running', startedAt: event.at };
    case 'call-finished':
      return {
        ...call,
        state: event.ok ? 'done' : 'failed',
        result: event.result,
        shown: event.shown,
        error: event.error,
        ms: event.ms,
        navigatedTo: event.navigatedTo,
        mayHaveRun: event.mayHaveRun,
      };
    case 'tool-searched': {
      const { id: _id, at: _at, conversationId: _c, turnId: _t, type: _y, ...search } = event;
      return { ...call, search };
    }
  }
}

/** A turn that ended has no open card: nobody will ever answer or finish one. */
function closeTurn(turn: TranscriptTurn, event: EventOf<'turn-ended'>): TranscriptTurn {
  const closed = mapItems(turn, (item) => {
    if (item.kind === 'question' && item.question.state === 'open') {
      return { ...item, question: { ...item.question, state: 'closed' } };
    }
    if (item.kind !== 'call') return item;
    if (item.call.state === 'proposed' || item.call.state === 'awaiting-approval') {
      return { ...item, call: { ...item.call, state: 'denied' } };
    }
    if (item.call.state === 'running') {
      const error = 'The turn ended before the result came; the call may have run.';
      return { ...item, call: { ...item.call, state: 'failed', error, mayHaveRun: true } };
    }
    return item;
  });
  return {
    ...closed,
    queued: undefined,
    end: {
      at: event.at,
      reason: event.reason,
      message: event.message,
      remedies: event.remedies,
      steps: event.steps,
    },
  };
}
