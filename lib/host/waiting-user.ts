import type { AgentUser, ApprovalAnswer, ApprovalRequest, Question } from '../agent/ports';
import type { JsonObject } from '../tools/tool';

/** What a turn is waiting for the user to say. Views answer by id; a second answer is ignored. */
export interface WaitingUser {
  /** The user of one conversation, as the loop sees them. */
  user(conversationId: string): AgentUser;
  /** What the conversation's turn waits for, if it waits for its user. */
  waitsFor(conversationId: string): 'approval' | 'question' | undefined;
  /** What waits for a decision under that id. */
  approvalOf(callId: string): ApprovalRequest | undefined;
  /** False when nothing with that id waits any more. */
  answerApproval(callId: string, answer: ApprovalAnswer): boolean;
  answerQuestion(questionId: string, answer: string | JsonObject | null): boolean;
  /** The page of the conversation went away: what it asked for no longer holds. */
  pageChanged(conversationId: string): void;
}

interface Waiting<T> {
  conversationId: string;
  resolve(value: T): void;
}

/** `onChange` is called whenever a turn begins or ceases to wait. */
export function createWaitingUser(onChange: () => void): WaitingUser {
  const approvals = new Map<string, Waiting<ApprovalAnswer>>();
  const requests = new Map<string, ApprovalRequest>();
  const questions = new Map<string, Waiting<string | JsonObject | null>>();

  function wait<T>(
    map: Map<string, Waiting<T>>,
    id: string,
    conversationId: string,
    signal: AbortSignal,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const stopped = () => {
        map.delete(id);
        onChange();
        reject(signal.reason);
      };
      signal.addEventListener('abort', stopped, { once: true });
      map.set(id, {
        conversationId,
        resolve(value) {
          map.delete(id);
          signal.removeEventListener('abort', stopped);
          onChange();
          resolve(value);
        },
      });
      onChange();
    });
  }
  function answer<T>(map: Map<string, Waiting<T>>, id: string, value: T): boolean {
    const waiting = map.get(id);
    waiting?.resolve(value);
    return waiting !== undefined;
  }

  const isOf = (conversationId: string) => (waiting: { conversationId: string }) =>
    waiting.conversationId === conversationId;

  return {
    waitsFor(conversationId) {
      if ([...approvals.values()].some(isOf(conversationId))) return 'approval';
      return [...questions.values()].some(isOf(conversationId)) ? 'question' : undefined;
    },
    user: (conversationId) => ({
      approve: (request: ApprovalRequest, signal) => {
        requests.set(request.callId, request);
        const answered = wait(approvals, request.callId, conversationId, signal);
        return answered.finally(() => requests.delete(request.callId));
      },
      ask: (question: Question, signal) =>
        wait(questions, question.questionId, conversationId, signal),
    }),
    approvalOf: (callId) => requests.get(callId),
    answerApproval: (callId, value) => answer(approvals, callId, value),
    answerQuestion: (questionId, value) => answer(questions, questionId, value),
    pageChanged(conversationId) {
      for (const waiting of [...approvals.values()]) {
        if (waiting.conversationId === conversationId) {
          waiting.resolve({ decision: 'deny', by: 'navigation', remember: false });
        }
      }
    },
  };
}
