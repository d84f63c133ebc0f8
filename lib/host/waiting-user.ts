import type { AgentUser, ApprovalAnswer, ApprovalRequest, Question } from '../agent/ports';
import type { JsonObject } from '../tools/tool';

/** What a turn is waiting for the user to say. Views answer by id; a second answer is ignored. */
export interface WaitingUser {
  /** The user of one conversation, as the loop sees them. */
  user(conversationId: string): AgentUser;
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

export function createWaitingUser(): WaitingUser {
  const approvals = new Map<string, Waiting<ApprovalAnswer>>();
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
        reject(signal.reason);
      };
      signal.addEventListener('abort', stopped, { once: true });
      map.set(id, {
        conversationId,
        resolve(value) {
          map.delete(id);
          signal.removeEventListener('abort', stopped);
          resolve(value);
        },
      });
    });
  }
  function answer<T>(map: Map<string, Waiting<T>>, id: string, value: T): boolean {
    const waiting = map.get(id);
    waiting?.resolve(value);
    return waiting !== undefined;
  }

  return {
    user: (conversationId) => ({
      approve: (request: ApprovalRequest, signal) =>
        wait(approvals, request.callId, conversationId, signal),
      ask: (question: Question, signal) =>
        wait(questions, question.questionId, conversationId, signal),
    }),
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
