import { expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../lib/agent/ports';
import { createWaitingUser } from '../../../lib/host/waiting-user';

const request = (callId: string) => ({ callId }) as ApprovalRequest;
const allow = { decision: 'allow', by: 'user', remember: false } as const;

it('hands an answer to the call it is for, once', async () => {
  const waiting = createWaitingUser(() => {});
  const user = waiting.user('c');
  const signal = new AbortController().signal;
  const one = user.approve(request('1'), signal);
  const two = user.approve(request('2'), signal);
  expect(waiting.answerApproval('2', { ...allow, decision: 'deny' })).toBe(true);
  expect(waiting.answerApproval('2', allow)).toBe(false);
  expect(await two).toMatchObject({ decision: 'deny' });
  waiting.answerApproval('1', allow);
  expect(await one).toMatchObject({ decision: 'allow' });
});

it('an answer after Stop reaches nobody', async () => {
  const waiting = createWaitingUser(() => {});
  const stop = new AbortController();
  const asked = waiting.user('c').approve(request('1'), stop.signal);
  stop.abort(new Error('stopped'));
  await expect(asked).rejects.toThrow('stopped');
  expect(waiting.answerApproval('1', allow)).toBe(false);
  await expect(waiting.user('c').approve(request('2'), stop.signal)).rejects.toThrow('stopped');
});

it('denies what a page asked for when that page went away, and only that', async () => {
  const waiting = createWaitingUser(() => {});
  const signal = new AbortController().signal;
  const here = waiting.user('here').approve(request('1'), signal);
  const elsewhere = waiting.user('elsewhere').approve(request('2'), signal);
  waiting.pageChanged('here');
  expect(await here).toEqual({ decision: 'deny', by: 'navigation', remember: false });
  expect(waiting.answerApproval('2', allow)).toBe(true);
  expect(await elsewhere).toEqual(allow);
});

it('carries answers to questions', async () => {
  const waiting = createWaitingUser(() => {});
  const asked = waiting
    .user('c')
    .ask({ questionId: 'q', text: '?', choices: [] }, new AbortController().signal);
  waiting.answerQuestion('q', { size: 'M' });
  expect(await asked).toEqual({ size: 'M' });
});
