import { describe, expect, it } from 'vitest';
import type { AgentEvent, EventBody } from '../../../lib/agent/events';
import { addToTranscript, foldTranscript } from '../../../lib/agent/transcript';

const tool = { key: 'd1/add_to_cart', name: 'add_to_cart', origin: 'https://shop.example' };

/** Stamps bodies as the host does; `turn` changes with each `turn-started`. */
function log(...bodies: EventBody[]): AgentEvent[] {
  let turn = 0;
  return bodies.map((body, i) => {
    if (body.type === 'turn-started') turn++;
    return {
      ...body,
      id: `e${i}`,
      at: 1000 + i,
      conversationId: 'c1',
      turnId: `t${turn}`,
    } as AgentEvent;
  });
}

const started = (ask: string): EventBody => ({
  type: 'turn-started',
  ask,
  tabId: 1,
  url: 'https://shop.example/',
  engine: 'instant',
});
const text = (text: string, channel: 'prose' | 'thinking' = 'prose', step = 1): EventBody => ({
  type: 'text',
  step,
  channel,
  text,
});
const proposed = (callId: string): EventBody => ({
  type: 'call-proposed',
  step: 1,
  callId,
  tool,
  arguments: { qty: 2 },
  deferred: false,
  readOnly: false,
  consequential: false,
  fixes: ['"2" → 2 for "qty"'],
  unsourced: [],
  unchecked: [],
});
const finished = (callId: string, ok = true): EventBody => ({
  type: 'call-finished',
  callId,
  ok,
  result: ok ? '{"items":2}' : null,
  shown: ok ? 'items: 2' : '',
  error: ok ? undefined : 'Out of stock.',
  ms: 12,
  mayHaveRun: false,
});
const ended: EventBody = {
  type: 'turn-ended',
  reason: 'answered',
  message: '',
  remedies: [],
  steps: 1,
};

const cardOf = (events: AgentEvent[]) => {
  for (const turn of foldTranscript(events)) {
    for (const item of turn.items) if (item.kind === 'call') return item.call;
  }
  throw new Error('no card');
};

