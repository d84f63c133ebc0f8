import type { Problem } from '../../lib/agent/events';
import type { ConversationInfo, RunToolResult } from '../../lib/messages/host-api';
import type { JsonObject, JsonValue } from '../../lib/tools/tool';

/** What the user says to a call that waits for them. */
export interface Decision {
  callId: string;
  decision: 'allow' | 'deny';
  remember: boolean;
  /** Where it is remembered. */
  scope?: 'chat' | 'site';
  /** All arguments, where the user changed any. */
  arguments?: JsonObject;
}

/** What the user can want in the chat. Views call these; the panel's glue carries them out. */
export interface ChatIntents {
  /** `after`: the turn it follows, where that is not the newest. */
  send: (text: string, after?: string) => void;
  stop: () => void;
  /** Resolves with what is wrong with changed arguments; then the call still waits. */
  answerApproval: (decision: Decision) => Promise<readonly Problem[]>;
  answerQuestion: (questionId: string, answer: JsonValue) => void;
  /** Asks a turn again, with the same or another text. */
  retry: (turnId: string, text?: string) => void;
  runTool: (key: string, args: JsonObject) => Promise<RunToolResult>;
  /** Changes what this conversation's model may read of the page; the rest stays. */
  share: (change: NonNullable<ConversationInfo['shared']>) => void;
  reloadPage: () => void;
  openModels: () => void;
  /** Shows the page's tools, and opens the form of the one named. */
  openTools: (toolName?: string) => void;
}
