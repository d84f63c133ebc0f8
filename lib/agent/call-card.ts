import { type Listed, type Said, saidIn } from '../said/said';
import { say } from '../said/say';
import type { AgentEvent, ForeignValue, Problem, ToolRef } from './events';

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

/** What a call card shows. A turn that ended leaves none of the first three behind. */
export type CallState =
  | 'proposed'
  | 'awaiting-approval'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  | 'invalid';

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
  fixes: Listed[];
  unsourced: string[];
  /** What the model wrote, where the user made something else of it. */
  proposed?: unknown;
  /** Values that only another site told. */
  foreign?: ForeignValue[];
  unchecked: Listed[];
  /** Of an invalid call; each has the path of its argument. */
  problems: Problem[];
  approval?: {
    reason: EventOf<'approval-asked'>['reason'];
    canRemember: boolean;
    word?: string;
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
  /** How to say `error`. */
  said?: Said;
  navigatedTo?: string;
  mayHaveRun: boolean;
  /** Of a `tool_search`. */
  search?: Omit<EventOf<'tool-searched'>, 'id' | 'at' | 'conversationId' | 'turnId' | 'type'>;
}

/** Events that tell of one call. */
export type CallEvent = EventOf<
  | 'call-proposed'
  | 'call-invalid'
  | 'approval-asked'
  | 'approval-answered'
  | 'call-started'
  | 'call-finished'
  | 'tool-searched'
>;

/** A card on the first event of its call. */
export function newCard(event: CallEvent, step: number): CallCard {
  const blank: CallCard = {
    callId: event.callId,
    step,
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
  return nextCard(blank, event);
}

/** The card after one more event of its call. */
export function nextCard(call: CallCard, event: CallEvent): CallCard {
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
        ...(event.foreign ? { foreign: event.foreign } : {}),
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
        ...saidIn(event),
      };
    case 'approval-asked':
      return {
        ...call,
        state: event.remembered === true ? 'proposed' : 'awaiting-approval',
        approval: {
          reason: event.reason,
          canRemember: event.canRemember,
          ...(event.word === undefined ? {} : { word: event.word }),
        },
      };
    case 'approval-answered':
      return {
        ...call,
        state: event.decision === 'deny' ? 'denied' : 'proposed',
        ...(event.arguments === undefined
          ? {}
          : { arguments: event.arguments, proposed: call.arguments, unsourced: [], foreign: [] }),
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
        ...saidIn(event),
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

/** A call of a turn that ended: nobody will ever answer or finish it. */
export function closeCard(call: CallCard): CallCard {
  switch (call.state) {
    case 'proposed':
    case 'awaiting-approval':
      return { ...call, state: 'denied' };
    case 'running': {
      const { text, said } = say('call-unfinished');
      return { ...call, state: 'failed', error: text, said, mayHaveRun: true };
    }
    default:
      return call;
  }
}