describe('foldTranscript', () => {
  it('turns a log into the user message, prose, a call card and an end', () => {
    const [turn, ...rest] = foldTranscript(
      log(
        started('two mugs please'),
        { type: 'step-started', step: 1 },
        text('Adding '),
        text('them.'),
        proposed('k1'),
        { type: 'call-started', callId: 'k1' },
        finished('k1'),
        ended,
      ),
    );
    expect(rest).toEqual([]);
    expect(turn?.ask).toBe('two mugs please');
    expect(turn?.items.map((i) => i.kind)).toEqual(['prose', 'call']);
    expect(turn?.items[0]).toMatchObject({ text: 'Adding them.' });
    expect(turn?.end).toMatchObject({ reason: 'answered', steps: 1 });
    const call = turn?.items[1]?.kind === 'call' ? turn.items[1].call : undefined;
    expect(call).toMatchObject({
      state: 'done',
      name: 'add_to_cart',
      result: '{"items":2}',
      shown: 'items: 2',
      ms: 12,
      fixes: ['"2" → 2 for "qty"'],
    });
  });

  it('keeps thinking apart and does not join text of two steps or across a card', () => {
    const [turn] = foldTranscript(
      log(
        started('x'),
        text('hm', 'thinking'),
        text('a'),
        proposed('k1'),
        text('b'),
        text('c', 'prose', 2),
      ),
    );
    expect(turn?.items.map((i) => (i.kind === 'call' ? 'card' : `${i.kind}`))).toEqual([
      'thinking',
      'prose',
      'card',
      'prose',
      'prose',
    ]);
  });

  it('walks a card through approval to its result', () => {
    const events = log(
      started('x'),
      proposed('k1'),
      { type: 'approval-asked', callId: 'k1', reason: 'changes', canRemember: true },
      {
        type: 'approval-answered',
        callId: 'k1',
        decision: 'allow',
        by: 'user',
        remember: true,
      },
      { type: 'call-started', callId: 'k1' },
      finished('k1', false),
    );
    const states = [2, 3, 4, 5, 6].map((n) => cardOf(events.slice(0, n)).state);
    expect(states).toEqual(['proposed', 'awaiting-approval', 'proposed', 'running', 'failed']);
    expect(cardOf(events).error).toBe('Out of stock.');
    expect(cardOf(events).approval).toMatchObject({ reason: 'changes', remember: true });
  });

  it('never waits for an answer that was given before', () => {
    const asked = { type: 'approval-asked', callId: 'k1', reason: 'changes' } as const;
    const events = log(started('x'), proposed('k1'), {
      ...asked,
      canRemember: true,
      remembered: true,
    });
    expect(cardOf(events).state).toBe('proposed');
  });

  it('shows a denied call as denied', () => {
    const events = log(
      started('x'),
      proposed('k1'),
      { type: 'approval-asked', callId: 'k1', reason: 'consequential', canRemember: false },
      {
        type: 'approval-answered',
        callId: 'k1',
        decision: 'deny',
        by: 'user',
        remember: false,
      },
    );
    expect(cardOf(events).state).toBe('denied');
  });

  it('shows a call that named no tool as invalid, with its problems', () => {
    const events = log(started('x'), {
      type: 'call-invalid',
      callId: 'k1',
      name: 'ad_to_cart',
      arguments: {},
      problems: [{ path: '', message: 'There is no such tool.' }],
      message: 'There is no tool "ad_to_cart".',
    });
    expect(cardOf(events)).toMatchObject({
      state: 'invalid',
      name: 'ad_to_cart',
      error: 'There is no tool "ad_to_cart".',
    });
    expect(cardOf(events).tool).toBeUndefined();
  });

  it('leaves nothing open once the turn ended', () => {
    const end: EventBody = { ...ended, reason: 'interrupted' } as EventBody;
    const running = log(started('x'), proposed('k1'), { type: 'call-started', callId: 'k1' }, end);
    expect(cardOf(running)).toMatchObject({ state: 'failed', mayHaveRun: true });
    const waiting = log(
      started('x'),
      proposed('k1'),
      { type: 'approval-asked', callId: 'k1', reason: 'changes', canRemember: true },
      { type: 'question-asked', questionId: 'q1', text: 'Which?', choices: [] },
      end,
    );
    expect(cardOf(waiting).state).toBe('denied');
    const question = foldTranscript(waiting)[0]?.items.find((i) => i.kind === 'question');
    expect(question).toMatchObject({ question: { state: 'closed' } });
  });

  it('fills in the answer of a question and the cost of a step', () => {
    const [turn] = foldTranscript(
      log(
        started('x'),
        { type: 'step-started', step: 1 },
        {
          type: 'model-replied',
          step: 1,
          raw: 'hi',
          finish: 'stop',
          queueMs: 1,
          promptTokens: 90,
          reusedTokens: 80,
          completionTokens: 2,
          firstTokenMs: 5,
          tokensPerSecond: 20,
        },
        { type: 'question-asked', questionId: 'q1', text: 'Which?', choices: [] },
        { type: 'question-answered', questionId: 'q1', answer: 'red' },
      ),
    );
    expect(turn?.items[0]).toMatchObject({ question: { state: 'answered', answer: 'red' } });
    expect(turn?.steps[0]?.reply).toMatchObject({ promptTokens: 90, reusedTokens: 80 });
  });

  it('keeps turns apart by their id, also when the log starts in mid-turn', () => {
    const turns = foldTranscript(log(text('tail of an older turn'), started('a'), started('b')));
    expect(turns.map((t) => t.ask)).toEqual(['', 'a', 'b']);
  });

  it('changes only what an event touches, and never its input', () => {
    const events = log(started('a'), proposed('k1'), ended, started('b'), text('x'));
    const before = foldTranscript(events.slice(0, 4));
    const frozen = JSON.stringify(before);
    const last = events[4];
    if (last === undefined) throw new Error('log too short');
    const after = addToTranscript(before, last);
    expect(JSON.stringify(before)).toBe(frozen);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });
});
