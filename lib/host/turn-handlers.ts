import { checkArguments } from '../agent/arguments/check';
import { parentOf } from '../agent/branches';
import { foldTranscript } from '../agent/transcript';
import type { HostHandlers } from '../messages/rpc';
import { WordsError } from '../said/said';
import { say } from '../said/say';
import type { Conversations } from './conversations';
import type { Showing } from './showing';
import type { Turns } from './turns';
import type { WaitingUser } from './waiting-user';

/** Asking, stopping, deciding, and asking again. */
export function turnHandlers(deps: {
  conversations: Conversations;
  showing: Showing;
  turns: Turns;
  user: WaitingUser;
  forgetOld: () => Promise<void>;
}): Pick<HostHandlers, 'ask' | 'stop' | 'answerApproval' | 'answerQuestion' | 'retry'> {
  const { conversations, showing, turns, user } = deps;
  return {
    async ask({ tabId, text, after }) {
      const asked = await turns.start(await showing.current(tabId), text, after);
      deps.forgetOld().catch(() => {});
      return asked;
    },
    async stop({ conversationId }) {
      await turns.stop(conversationId);
      return null;
    },
    answerApproval({ callId, decision, remember, scope, arguments: args }) {
      const asked = user.approvalOf(callId);
      if (args !== undefined && asked !== undefined) {
        const { problems } = checkArguments(asked.tool.inputSchema, args);
        if (problems.length > 0) return { problems };
      }
      user.answerApproval(callId, {
        decision,
        by: 'user',
        remember,
        ...(scope ? { scope } : {}),
        ...(args ? { arguments: args } : {}),
      });
      return { problems: [] };
    },
    answerQuestion({ questionId, answer }) {
      const isForm = typeof answer === 'object' && !Array.isArray(answer);
      const value = typeof answer === 'string' || isForm ? answer : null;
      user.answerQuestion(questionId, value);
      return null;
    },
    async retry({ tabId, conversationId, turnId, text }) {
      await turns.stop(conversationId);
      await turns.stored();
      const info = await conversations.need(conversationId);
      const told = foldTranscript(await turns.events(conversationId));
      const again = told.find((turn) => turn.turnId === turnId);
      if (!again || again.byHand) throw new WordsError(say('message-gone'));
      return turns.start({ ...info, tabId }, text ?? again.ask, parentOf(told, turnId));
    },
  };
}
